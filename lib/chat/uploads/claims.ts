import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { uploadKeys, type UploadRecord } from "./upload.ts";
import { toAttachment } from "./view.ts";

/** A message, the uploads that it links from now on, and those that it linked before; by their ids. */
export interface Claiming {
  readonly realmId: number;
  readonly messageId: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/**
 * Notes which uploads a message links. What is linked no more is looked at again after some weeks: it may be linked
 * elsewhere. Three writes for each upload that changes.
 */
export function changeClaims(tx: Tx, { realmId, messageId, before, after, now }: Claiming): void {
  for (const id of after) {
    if (before.includes(id)) continue;
    tx.set(uploadKeys.claim(realmId, id, messageId), true);
    tx.set(uploadKeys.claimedAt(realmId, id), now);
  }
  for (const id of before) {
    if (after.includes(id)) continue;
    tx.delete(uploadKeys.claim(realmId, id, messageId));
    tx.set(uploadKeys.unclaimedSince(now, realmId, id), true);
  }
}

/** Messages that an event names for one file. */
const MAX_MESSAGES = 100;
/** Files of one message whose owners are told; no message links more. */
const MAX_TOLD = 50;

/**
 * Tells the owners of uploads that a message links from now on, or links no more, which messages do; in the commit that
 * changes the claims. Of two messages that link one file at the same moment, each event may leave the other out.
 */
export async function tellOfClaims(
  { store }: Pick<ChatApp, "store">,
  tx: Tx,
  { realmId, messageId, before, after, now }: Claiming,
): Promise<void> {
  const changed = [...new Set(before).symmetricDifference(new Set(after))].slice(0, MAX_TOLD);
  if (changed.length === 0) return;
  const used = await tx.peek<number>(uploadKeys.spaceUsed(realmId)) ?? 0;
  for (const id of changed) {
    const upload = await tx.peek<UploadRecord>(uploadKeys.upload(realmId, id));
    if (upload === null) continue;
    const others = (await listClaims({ store }, realmId, { id, limit: MAX_MESSAGES }))
      .filter((other) => other !== messageId);
    // Ids ascend, and a message that is edited may be older than others.
    const ids = after.includes(id) ? [...others, messageId].sort((one, two) => one - two) : others;
    const attachment = toAttachment(upload, ids.slice(0, MAX_MESSAGES));
    const event = { type: "attachment", op: "update", attachment, upload_space_used: used };
    sendEvent(tx, { realmId, now }, { event, audience: [upload.owner_id] });
  }
}

/** The ids of the messages that link an upload, ascending. */
export async function listClaims(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { id, limit }: { id: number; limit: number },
): Promise<readonly number[]> {
  const ids: number[] = [];
  const listing = store.kv.list({ prefix: [...uploadKeys.claims(realmId, id)] }, { limit });
  for await (const { key } of listing) ids.push(Number(key.at(-1)));
  return ids;
}

/** The uploads among some ids that are still there, as a transaction sees them: a message links no others. */
export async function stillThere(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  const found = await Promise.all(ids.map((id) => tx.get<UploadRecord>(uploadKeys.upload(realmId, id))));
  return found.filter((upload) => upload !== null).map(({ id }) => id);
}
