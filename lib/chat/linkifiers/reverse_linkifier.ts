import { RE2JS } from "re2js";
import type { LinkifierFields } from "./linkifier.ts";
import { compilePattern } from "./pattern.ts";
import { expandReverseTemplate } from "./reverse_template.ts";
import { parseUriTemplate, type UriTemplate } from "./uri_template.ts";

/** The longest address that is looked at, in UTF-16 units. */
const MAX_URL = 4000;

/**
 * The short text that stands for an address, or null. Addresses are held against the template and then its alternatives;
 * only templates whose expressions are a single `{name}`, `{+name}`, `{/name}` or `{#name}` can be gone back, and the
 * text must match the linkifier's pattern as a whole.
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

/** What the variables of a template must have been to give an address. */
function readVariables({ parts }: UriTemplate, url: string): ReadonlyMap<string, string> | null {
  const names: string[] = [];
  let source = "";
  for (const part of parts) {
    if (typeof part === "string") source += RE2JS.quote(part);
    else {
      const [variable, ...more] = part.variables;
      const form = FORMS.get(part.operator);
      if (variable === undefined || more.length > 0 || variable.length !== null || form === undefined) {
        return null;
      }
      names.push(variable.name);
      source += form;
    }
  }
  const match = RE2JS.compile(source).matcher(url);
  if (!match.matches()) return null;
  const values = new Map<string, string>();
  for (const [at, name] of names.entries()) {
    const value = decode(match.group(at + 1) ?? "");
    // A variable that stands in a template twice has one value.
    if (value === null || (values.get(name) ?? value) !== value) return null;
    values.set(name, value);
  }
  return values;
}

/** What an expression of each operator can have given, as a group. */
const FORMS: ReadonlyMap<string, string> = new Map([
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
