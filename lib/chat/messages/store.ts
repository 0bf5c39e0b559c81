import { listValues } from "@/lib/store/reads.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { channelKeys } from "../organization/channels/model/channel.ts";
import type { SubscriptionPeriod } from "../channels/subscriptions/model.ts";
import { messageKeys, type MessageRecord } from "./model.ts";
import { IntervalSet } from "@/lib/core/interval_set.ts";

/** Combined length of content and HTML that fits into one record, in UTF-16 units. */
const MAX_INLINE_UNITS = 28_000;
/** Length of one piece of HTML that is stored outside the record, in UTF-16 units. */
const PIECE_UNITS = 28_000;
/** Upper bound of the number of pieces of one message's HTML. */
const MAX_PIECES = 12;

/** The period that covers all messages. */
export const ALL_TIME: readonly SubscriptionPeriod[] = [{ from: 0, to: null }];

/** Reads a message without checking access; null when it does not exist. */
export async function readMessage(app: ChatApp, realmId: number, id: number): Promise<MessageRecord | null> {
  return Number.isSafeInteger(id) ? await app.reads.read(messageKeys.message(realmId, id)) : null;
}

/**
 * Counts a change or deletion of a message in its commit, so that no process uses a cached one. Every write of a
 * message but its first one, and of its rows in the indexes by location and sender, must call this.
 */
export function countMessageChange(tx: Tx, realmId: number): void {
  tx.sum(messageKeys.changes(realmId), 1n);
}

/**
 * Reads the number of changes and deletions of messages, and the greatest id: every message up to it was sent before.
 */
export async function readMessagesVersion(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
): Promise<{ readonly changes: number; readonly head: number }> {
  const [changes, head] = await Promise.all([
    reads.read<Deno.KvU64>(messageKeys.changes(realmId)),
    reads.read<number>(channelKeys.messageHead),
  ]);
  return { changes: Number(changes?.value ?? 0n), head: head ?? 0 };
}

/** Reads the HTML of a message, from its record or from its pieces. */
export async function readRenderedContent(
  app: ChatApp,
  realmId: number,
  message: MessageRecord,
): Promise<string> {
  return message.rendered ?? await readHtmlPieces(app, messageKeys.rendered(realmId, message.id));
}

export async function readHtmlPieces({ store }: Pick<ChatApp, "store">, prefix: Key): Promise<string> {
  return (await listValues<string>(store.kv, prefix)).join("");
}

/** Returns the HTML to store in the record, or null when it is too large and must be stored in pieces. */
export function toInlineHtml({ content, html }: { content: string; html: string }): string | null {
  return content.length + html.length <= MAX_INLINE_UNITS ? html : null;
}

/** Writes HTML in pieces and returns their number. */
export function writeHtmlPieces(tx: Tx, key: Key, text: string): number {
  let piece = 0;
  for (let at = 0; at < text.length; at += PIECE_UNITS) {
    tx.set([...key, piece++], text.slice(at, at + PIECE_UNITS));
  }
  return piece;
}

/** Deletes the pieces of a message's HTML from number `from` on. */
export function deleteHtmlPieces(tx: Tx, key: Key, from: number): void {
  for (let piece = from; piece < MAX_PIECES; piece++) tx.delete([...key, piece]);
}

/** Returns the number of keys that replacing a message's HTML writes at most. */
export function countHtmlWrites(): number {
  return 2 * MAX_PIECES;
}

/** Finds the newest id of an index of messages within ascending periods; null when there is none. */
export async function findNewestId(
  { store }: Pick<ChatApp, "store">,
  prefix: Key,
  periods: readonly SubscriptionPeriod[] = ALL_TIME,
): Promise<number | null> {
  for (const { from, to } of periods.toReversed()) {
    const selector = { start: [...prefix, from], end: [...prefix, (to ?? Number.MAX_SAFE_INTEGER - 1) + 1] };
    for await (const { key } of store.kv.list(selector, { reverse: true, limit: 1 })) {
      const id = key.at(-1);
      if (typeof id === "number") return id;
    }
  }
  return null;
}

/** Parses a stored id set; empty when none is stored. */
export function parseIdSet(stored: Uint8Array | null): IntervalSet {
  return stored === null ? IntervalSet.empty : IntervalSet.parse(stored);
}

/** Updates a stored id set; writes nothing when it does not change. Returns whether it changed. */
export async function updateIdSet(
  tx: Tx,
  key: Key,
  change: (set: IntervalSet) => IntervalSet,
): Promise<boolean> {
  const before = parseIdSet(await tx.get<Uint8Array>(key));
  const after = change(before);
  if (after.equals(before)) return false;
  if (after.isEmpty) tx.delete(key);
  else tx.set(key, after.serialize());
  return true;
}
