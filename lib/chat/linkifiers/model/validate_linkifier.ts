import { AppError } from "@/lib/core/errors.ts";
import type { LinkifierFields, LinkifierRecord } from "./linkifier.ts";
import { type CompiledPattern, compilePattern, readGroups } from "./pattern.ts";
import { expandReverseTemplate } from "./reverse_template.ts";
import { parseUriTemplate } from "./uri_template.ts";

/** A problem of a linkifier. */
export interface LinkifierProblem {
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
