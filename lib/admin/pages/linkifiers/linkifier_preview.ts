import {
  type LinkifierFields,
  MAX_ALTERNATIVES,
  MAX_PATTERN,
  MAX_TEMPLATE,
} from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { readLinkifierSet } from "@/lib/chat/messages/linkifiers/store.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import {
  findLinkifierProblems,
  previewLinkifier,
} from "@/lib/chat/messages/linkifiers/model/validate_linkifier.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { findTooLong } from "@/lib/admin/find_too_long.ts";

/** Text for a number of links. */
export const MATCHES = { one: "{count} match.", other: "{count} matches." };
const TOO_MANY_LINES = {
  one: "Enter no more than {count} line.",
  other: "Enter no more than {count} lines.",
};

/** A linkifier as its form holds it; the alternatives are one on each line. */
export type LinkifierFormValues = Readonly<
  Record<
    "pattern" | "url_template" | "example_input" | "reverse_template" | "alternative_url_templates",
    string
  >
>;

/** Returns the form values of a linkifier; all empty for none. */
export function toFormValues(fields: LinkifierFields | null): LinkifierFormValues {
  return {
    pattern: fields?.pattern ?? "",
    url_template: fields?.url_template ?? "",
    example_input: fields?.example_input ?? "",
    reverse_template: fields?.reverse_template ?? "",
    alternative_url_templates: fields?.alternative_url_templates.join("\n") ?? "",
  };
}

/** Returns the linkifier that a form describes, valid or not. */
export function toLinkifierFields(read: (name: keyof LinkifierFormValues) => string): LinkifierFields {
  return {
    pattern: read("pattern").trim(),
    url_template: read("url_template").trim(),
    example_input: read("example_input").trim() || null,
    reverse_template: read("reverse_template").trim() || null,
    alternative_url_templates: read("alternative_url_templates").split("\n").map((line) => line.trim())
      .filter((line) => line !== ""),
  };
}

/** Returns messages for values that are too long, by field. */
export function tooLongFields(
  request: AdminRequest,
  fields: LinkifierFields,
): Readonly<Record<string, string>> {
  const { t } = request;
  const problems = findTooLong(request, {
    pattern: [fields.pattern, MAX_PATTERN],
    url_template: [fields.url_template, MAX_TEMPLATE],
    example_input: [fields.example_input, MAX_TEMPLATE],
    reverse_template: [fields.reverse_template, MAX_TEMPLATE],
  });
  const lines = fields.alternative_url_templates;
  const long = lines.findIndex((line) => codePointLength(line) > MAX_TEMPLATE);
  if (lines.length > MAX_ALTERNATIVES) {
    problems["alternative_url_templates"] = t(TOO_MANY_LINES, { count: MAX_ALTERNATIVES });
  } else if (long >= 0) {
    problems["alternative_url_templates"] = t("Line {line} is too long.", { line: long + 1 });
  }
  return problems;
}

/** Returns the problems of a linkifier; further ones are not looked for in values that are too long, which takes long. */
export function findProblems(
  request: AdminRequest,
  fields: LinkifierFields,
  others: Parameters<typeof findLinkifierProblems>[1],
) {
  const tooLong = Object.entries(tooLongFields(request, fields));
  return tooLong.length > 0
    ? tooLong.map(([field, message]) => ({ field, message }))
    : findLinkifierProblems(fields, others);
}

/**
 * Reads an edited linkifier, whose id is null when it is new, the message to try it on, which is empty for its example,
 * and the address to expand in reverse.
 */
export function readTried(id: number | null, read: (name: string) => string) {
  return { id, fields: toLinkifierFields(read), sample: read("sample"), address: read("address") };
}

/** An edited linkifier with the links of a sample text. */
export type LinkifierPreview = NonNullable<Awaited<ReturnType<typeof previewForEditor>>>;

/** Previews a linkifier at its position among the others; null while it has no pattern. */
export async function previewForEditor(
  request: AdminRequest,
  { id, fields, sample, address }: ReturnType<typeof readTried>,
) {
  const { chat, realm } = request;
  if (fields.pattern === "") return null;
  const { all } = await readLinkifierSet(chat, realm.id);
  const others = all.filter(({ record }) => record.id !== id);
  const problems = findProblems(request, fields, others.map(({ record }) => record));
  if (Object.keys(tooLongFields(request, fields)).length > 0) return { fields, address: "", problems };
  const at = all.findIndex(({ record }) => record.id === id);
  const text = Array.from(sample || (fields.example_input ?? "")).slice(0, MAX_TEMPLATE).join("");
  const position = at < 0 ? others.length : at;
  const { links, candidateLinks } = previewLinkifier(fields, text, { others, position });
  const isInvalid = problems.some(({ field }) => field === "pattern" || field === "url_template");
  return {
    fields,
    address: address.trim(),
    sample: text,
    links,
    candidates: candidateLinks,
    /** Whether the pattern and the template make links. */
    isReadable: fields.url_template !== "" && !isInvalid,
    // A field that is still empty is not a problem yet.
    problems: problems.filter(({ field }) => field === "pattern" || fields.url_template !== ""),
  };
}
