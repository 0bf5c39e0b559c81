import { AppError } from "@/lib/core/errors.ts";
import type { LinkifierFields, LinkifierRecord } from "./linkifier.ts";
import { type CompiledPattern, compilePattern, readGroups } from "./pattern.ts";
import { expandReverseTemplate } from "./reverse_template.ts";
import { parseUriTemplate } from "./uri_template.ts";

/** Something that is wrong with a linkifier. */
export interface LinkifierProblem {
  /** The field, or `__all__` for what is wrong between several. */
  readonly field: keyof LinkifierFields | "__all__";
  readonly message: string;
}

/** What is wrong with a linkifier beside others of its organization, the most important first; nothing if it is good. */
export function findProblems(
  fields: LinkifierFields,
  others: readonly LinkifierRecord[],
): LinkifierProblem[] {
  const found = problemsOfFields(fields);
  const pattern = compilePattern(fields.pattern);
  if ("problem" in pattern) {
    found.push({ field: "pattern", message: `Bad regular expression: ${pattern.problem}` });
  } else {
    found.push(...problemOfExample(fields, pattern) ?? problemOfTemplates(fields, pattern));
  }
  const isTaken = others.some((other) => other.pattern === fields.pattern);
  if (isTaken && !found.some(({ field }) => field === "pattern")) {
    const message = "Realm filter with this Realm and Pattern already exists.";
    found.push({ field: "__all__", message });
  }
  return found;
}

/**
 * Refuses a linkifier that has problems; the refusal names all of them by field.
 * @throws AppError BAD_REQUEST.
 */
export function requireLinkifier(fields: LinkifierFields, others: readonly LinkifierRecord[]): void {
  const problems = findProblems(fields, others);
  const [first] = problems;
  if (first === undefined) return;
  const errors: Record<string, string[]> = {};
  for (const { field, message } of problems) (errors[field] ??= []).push(message);
  throw new AppError("BAD_REQUEST", first.message, { extra: { errors } });
}

function problemsOfFields(fields: LinkifierFields): LinkifierProblem[] {
  const found: LinkifierProblem[] = [];
  const message = "This field cannot be blank.";
  if (fields.pattern === "") found.push({ field: "pattern", message });
  if (fields.url_template === "") found.push({ field: "url_template", message });
  else if (parseUriTemplate(fields.url_template) === null) found.push(invalidTemplate("url_template"));
  if (fields.alternative_url_templates.some((text) => text === "" || parseUriTemplate(text) === null)) {
    found.push(invalidTemplate("alternative_url_templates"));
  }
  return found;
}

function invalidTemplate(field: LinkifierProblem["field"]): LinkifierProblem {
  return { field, message: "Invalid URL template." };
}

function problemOfExample(
  { example_input: example, reverse_template: reverse }: LinkifierFields,
  pattern: CompiledPattern,
): [LinkifierProblem] | null {
  if (example === null) {
    return reverse === null ? null : between("Example text must be set when auto-conversion field is set.");
  }
  const match = pattern.anywhere.matcher(example);
  if (!match.find()) return between("Example input does not match the linkifier pattern.");
  if (reverse === null) return null;
  const values = readGroups(pattern, match);
  const expanded = expandReverseTemplate(reverse, { groups: pattern.groups, values });
  if ("problem" in expanded) {
    const field = expanded.isOfPattern ? "__all__" : "reverse_template";
    return [{ field, message: expanded.problem }];
  }
  return expanded.text === example ? null : between("Example text does not match auto-conversion field.");
}

/** Groups and variables must be the same; the first of those that are not is named. */
function problemOfTemplates(
  { url_template, alternative_url_templates }: LinkifierFields,
  { groups }: CompiledPattern,
): LinkifierProblem[] {
  const template = parseUriTemplate(url_template);
  if (template === null) return [];
  const alternatives = alternative_url_templates.flatMap((text) => parseUriTemplate(text)?.variables ?? []);
  const [unknown] = [missingFrom(groups, template.variables), missingFrom(groups, alternatives)].flat();
  if (unknown !== undefined) {
    return between(`Group '${unknown}' in URL template is not present in linkifier pattern.`);
  }
  const [unused] = missingFrom(template.variables, groups);
  return unused === undefined
    ? []
    : between(`Group '${unused}' in linkifier pattern is not present in URL template.`);
}

function missingFrom(known: readonly string[], names: readonly string[]): string[] {
  return names.filter((name) => !known.includes(name)).sort();
}

function between(message: string): [LinkifierProblem] {
  return [{ field: "__all__", message }];
}
