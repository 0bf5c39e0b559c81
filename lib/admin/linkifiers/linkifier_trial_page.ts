import type { LinkifierFields } from "@/lib/chat/linkifiers/model/linkifier.ts";
import { findLinkifierProblems } from "@/lib/chat/linkifiers/model/validate_linkifier.ts";
import { readLinkifierSet } from "@/lib/chat/linkifiers/store.ts";
import {
  type LinkableMessage,
  MAX_TRIED_MESSAGES,
  tryLinkifier,
} from "@/lib/chat/linkifiers/try_linkifier.ts";
import { type Directory, readDirectory } from "@/lib/chat/users/store.ts";
import type { AdminPageSpec } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import {
  type LinkifierFormValues,
  toFormValues,
  toLinkifierFields,
  tooLongFields,
} from "./linkifier_form.ts";
import { cutIntoPieces, type PreviewPiece } from "./linkifier_preview.ts";

/** Characters of a message that are shown around its links. */
const CONTEXT = 80;

/** A message in which the linkifier would make links. */
export interface ShownTrialMessage {
  readonly id: number;
  readonly channel: { readonly id: number; readonly name: string };
  readonly topic: string;
  readonly sender: string;
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  /** The text around the first links. */
  readonly pieces: readonly PreviewPiece[];
  /** Number of links in the message. */
  readonly count: number;
}

/** Data of the page that tries a linkifier on recent messages. */
export interface LinkifierTrialData {
  /** Null for a linkifier that is new. */
  readonly id: number | null;
  readonly values: LinkifierFormValues;
  /** By field; those of no single field as `form`. With any, nothing is searched. */
  readonly problems: Readonly<Record<string, string>>;
  /** Null without a linkifier to try. */
  readonly result: {
    readonly messages: readonly ShownTrialMessage[];
    readonly searched: number;
    readonly isComplete: boolean;
  } | null;
  /** The editor with the same values. */
  readonly editPath: string;
  /** Number of messages that are searched at most. */
  readonly limit: number;
}

/** The page that tries a linkifier, stored or not, on recent messages of public channels. */
export const linkifierTrialPage: AdminPageSpec<LinkifierTrialData> = { load: loadTrial };

async function loadTrial(request: AdminRequest): Promise<LinkifierTrialData> {
  const { chat, realm, query } = request;
  const { all } = await readLinkifierSet(chat, realm.id);
  const position = all.findIndex(({ record }) => String(record.id) === query.get("linkifier"));
  const id = all[position]?.record.id ?? null;
  const others = all.filter(({ record }) => record.id !== id);
  const fields = toLinkifierFields((name) => query.get(name) ?? "");
  const tooLong = tooLongFields(request, fields);
  // Values that are too long take too long to look for further problems in.
  const problems = Object.keys(tooLong).length > 0
    ? tooLong
    : findProblems(fields, others.map(({ record }) => record));
  const isTried = fields.pattern !== "" && Object.keys(problems).length === 0;
  const trial = { fields, others, position: position < 0 ? others.length : position };
  return {
    id,
    values: toFormValues(fields),
    problems: fields.pattern === "" ? {} : problems,
    result: isTried ? await search(request, trial) : null,
    editPath: toEditPath(id, toFormValues(fields)),
    limit: MAX_TRIED_MESSAGES,
  };
}

/** Returns the problems of the fields that make links, by field; those of no single field as `form`. */
function findProblems(
  fields: LinkifierFields,
  others: Parameters<typeof findLinkifierProblems>[1],
): Readonly<Record<string, string>> {
  const tried = { ...fields, example_input: null, reverse_template: null, alternative_url_templates: [] };
  const problems = findLinkifierProblems(tried, others);
  return Object.fromEntries(
    problems.map(({ field, message }) => [field === "__all__" ? "form" : field, message]),
  );
}

async function search(
  request: AdminRequest,
  trial: Parameters<typeof tryLinkifier>[2],
): Promise<LinkifierTrialData["result"]> {
  const { services, chat, caller, realm, user } = request;
  await services.limiter?.consume("linkifier_trial", `${realm.id} ${user.id}`);
  const [{ found, searched, isComplete }, directory] = await Promise.all([
    tryLinkifier(chat, caller, trial),
    readDirectory(chat, realm.id),
  ]);
  return { messages: found.map((one) => toShown(request, directory, one)), searched, isComplete };
}

function toShown(
  { messages: { audit: text } }: AdminRequest,
  { byId }: Directory,
  { message, channel, links }: LinkableMessage,
): ShownTrialMessage {
  return {
    id: message.id,
    channel: { id: channel.id, name: channel.name },
    topic: message.topic,
    sender: byId.get(message.sender_id)?.full_name ?? text.formerUser,
    time: message.sent_at,
    pieces: toExcerpt(message.content, links),
    count: links.length,
  };
}

/** Returns the text around the first links, without halves of surrogate pairs. */
function toExcerpt(content: string, links: LinkableMessage["links"]): readonly PreviewPiece[] {
  const [first] = links;
  if (first === undefined) return [];
  const start = Math.max(0, first.start - CONTEXT);
  const end = Math.min(content.length, first.end + CONTEXT);
  const own = links.filter((link) => link.end <= end)
    .map((link) => ({ ...link, start: link.start - start, end: link.end - start, linkifier: null }));
  const pieces = cutIntoPieces(content.slice(start, end).toWellFormed(), own);
  const dots = (isCut: boolean) => isCut ? [{ text: "…", url: null, isTried: false }] : [];
  return [...dots(start > 0), ...pieces, ...dots(end < content.length)];
}

function toEditPath(id: number | null, values: LinkifierFormValues): string {
  const path = `/admin/linkifiers/${id ?? "new"}`;
  return values.pattern === "" ? path : `${path}?${new URLSearchParams({ action: "preview", ...values })}`;
}
