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
  type PreviewLink,
  previewLinkifier,
  reverseLinkifier,
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
  nothingFound: "The pattern does not match anything in this message.",
  more: { one: "and {count} more", other: "and {count} more" },
  lost: "Not linked by this linkifier: {pattern} comes first and matches this text.",
  short: "Becomes {text}",
  noShort: "No match. The URL is pasted unchanged.",
  noReverse: "Fill in the reverse template first.",
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

/** Maximum number of matches that are described. */
const MAX_FOUND = 20;

/** A part of the sample: a link, or the text between two links. */
export interface PreviewPiece {
  readonly text: string;
  /** Target of the link; null for plain text. */
  readonly url: string | null;
  /** Whether the edited linkifier makes the link. */
  readonly isTried: boolean;
}

/** A match of the edited linkifier. */
export interface PreviewMatch {
  readonly text: string;
  readonly url: string;
  readonly groups: readonly { readonly name: string; readonly value: string }[];
  /** Sentence about the linkifier that takes the match instead; null for none. */
  readonly lost: string | null;
}

/** Preview of an edited linkifier as plain data with all sentences; only problems where values are too long. */
export interface LinkifierPreviewView {
  readonly pieces?: readonly PreviewPiece[];
  /** Number of matches as text; empty while it is unknown. */
  readonly summary?: string;
  readonly found?: readonly PreviewMatch[];
  /** Number of matches that are not described, as text; null for none. */
  readonly more?: string | null;
  /** Problems that prevent saving. */
  readonly problems: readonly string[];
  /** Names of the fields with problems. */
  readonly invalidFields: readonly string[];
  /** Reverse expansion of the pasted address; null without one. */
  readonly reverse?: string | null;
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

/** Previews a linkifier at its position among the others; null while it has no pattern. */
export async function previewForEditor(
  request: AdminRequest,
  { id, fields, sample, address }: TriedLinkifier,
): Promise<LinkifierPreviewView | null> {
  const { chat, realm, t } = request;
  if (fields.pattern === "") return null;
  const tooLong = tooLongFields(request, fields);
  if (Object.keys(tooLong).length > 0) {
    return { problems: Object.values(tooLong), invalidFields: Object.keys(tooLong) };
  }
  const { all } = await readLinkifierSet(chat, realm.id);
  const others = all.filter(({ record }) => record.id !== id);
  const at = all.findIndex(({ record }) => record.id === id);
  const text = Array.from(sample || (fields.example_input ?? "")).slice(0, MAX_TEMPLATE).join("");
  const { links, candidateLinks: tried } = previewLinkifier(fields, text, {
    others,
    position: at < 0 ? others.length : at,
  });
  const problems = findLinkifierProblems(fields, others.map(({ record }) => record));
  // A field that is still empty is not a problem yet.
  const current = problems.filter(({ field }) => field === "pattern" || fields.url_template !== "");
  const isReadable = fields.url_template !== "" &&
    !problems.some(({ field }) => field === "pattern" || field === "url_template");
  const found = tried.slice(0, MAX_FOUND).map(({ start, end, url, groups, overriddenBy }) => ({
    text: text.slice(start, end),
    url,
    groups: [...groups].map(([name, value]) => ({ name, value })),
    lost: overriddenBy === null ? null : t(texts.lost, { pattern: overriddenBy.pattern }),
  }));
  const rest = tried.length - found.length;
  return {
    pieces: cutIntoPieces(text, links),
    summary: !isReadable || text === ""
      ? ""
      : tried.length === 0
      ? t(texts.nothingFound)
      : t(LINKIFIER_TEXTS.placesFound, { count: tried.length }),
    found,
    more: rest === 0 ? null : t(texts.more, { count: rest }),
    problems: current.map(({ message }) => message),
    invalidFields: current.map(({ field }) => field),
    reverse: reverseOf(request, fields, address.trim()),
  };
}

/** Cuts a text into its links and the texts between them; links of the edited linkifier have none that is stored. */
export function cutIntoPieces(text: string, links: readonly PreviewLink[]): PreviewPiece[] {
  const pieces: PreviewPiece[] = [];
  let at = 0;
  const plain = (end: number) => {
    if (end > at) pieces.push({ text: text.slice(at, end), url: null, isTried: false });
  };
  for (const { start, end, url, linkifier: owner } of links) {
    plain(start);
    pieces.push({ text: text.slice(start, end), url, isTried: owner === null });
    at = end;
  }
  plain(text.length);
  return pieces;
}

function reverseOf(
  { t }: AdminRequest,
  fields: LinkifierFields,
  address: string,
): string | null {
  if (address === "") return null;
  if (fields.reverse_template === null) return t(texts.noReverse);
  const text = reverseLinkifier(fields, address);
  return text === null ? t(texts.noShort) : t(texts.short, { text });
}
