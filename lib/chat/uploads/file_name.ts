import { codePointLength } from "@/lib/core/text.ts";

/** The name of a file whose own says nothing. */
const NAMELESS = "uploaded-file";
/** The longest name, in code points. */
const MAX_NAME = 255;
/** A path of the store holds no more, in bytes of UTF-8. */
const MAX_CLEAN_BYTES = 300;

/** The name that a file was sent with, shown to people: without folders, controls and marks of direction. */
export function shownName(sent: string): string {
  const whole = decodeOnce(sent).split(/[/\\]/).at(-1) ?? "";
  // Marks of direction make a name read as another one; NUL and line breaks belong in no header.
  const clean = whole.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "").toWellFormed();
  const short = codePointLength(clean) > MAX_NAME ? keepEnding(clean) : clean;
  return short === "" ? NAMELESS : short;
}

/** A file's name as a part of its address: letters, digits, dots, hyphens and underscores of any language. */
export function cleanName(name: string): string {
  const clean = name.normalize("NFKC").replace(/[^\p{L}\p{M}\p{N}_\s.-]/gu, "").trim().replace(
    /[-\s]+/g,
    "-",
  );
  if (/^\.{0,2}$/.test(clean)) return NAMELESS;
  const { length } = new TextEncoder().encode(clean);
  return length > MAX_CLEAN_BYTES ? `${NAMELESS}${endingOf(clean)}` : clean;
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function keepEnding(name: string): string {
  const ending = endingOf(name);
  return [...name].slice(0, MAX_NAME - ending.length).join("") + ending;
}

function endingOf(name: string): string {
  return /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
}
