import type { MessageRecord } from "@/lib/chat/messages/model.ts";
import {
  type PendingBlob,
  pendingKeys,
  type ReservationRecord,
  uploadKeys,
  type UploadRecord,
} from "@/lib/chat/organization/files/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { CHUNK_BYTES } from "@/lib/store/blob.ts";
import { type Key, readRecord, toEntry } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";
import { BATCH, compareIndex, type Complain, indexBelow } from "@/lib/chat/organization/check_index.ts";

/** Chunks read at a time; each may hold 60 KiB. */
const CHUNKS_AT_ONCE = 10;

/**
 * Compares an organization's files with their indexes and counters: paths, owners, space used, referring
 * messages and bytes.
 */
export async function checkUploads(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const uploads = await listValues<UploadRecord>(kv, uploadKeys.uploads(realmId));
  compareIndex(complain, "paths of files", {
    wanted: uploads.map(({ path_id, id }) => [path_id, id]),
    found: await indexBelow(kv, [realmId, "upload_by_path"]),
  });
  compareIndex(complain, "files of accounts", {
    wanted: uploads.map(({ owner_id, id }) => [`${owner_id} ${id}`, true]),
    found: await indexBelow(kv, [realmId, "upload_of"]),
  });
  const used = uploads.reduce((sum, { size }) => sum + size, 0);
  const counted = await readRecord<number>(kv, uploadKeys.spaceUsed(realmId)) ?? 0;
  if (counted !== used) {
    complain(`the counted size of all files is ${counted} bytes; their size is ${used}.`);
  }
  await checkReservations(kv, realmId, complain);
  await checkClaims(kv, realmId, { uploads, complain });
  await checkChunks(kv, realmId, { uploads, complain });
}

/** The reserved space must be that of the reservations, or it would be reserved for ever. */
async function checkReservations(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  let reserved = 0;
  for await (const entry of kv.list({ prefix: [...uploadKeys.reservations] }, { batchSize: 500 })) {
    const { key, value } = toEntry<ReservationRecord>(entry);
    if (key[2] === realmId) reserved += value.bytes;
  }
  const counted = await readRecord<number>(kv, uploadKeys.spaceReserved(realmId)) ?? 0;
  if (counted !== reserved) {
    complain(
      `the space reserved by unfinished uploads is counted as ${counted}; they reserve ${reserved} bytes.`,
    );
  }
}

interface Checked {
  readonly uploads: readonly UploadRecord[];
  readonly complain: Complain;
}

/** A message may name files that were removed since; every other reference must be mutual. */
async function checkClaims(kv: Kv, realmId: number, { uploads, complain }: Checked): Promise<void> {
  const known = new Set(uploads.map(({ id }) => id));
  const wanted: [string, unknown][] = [];
  const linked = new Set<number>();
  const prefix = [realmId, "message"];
  for await (const entry of kv.list({ prefix }, { batchSize: BATCH })) {
    const { id: messageId, upload_ids = [] } = toEntry<MessageRecord>(entry).value;
    for (const id of upload_ids.filter((upload_id) => known.has(upload_id))) {
      linked.add(id);
      wanted.push([`${id} ${messageId}`, true]);
    }
  }
  const found = await indexBelow(kv, [realmId, "upload_claim"]);
  compareIndex(complain, "messages that link files", { wanted, found });
  await checkUnclaimed(kv, realmId, { uploads: uploads.filter(({ id }) => !linked.has(id)), complain });
}

/** A file without references must be due for a sweep, or it would stay for ever. */
async function checkUnclaimed(kv: Kv, realmId: number, { uploads, complain }: Checked): Promise<void> {
  const watched = new Set<number>();
  for await (const { key } of kv.list({ prefix: [...uploadKeys.unreferenced] }, { batchSize: 500 })) {
    if (key[2] === realmId) watched.add(Number(key[3]));
  }
  for (const { id } of uploads) {
    if (!watched.has(id)) complain(`file ${id} is not linked and not queued for removal.`);
  }
}

async function checkChunks(kv: Kv, realmId: number, { uploads, complain }: Checked): Promise<void> {
  const wanted = new Map(
    uploads.flatMap(({ id, blob, size, image }) =>
      [{ blob, size }, ...(image?.thumbnail === undefined ? [] : [image.thumbnail])].map((bytes) =>
        [bytes.blob, { size: bytes.size, id }] as const
      )
    ),
  );
  const pending = await listPending(kv, realmId);
  const found = await sizesBelow(kv, [realmId, "upload_chunk"]);
  for (const [blob, { size, id }] of wanted) {
    const { bytes, isInOrder } = found.get(blob) ?? { bytes: 0, isInOrder: true };
    if (bytes !== size) complain(`file ${id} has a size of ${size} bytes; ${bytes} are stored.`);
    else if (!isInOrder) complain(`the stored bytes of file ${id} are not in order.`);
  }
  for (const blob of found.keys()) {
    if (!wanted.has(blob) && !pending.has(blob)) complain(`the stored bytes ${blob} have no file.`);
  }
}

/** Returns the names of the blobs of an organization that are being stored or removed. */
export async function listPending(kv: Kv, realmId: number): Promise<ReadonlySet<string>> {
  const pending = await listValues<PendingBlob>(kv, pendingKeys.pending);
  return new Set(pending.filter(({ realm_id }) => realm_id === realmId).map(({ blob }) => blob));
}

/** Returns the size of each blob below a key, and whether every chunk but its last is full. */
export async function sizesBelow(
  kv: Kv,
  prefix: Key,
): Promise<ReadonlyMap<string, { bytes: number; isInOrder: boolean }>> {
  const sizes = new Map<string, { bytes: number; isInOrder: boolean }>();
  for await (const entry of kv.list({ prefix: [...prefix] }, { batchSize: CHUNKS_AT_ONCE })) {
    const { key, value } = toEntry<Uint8Array>(entry);
    const before = sizes.get(String(key[2])) ?? { bytes: 0, isInOrder: true };
    const isInOrder = before.isInOrder && key[3] === before.bytes / CHUNK_BYTES;
    sizes.set(String(key[2]), { bytes: before.bytes + value.length, isInOrder });
  }
  return sizes;
}
