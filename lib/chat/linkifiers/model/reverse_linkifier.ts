import { RE2JS } from "re2js";
import type { LinkifierFields } from "./linkifier.ts";
import { compilePattern } from "./pattern.ts";
import { expandReverseTemplate } from "./reverse_template.ts";
import { parseUriTemplate, type UriTemplate } from "./uri_template.ts";

/** Maximum length of a URL that is converted, in UTF-16 units. */
const MAX_URL = 4000;

/**
 * Converts a URL to the short text of a linkifier, or returns null. Compares the URL with the template and
 * then its alternatives. Only templates whose expressions are a single `{name}`, `{+name}`, `{/name}` or
 * `{#name}` can be reversed, and the whole text must match the linkifier's pattern.
 */
export function reverseLinkifier(linkifier: LinkifierFields, url: string): string | null {
  const pattern = compilePattern(linkifier.pattern);
  const reverse = linkifier.reverse_template;
  if (reverse === null || "problem" in pattern || url.length > MAX_URL) return null;
  for (const text of [linkifier.url_template, ...linkifier.alternative_url_templates]) {
    const template = parseUriTemplate(text);
    const values = template === null ? null : readVariables(template, url);
    if (values === null) continue;
    const expanded = expandReverseTemplate(reverse, { groups: pattern.groups, values });
    if ("text" in expanded && pattern.anywhere.matcher(expanded.text).matches()) return expanded.text;
  }
  return null;
}

/** Returns the values of the template's variables that produce the URL; null if there are none. */
function readVariables({ parts }: UriTemplate, url: string): ReadonlyMap<string, string> | null {
  const names: string[] = [];
  let source = "";
  for (const part of parts) {
    if (typeof part === "string") source += RE2JS.quote(part);
    else {
      const [variable, ...more] = part.variables;
      const valuePattern = VALUE_PATTERNS.get(part.operator);
      if (
        variable === undefined || more.length > 0 || variable.length !== null || valuePattern === undefined
      ) return null;
      names.push(variable.name);
      source += valuePattern;
    }
  }
  const match = RE2JS.compile(source).matcher(url);
  if (!match.matches()) return null;
  const values = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const value = decode(match.group(index + 1) ?? "");
    // A variable that occurs twice must have the same value.
    if (value === null || (values.get(name) ?? value) !== value) return null;
    values.set(name, value);
  }
  return values;
}

/** Patterns of the text that an expression with each operator can expand to, with its value as a group. */
const VALUE_PATTERNS: ReadonlyMap<string, string> = new Map([
  ["", "([A-Za-z0-9\\-._~%]+)"],
  ["+", "(.+)"],
  ["/", "/([A-Za-z0-9\\-._~%]+)"],
  ["#", "#(.+)"],
]);

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
