import type { UploadRecord } from "@/lib/chat/files/model.ts";
import type { Recipient } from "@/lib/chat/messages/model.ts";
import { dayOf } from "@/lib/core/days.ts";
import { type Key, readCount, toValue } from "@/lib/store/key.ts";
import type { Kv } from "@/lib/store/kv.ts";
import type { Tx } from "@/lib/store/transact.ts";

/** Kinds of messages by their recipients: channels by privacy, conversations by their number of participants. */
export const MESSAGE_KINDS = ["public", "private", "direct", "group"] as const;
export type MessageKind = typeof MESSAGE_KINDS[number];

export const FILE_KINDS = ["image", "video", "audio", "document", "other"] as const;
export type FileKind = typeof FILE_KINDS[number];

/** Steps of joining: new accounts, invited addresses, and accounts by an invitation or by a link. */
export const JOINING_STEPS = ["joined", "invited", "accepted", "linked"] as const;
type JoiningStep = typeof JOINING_STEPS[number];

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

export function messageKindOf(recipient: Recipient): MessageKind {
  if (recipient.kind === "channel") return recipient.channel.invite_only ? "private" : "public";
  return recipient.conversation.user_ids.length > MAX_ONE_TO_ONE ? "group" : "direct";
}

/** Content types of documents besides texts. */
const DOCUMENTS =
  /^application\/(pdf|rtf|msword|epub\+zip|vnd\.(ms-(excel|powerpoint|word)|openxmlformats-|oasis\.opendocument\.))/;

export function fileKindOf(contentType: string): FileKind {
  const [family = ""] = contentType.split("/");
  if (family === "image" || family === "video" || family === "audio") return family;
  return family === "text" || DOCUMENTS.test(contentType) ? "document" : "other";
}

/** An organization and the time of what is counted, in milliseconds since 1970 UTC. */
interface CountedAt {
  readonly realmId: number;
  readonly now: number;
}

/** Counts a message in the transaction that stores it. Later changes of the message do not change the sums. */
export function countMessage(tx: Tx, { realmId, now }: CountedAt, recipient: Recipient): void {
  const day = dayOf(now);
  tx.sum(statisticsKeys.day(realmId, "messages", { day, part: messageKindOf(recipient) }), 1n);
  if (recipient.kind !== "channel") return;
  tx.sum(statisticsKeys.day(realmId, "channel_messages", { day, part: recipient.channel.id }), 1n);
}

/** Counts people in the transaction in which they are invited or join. */
export function countJoining(
  tx: Tx,
  { realmId, now }: CountedAt,
  { step, count = 1 }: { step: JoiningStep; count?: number },
): void {
  tx.sum(statisticsKeys.day(realmId, "joining", { day: dayOf(now), part: step }), BigInt(count));
}

type StoredFile = Pick<UploadRecord, "content_type" | "size">;

/** Counts the bytes of a file in the transaction that creates the upload. */
export function countStoredFile(
  tx: Tx,
  { realmId, now }: CountedAt,
  { content_type, size }: StoredFile,
): void {
  const kind = fileKindOf(content_type);
  tx.sum(statisticsKeys.day(realmId, "bytes_added", { day: dayOf(now), part: kind }), BigInt(size));
  tx.sum(statisticsKeys.storage(realmId, kind), BigInt(size));
}

/** Counts the bytes of a file in the transaction that removes the upload. */
export function countRemovedFile(
  tx: Tx,
  { realmId, now }: CountedAt,
  { content_type, size }: StoredFile,
): void {
  const kind = fileKindOf(content_type);
  tx.sum(statisticsKeys.day(realmId, "bytes_removed", { day: dayOf(now), part: kind }), BigInt(size));
  tx.sum(statisticsKeys.storage(realmId, kind), -BigInt(size));
}

/** Days since 1970 UTC, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

interface DaySum<M extends Measure> {
  readonly day: number;
  readonly part: DaySums[M];
  readonly count: number;
}

/** Rows that are read from the store at once. */
const BATCH = 500;

/** Yields the sums of a measure, newest day first; days and parts without a sum are missing. */
export async function* listDaySums<M extends Measure>(
  kv: Kv,
  { realmId, measure }: { readonly realmId: number; readonly measure: M },
  { from, to }: DayRange,
): AsyncGenerator<DaySum<M>> {
  const prefix = statisticsKeys.days(realmId, measure);
  const range = { start: [...prefix, from], end: [...prefix, to + 1] };
  for await (const { key, value } of kv.list<Deno.KvU64>(range, { batchSize: BATCH, reverse: true })) {
    const [day, part] = key.slice(-2);
    yield { day: Number(day), part: toValue<DaySums[M]>(part), count: Number(value.value) };
  }
}

/** Reads the size of the stored files of each kind, in bytes. */
export async function readStorage(kv: Kv, realmId: number): Promise<Readonly<Record<FileKind, number>>> {
  const sizes = await Promise.all(
    FILE_KINDS.map((kind) => readCount(kv, statisticsKeys.storage(realmId, kind))),
  );
  const [image = 0, video = 0, audio = 0, document = 0, other = 0] = sizes.map(Number);
  return { image, video, audio, document, other };
}
