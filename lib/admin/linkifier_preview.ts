import type { LinkifierFields } from "@/lib/chat/linkifiers/linkifier.ts";
import { MAX_TEMPLATE } from "@/lib/chat/linkifiers/linkifier.ts";
import { type OrderedLink, previewInOrder, type TriedLink } from "@/lib/chat/linkifiers/preview_in_order.ts";
import { findProblems } from "@/lib/chat/linkifiers/check_linkifier.ts";
import { readLinkifiers } from "@/lib/chat/linkifiers/read_linkifiers.ts";
import { reverseLinkifier } from "@/lib/chat/linkifiers/reverse_linkifier.ts";
import type { AdminRequest } from "./admin_request.ts";
import { tooLongFields } from "./linkifier_form.ts";

/** Places that are described one by one. */
const MAX_FOUND = 20;

/** A part of the sample: a link, or the text between two. */
export interface PreviewPiece {
  readonly text: string;
  /** Where it leads; null for plain text. */
  readonly url: string | null;
  /** Whether it is the link of the linkifier that is tried. */
  readonly isTried: boolean;
}

/** A place that the tried linkifier finds. */
export interface PreviewMatch {
  readonly text: string;
  readonly url: string;
  readonly groups: readonly { readonly name: string; readonly value: string }[];
  /** Which linkifier makes another link there, in a sentence; null where none does. */
  readonly lost: string | null;
}

/** What the editor shows of a linkifier that is being written; plain data, with every sentence said. */
export interface LinkifierPreviewView {
  readonly pieces: readonly PreviewPiece[];
  /** How much is found; empty while that cannot be told. */
  readonly summary: string;
  readonly found: readonly PreviewMatch[];
  /** How many places are not described; null for none. */
  readonly more: string | null;
  /** What keeps it from being saved. */
  readonly problems: readonly string[];
  /** What the pasted address becomes; null without one. */
  readonly reverse: string | null;
}

/** A linkifier that is being written, and what it is tried on. */
export interface TriedLinkifier {
  /** Null for one that is new. */
  readonly id: number | null;
  readonly fields: LinkifierFields;
  /** The example takes its place where it is empty. */
  readonly sample: string;
  /** An address to go back from. */
  readonly address: string;
}

/** What a linkifier would do in its place among the others; null while it has no pattern. */
export async function previewForEditor(
  request: AdminRequest,
  { id, fields, sample, address }: TriedLinkifier,
): Promise<LinkifierPreviewView | null> {
  const { chat, realm, words, speech } = request;
  if (fields.pattern === "") return null;
  const tooLong = Object.values(tooLongFields(request, fields));
  if (tooLong.length > 0) return { ...NOTHING, problems: tooLong };
  const { all } = await readLinkifiers(chat, realm.id);
  const others = all.filter(({ record }) => record.id !== id);
  const at = all.findIndex(({ record }) => record.id === id);
  const text = Array.from(sample || (fields.example_input ?? "")).slice(0, MAX_TEMPLATE).join("");
  const { links, tried } = previewInOrder(fields, text, { others, place: at < 0 ? others.length : at });
  const problems = findProblems(fields, others.map(({ record }) => record));
  const isReadable = fields.url_template !== "" &&
    !problems.some(({ field }) => field === "pattern" || field === "url_template");
  const found = tried.slice(0, MAX_FOUND).map((link) => toMatch(request, text, link));
  const rest = tried.length - found.length;
  return {
    pieces: cut(text, links),
    summary: !isReadable || text === ""
      ? ""
      : tried.length === 0
      ? words.linkifiers.nothingFound
      : speech.say(words.linkifiers.placesFound, { count: tried.length }),
    found,
    more: rest === 0 ? null : speech.say(words.linkifiers.more, { count: rest }),
    // What is not filled in yet is not wrong yet.
    problems: problems.filter(({ field }) => field === "pattern" || fields.url_template !== "")
      .map(({ message }) => message),
    reverse: reverseOf(request, fields, address.trim()),
  };
}

const NOTHING: LinkifierPreviewView = {
  pieces: [],
  summary: "",
  found: [],
  more: null,
  problems: [],
  reverse: null,
};

function toMatch({ words, speech }: AdminRequest, text: string, link: TriedLink): PreviewMatch {
  return {
    text: text.slice(link.start, link.end),
    url: link.url,
    groups: [...link.groups].map(([name, value]) => ({ name, value })),
    lost: link.winner === null ? null : speech.say(words.linkifiers.lost, { pattern: link.winner.pattern }),
  };
}

function cut(text: string, links: readonly OrderedLink[]): PreviewPiece[] {
  const pieces: PreviewPiece[] = [];
  let at = 0;
  const plain = (end: number) => {
    if (end > at) pieces.push({ text: text.slice(at, end), url: null, isTried: false });
  };
  for (const { start, end, url, owner } of links) {
    plain(start);
    pieces.push({ text: text.slice(start, end), url, isTried: owner === null });
    at = end;
  }
  plain(text.length);
  return pieces;
}

function reverseOf(
  { words, speech }: AdminRequest,
  fields: LinkifierFields,
  address: string,
): string | null {
  if (address === "") return null;
  if (fields.reverse_template === null) return words.linkifiers.noReverse;
  const text = reverseLinkifier(fields, address);
  return text === null ? words.linkifiers.noShort : speech.say(words.linkifiers.short, { text });
}
