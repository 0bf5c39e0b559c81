import { RE2JS } from "re2js";
import { AppError } from "@/lib/core/errors.ts";
import {
  compileLinkifier,
  createLinkify,
  findLinkifierLinks,
  type FoundLink,
  linksOverlap,
  type StoredLinkifier,
} from "./find_links.ts";
import {
  type CompiledPattern,
  compilePattern,
  type LinkifierFields,
  type LinkifierRecord,
  readGroups,
} from "./linkifier.ts";
import { parseUriTemplate, type UriTemplate } from "./uri_template.ts";

interface LinkifierProblem {
  /** Field with the problem; `__all__` for a problem between several fields. */
  readonly field: keyof LinkifierFields | "__all__";
  readonly message: string;
}

/** Returns the problems of a linkifier beside the others of its organization, the most important first. */
export function findLinkifierProblems(
  fields: LinkifierFields,
  others: readonly LinkifierRecord[],
): LinkifierProblem[] {
  const problems = findFieldProblems(fields);
  const pattern = compilePattern(fields.pattern);
  if ("problem" in pattern) {
    problems.push({ field: "pattern", message: `Bad regular expression: ${pattern.problem}` });
  } else {
    problems.push(...findExampleProblem(fields, pattern) ?? findTemplateProblem(fields, pattern));
  }
  const isDuplicate = others.some((other) => other.pattern === fields.pattern);
  if (isDuplicate && !problems.some(({ field }) => field === "pattern")) {
    const message = "Realm filter with this Realm and Pattern already exists.";
    problems.push({ field: "__all__", message });
  }
  return problems;
}

/**
 * Requires a linkifier without problems; the error lists all of them by field.
 * @throws AppError BAD_REQUEST.
 */
export function requireValidLinkifier(fields: LinkifierFields, others: readonly LinkifierRecord[]): void {
  const problems = findLinkifierProblems(fields, others);
  const [first] = problems;
  if (first === undefined) return;
  const errors: Record<string, string[]> = {};
  for (const { field, message } of problems) (errors[field] ??= []).push(message);
  throw new AppError("BAD_REQUEST", first.message, { extra: { errors } });
}

function findFieldProblems(fields: LinkifierFields): LinkifierProblem[] {
  const problems: LinkifierProblem[] = [];
  const message = "This field cannot be blank.";
  if (fields.pattern === "") problems.push({ field: "pattern", message });
  if (fields.url_template === "") problems.push({ field: "url_template", message });
  else if (parseUriTemplate(fields.url_template) === null) problems.push(invalidTemplate("url_template"));
  if (fields.alternative_url_templates.some((text) => text === "" || parseUriTemplate(text) === null)) {
    problems.push(invalidTemplate("alternative_url_templates"));
  }
  return problems;
}

function invalidTemplate(field: LinkifierProblem["field"]): LinkifierProblem {
  return { field, message: "Invalid URL template." };
}

function findExampleProblem(
  { example_input: example, reverse_template: reverse }: LinkifierFields,
  pattern: CompiledPattern,
): [LinkifierProblem] | null {
  if (example === null) {
    return reverse === null
      ? null
      : problemBetween("Example text must be set when auto-conversion field is set.");
  }
  const match = pattern.anywhere.matcher(example);
  if (!match.find()) return problemBetween("Example input does not match the linkifier pattern.");
  if (reverse === null) return null;
  const values = readGroups(pattern, match);
  const expanded = expandReverseTemplate(reverse, { groups: pattern.groups, values });
  if ("problem" in expanded) {
    const field = expanded.isOfPattern ? "__all__" : "reverse_template";
    return [{ field, message: expanded.problem }];
  }
  return expanded.text === example
    ? null
    : problemBetween("Example text does not match auto-conversion field.");
}

/** Returns a problem if groups and variables differ, for the first name that one of them lacks. */
function findTemplateProblem(
  { url_template, alternative_url_templates }: LinkifierFields,
  { groups }: CompiledPattern,
): LinkifierProblem[] {
  const template = parseUriTemplate(url_template);
  if (template === null) return [];
  const alternatives = alternative_url_templates.flatMap((text) => parseUriTemplate(text)?.variables ?? []);
  const [unknown] = [findMissing(groups, template.variables), findMissing(groups, alternatives)].flat();
  if (unknown !== undefined) {
    return problemBetween(`Group '${unknown}' in URL template is not present in linkifier pattern.`);
  }
  const [unused] = findMissing(template.variables, groups);
  return unused === undefined
    ? []
    : problemBetween(`Group '${unused}' in linkifier pattern is not present in URL template.`);
}

function findMissing(known: readonly string[], names: readonly string[]): string[] {
  return names.filter((name) => !known.includes(name)).sort();
}

function problemBetween(message: string): [LinkifierProblem] {
  return [{ field: "__all__", message }];
}

/** The expanded text, or what is wrong with the template; `isOfPattern` if the pattern lacks a group. */
type ReverseExpansion =
  | { readonly text: string }
  | { readonly problem: string; readonly isOfPattern: boolean };

/**
 * Expands a reverse template: `{name}` is a group's value, empty without one; `{{` and `}}` are literal
 * braces.
 */
function expandReverseTemplate(
  template: string,
  { groups, values }: { groups: readonly string[]; values: ReadonlyMap<string, string> },
): ReverseExpansion {
  let text = "";
  for (const { 0: whole, 1: name } of template.matchAll(/\{\{|\}\}|\{([^}]*)\}?|[^{}]+|\}/g)) {
    if (whole === "{{" || whole === "}}") text += whole.charAt(0);
    else if (name === undefined) text += whole;
    else if (!whole.endsWith("}")) return invalid("missing '}' character.");
    else if (name === "") return invalid("empty field name.");
    else if (!groups.includes(name)) {
      const problem = `Group '${name}' in auto-conversion field is not present in linkifier pattern.`;
      return { problem, isOfPattern: true };
    } else text += values.get(name) ?? "";
  }
  return { text };
}

function invalid(reason: string): ReverseExpansion {
  return { problem: `Invalid auto-conversion field: ${reason}`, isOfPattern: false };
}

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

/** A link in a sample text in which a candidate linkifier is tried among the stored ones. */
export interface PreviewLink extends FoundLink {
  /** Stored linkifier that makes the link; null for the candidate. */
  readonly linkifier: LinkifierRecord | null;
}

export interface CandidateLink extends FoundLink {
  /**
   * Earlier linkifier that links the same or overlapping text instead; null where the candidate makes its
   * link.
   */
  readonly overriddenBy: LinkifierRecord | null;
}

/**
 * Previews a sample text with a candidate linkifier inserted at `position` among the others: all links in the order of
 * the text, and those of the candidate.
 */
export function previewLinkifier(
  candidate: LinkifierFields,
  sampleText: string,
  { others, position }: { readonly others: readonly StoredLinkifier[]; readonly position: number },
): { links: readonly PreviewLink[]; candidateLinks: readonly CandidateLink[] } {
  const compiled = compileLinkifier(candidate);
  const inserted = compiled === null ? [] : [{ ...compiled, record: null }];
  const inOrder = [...others.slice(0, position), ...inserted, ...others.slice(position)];
  const links = createLinkify(inOrder)(sampleText)
    .map((link) => ({ ...link, linkifier: inOrder[link.linkifierIndex]?.record ?? null }))
    .sort((a, b) => a.start - b.start);
  const candidateLinks = compiled === null ? [] : findLinkifierLinks(compiled, sampleText);
  const findOverride = (link: FoundLink) =>
    links.find((other) => other.linkifierIndex < position && linksOverlap(other, link));
  return {
    links,
    candidateLinks: candidateLinks.map((link) => ({
      ...link,
      overriddenBy: findOverride(link)?.linkifier ?? null,
    })),
  };
}
