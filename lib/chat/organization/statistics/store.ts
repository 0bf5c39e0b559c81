import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import type { UploadRecord } from "@/lib/chat/organization/files/model.ts";
import { dayOf } from "@/lib/core/clock.ts";
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

/** Part of a message's destination that statistics count. */
type CountedRecipient =
  | { readonly kind: "channel"; readonly channel: { readonly id: number; readonly invite_only: boolean } }
  | { readonly kind: "direct"; readonly conversation: { readonly user_ids: readonly number[] } };

export function messageKindOf(recipient: CountedRecipient): MessageKind {
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

/** An organization and the time of a counted record, in milliseconds since 1970 UTC. */
interface CountedAt {
  readonly realmId: number;
  readonly now: number;
}

/** Counts a message in the transaction that stores it. Later changes of the message do not change the sums. */
export function countMessage(tx: Tx, { realmId, now }: CountedAt, recipient: CountedRecipient): void {
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

/** Maximum number of sums that are read, newest first: about the days of 650 active channels in a month. */
const MAX_SUMS = 20_000;
/** Size of a sum in the cache, in UTF-16 units. */
const SUM_SIZE = 20;

type CountingApp = Pick<ChatApp, "store" | "reads" | "cache">;

/** Messages that were sent to channels in some days. */
export interface RankedChannels {
  /** Most messages first. */
  readonly ranked: readonly (readonly [id: number, count: number])[];
  /** First day that is counted, if it is after the start of the days; otherwise null. */
  readonly since: number | null;
}

/** Days whose sums are read side by side. */
const DAYS_AT_ONCE = 31;

/**
 * Counts the messages that were sent to each channel of an organization in some days. Where there are more sums than
 * are read, the newest days count, and only whole ones. The counts stay in memory, where those of a day are read
 * again when its number of messages has changed, which the commit of each message increments.
 */
export async function rankChannels(
  app: CountingApp,
  realmId: number,
  { from, to, max = MAX_SUMS }: DayRange & { readonly max?: number },
): Promise<RankedChannels> {
  const head = await app.reads.read<number>(channelKeys.messageHead) ?? 0;
  const name = `channel counts ${realmId} ${to - from} ${max}`;
  return await app.cache.get(name, [head, from, to], async () => {
    const totals = await readTotals(app, realmId, { from, to });
    const sums: DaySum<"channel_messages">[] = [];
    for (const days of chunk([...totals], DAYS_AT_ONCE)) {
      const read = await Promise.all(days.map(([day, total]) => readDay(app, realmId, { day, total })));
      sums.push(...read.flat());
      if (sums.length > max) break;
    }
    const left = sums[max];
    const counted = left === undefined ? sums : sums.slice(0, max).filter(({ day }) => day > left.day);
    const counts = new Map<number, number>();
    for (const { part, count } of counted) counts.set(part, (counts.get(part) ?? 0) + count);
    const ranked = [...counts].sort(([, one], [, other]) => other - one);
    const isFull = counted.length === max;
    const since = left === undefined ? null : isFull ? counted.at(-1)?.day ?? null : left.day + 1;
    return { ranked, since, size: SUM_SIZE * (ranked.length + 1) };
  });
}

/** Reads the number of messages to channels of each day, newest first; days without messages are missing. */
async function readTotals(
  { store }: CountingApp,
  realmId: number,
  range: DayRange,
): Promise<ReadonlyMap<number, number>> {
  const totals = new Map<number, number>();
  for await (const { day, part, count } of listDaySums(store.kv, { realmId, measure: "messages" }, range)) {
    if (part === "public" || part === "private") totals.set(day, (totals.get(day) ?? 0) + count);
  }
  return totals;
}

/** Returns the sums of a day by channel, read when its number of messages was `total` or more. */
async function readDay(
  { store, cache }: CountingApp,
  realmId: number,
  { day, total }: { day: number; total: number },
): Promise<readonly DaySum<"channel_messages">[]> {
  const { sums } = await cache.get(`channel counts ${realmId} of ${day}`, [total], async () => {
    const of = { realmId, measure: "channel_messages" } as const;
    const sums = await Array.fromAsync(listDaySums(store.kv, of, { from: day, to: day }));
    return { sums, size: SUM_SIZE * (sums.length + 1) };
  });
  return sums;
}
