/** Maximum depth of JSON from outside; deeper values would exhaust the stack of code that walks them. */
export const MAX_JSON_DEPTH = 32;
/** Maximum number of values in JSON from outside, more than any client sends. */
export const MAX_JSON_VALUES = 60_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Parses JSON; returns undefined for invalid text and for text beyond the limits. */
export function parseJson(text: string): unknown {
  if (findJsonExcess(text) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns which limit of JSON a text exceeds, without parsing it. Brackets and commas outside of strings are
 * counted, so text that is not JSON may exceed a limit as well.
 */
export function findJsonExcess(text: string, maxValues = MAX_JSON_VALUES): "depth" | "values" | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = findStringEnd(text, at + 1);
    else if (unit === COMMA) values++;
    // "[" and "{", then "]" and "}".
    else if (unit === 0x5b || unit === 0x7b) {
      values++;
      if (++depth > MAX_JSON_DEPTH) return "depth";
    } else if (unit === 0x5d || unit === 0x7d) depth--;
    if (values > maxValues) return "values";
  }
  return null;
}

function findStringEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}
