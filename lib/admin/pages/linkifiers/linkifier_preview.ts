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

/** Texts that the pages of linkifiers share. */
export const LINKIFIER_TEXTS = {
  pattern: "Pattern",
  urlTemplate: "URL template",
  placesFound: { one: "{count} match.", other: "{count} matches." },
};

const texts = {
  tooManyLines: {
    one: "Enter no more than {count} line.",
    other: "Enter no more than {count} lines.",
  },
  lineTooLong: "Line {line} is too long.",
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
    problems["alternative_url_templates"] = t(texts.tooManyLines, {
      count: MAX_ALTERNATIVES,
    });
  } else if (long >= 0) {
    problems["alternative_url_templates"] = t(texts.lineTooLong, { line: long + 1 });
  }
  return problems;
}

/** An edited linkifier, whose id is null when it is new, and the texts to try it on. */
interface TriedLinkifier {
  readonly id: number | null;
  readonly fields: LinkifierFields;
  /** The example is used when it is empty. */
  readonly sample: string;
  /** Address for reverse expansion. */
  readonly address: string;
}

/** An edited linkifier with the links of a sample text. */
export type LinkifierPreview = NonNullable<Awaited<ReturnType<typeof previewForEditor>>>;

/** Previews a linkifier at its position among the others; null while it has no pattern. */
export async function previewForEditor(
  request: AdminRequest,
  { id, fields, sample, address }: TriedLinkifier,
) {
  const { chat, realm } = request;
  if (fields.pattern === "") return null;
  const tooLong = Object.entries(tooLongFields(request, fields));
  if (tooLong.length > 0) {
    return { fields, address: "", problems: tooLong.map(([field, message]) => ({ field, message })) };
  }
  const { all } = await readLinkifierSet(chat, realm.id);
  const others = all.filter(({ record }) => record.id !== id);
  const at = all.findIndex(({ record }) => record.id === id);
  const text = Array.from(sample || (fields.example_input ?? "")).slice(0, MAX_TEMPLATE).join("");
  const position = at < 0 ? others.length : at;
  const { links, candidateLinks } = previewLinkifier(fields, text, { others, position });
  const problems = findLinkifierProblems(fields, others.map(({ record }) => record));
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
