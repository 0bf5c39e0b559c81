import type { Key } from "@/lib/store/key.ts";
import type { Recipient } from "../messages/model.ts";

/** Kinds of messages by their recipients: channels by privacy, conversations by their number of participants. */
export const MESSAGE_KINDS = ["public", "private", "direct", "group"] as const;
/** Kind of a message. */
export type MessageKind = typeof MESSAGE_KINDS[number];

/** Kinds of uploaded files. */
export const FILE_KINDS = ["image", "video", "audio", "document", "other"] as const;
/** Kind of an uploaded file. */
export type FileKind = typeof FILE_KINDS[number];

/**
 * Steps of joining: new accounts of people, addresses invited by email, and accounts by such an invitation or by a
 * reusable link.
 */
export const JOINING_STEPS = ["joined", "invited", "accepted", "linked"] as const;
/** Step of joining. */
export type JoiningStep = typeof JOINING_STEPS[number];

/** Measures with sums by day, and the parts of each: messages by kind and by channel id, bytes by kind of file. */
export interface DaySums {
  readonly messages: MessageKind;
  readonly channel_messages: number;
  readonly joining: JoiningStep;
  readonly bytes_added: FileKind;
  readonly bytes_removed: FileKind;
}

/** Name of a measure with sums by day. */
export type Measure = keyof DaySums;

/** Keys of the statistics of an organization; all values are sums. */
export const statisticsKeys = {
  days: (realmId: number, measure: Measure): Key => [realmId, "day_sum", measure],
  day: <M extends Measure>(realmId: number, measure: M, at: { day: number; part: DaySums[M] }): Key => [
    realmId,
    "day_sum",
    measure,
    at.day,
    at.part,
  ],
  /** Size of the stored files of a kind, in bytes. */
  storage: (realmId: number, kind: FileKind): Key => [realmId, "storage_sum", kind],
};

/** Maximum number of participants of a one-to-one conversation; a conversation with oneself has one. */
const MAX_ONE_TO_ONE = 2;

/** Returns the kind of a message to a recipient. */
export function messageKindOf(recipient: Recipient): MessageKind {
  if (recipient.kind === "channel") return recipient.channel.invite_only ? "private" : "public";
  return recipient.conversation.user_ids.length > MAX_ONE_TO_ONE ? "group" : "direct";
}

/** Content types of documents besides texts. */
const DOCUMENTS =
  /^application\/(pdf|rtf|msword|epub\+zip|vnd\.(ms-(excel|powerpoint|word)|openxmlformats-|oasis\.opendocument\.))/;

/** Returns the kind of a file by its content type. */
export function fileKindOf(contentType: string): FileKind {
  const [family = ""] = contentType.split("/");
  if (family === "image" || family === "video" || family === "audio") return family;
  return family === "text" || DOCUMENTS.test(contentType) ? "document" : "other";
}
