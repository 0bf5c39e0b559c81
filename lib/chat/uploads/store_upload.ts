import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { writeBlob } from "@/lib/kv/blob.ts";
import { abandonPending, notePending, type PendingBlob, pendingKeys } from "@/lib/kv/pending_blob.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { emit } from "../events/emit.ts";
import type { Caller } from "../users/caller.ts";
import { contentTypeOf, withCharset } from "./content_type.ts";
import { cleanName, shownName } from "./file_name.ts";
import { MIB, uploadKeys, uploadQueue, type UploadRecord } from "./upload.ts";
import { toAttachment } from "./view.ts";

/** A file as it comes. */
export interface SentFile {
  /** As the client wrote it; empty where it wrote none. */
  readonly name: string;
  readonly contentType: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Bytes that are stored and still have no record. */
export interface StoredBlob {
  readonly pending: PendingBlob;
  readonly size: number;
  /** The first bytes, which tell what a text is written in. */
  readonly start: Uint8Array;
}

/** Bytes that are kept to look at. */
const START_BYTES = 4096;

/** The refusal of a file that is too large. */
export function tooLarge({ config }: Pick<ChatApp, "config">): AppError {
  const limit = config.uploadMaxMib;
  return new AppError(
    "BAD_REQUEST",
    `File is larger than this server's configured maximum upload size (${limit} MiB).`,
  );
}

/** A name for a file's bytes that are to be stored, noted so that an interruption leaves nothing for ever. */
export function beginBlob(app: ChatApp, realmId: number): Promise<PendingBlob> {
  return notePending(app.store, { realmId, now: app.clock.now() });
}

/**
 * Stores a file's bytes as they come, in memory never more than some chunks of them.
 * @throws AppError BAD_REQUEST when there are more than the server takes: then none are kept.
 */
export async function storeBytes(
  app: ChatApp,
  realmId: number,
  content: SentFile["content"],
): Promise<StoredBlob> {
  const pending = await beginBlob(app, realmId);
  const start = new Start();
  try {
    const limit = app.config.uploadMaxMib * MIB;
    const bounded = bound(content, { limit, start, refuse: () => tooLarge(app) });
    const size = await writeBlob(app.store, uploadKeys.blob(realmId, pending.blob), bounded);
    return { pending, size, start: start.bytes() };
  } catch (error) {
    await abandonPending(app.store, pending);
    throw error;
  }
}

/**
 * Makes an upload of stored bytes, with a path that nobody can guess, and tells its owner.
 * @throws AppError REALM_UPLOAD_QUOTA when the organization has no room for it: then its bytes are removed.
 */
export async function keepUpload(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { stored, file }: { stored: StoredBlob; file: Pick<SentFile, "name" | "contentType"> },
): Promise<UploadRecord> {
  const name = shownName(file.name);
  const about = {
    owner_id: actingUser.id,
    path_id: newPathId(realm.id, name),
    name,
    size: stored.size,
    content_type: withCharset(contentTypeOf(file.contentType, name), stored.start),
    blob: stored.pending.blob,
    created_at: app.clock.now(),
  };
  try {
    return await transact(app.store, async (tx) => {
      const used = await useSpace(app, tx, { realmId: realm.id, bytes: stored.size });
      const upload = { id: await tx.nextId("upload"), ...about };
      writeUpload(tx, realm.id, upload);
      tx.delete(pendingKeys.pendingSince(stored.pending));
      const event = {
        type: "attachment",
        op: "add",
        attachment: toAttachment(upload, []),
        upload_space_used: used,
      };
      emit(tx, { realmId: realm.id, now: about.created_at }, { event, audience: [actingUser.id] });
      return upload;
    }, uploadQueue(realm.id));
  } catch (error) {
    if (error instanceof AppError) await abandonPending(app.store, stored.pending);
    throw error;
  }
}

/**
 * The bytes that the organization uses with these, which are counted from now on; fewer where `bytes` is below 0.
 * @throws AppError REALM_UPLOAD_QUOTA.
 */
export async function useSpace(
  app: Pick<ChatApp, "config">,
  tx: Tx,
  space: { readonly realmId: number; readonly bytes: number },
): Promise<number> {
  const used = await requireSpace(app, tx, space);
  tx.set(uploadKeys.spaceUsed(space.realmId), used);
  return used;
}

/**
 * The bytes that the organization would use with these.
 * @throws AppError REALM_UPLOAD_QUOTA.
 */
export async function requireSpace(
  { config }: Pick<ChatApp, "config">,
  tx: Tx,
  { realmId, bytes }: { readonly realmId: number; readonly bytes: number },
): Promise<number> {
  const used = (await tx.get<number>(uploadKeys.spaceUsed(realmId)) ?? 0) + bytes;
  const quota = config.uploadQuotaMib * MIB;
  if (bytes > 0 && quota > 0 && used > quota) {
    throw new AppError("REALM_UPLOAD_QUOTA", "Upload would exceed your organization's upload quota.");
  }
  return used;
}

function writeUpload(tx: Tx, realmId: number, upload: UploadRecord): void {
  tx.set(uploadKeys.upload(realmId, upload.id), upload);
  tx.set(uploadKeys.byPath(realmId, upload.path_id), upload.id);
  tx.set([...uploadKeys.ofOwner(realmId, upload.owner_id), upload.id], true);
  tx.set(uploadKeys.unclaimedSince(upload.created_at, realmId, upload.id), true);
}

/** 144 random bits; the first part spreads files over folders where they are kept as such. */
function newPathId(realmId: number, name: string): string {
  const random = crypto.getRandomValues(new Uint8Array(19));
  const folder = toHex(random.subarray(0, 1)).replace(/^0/, "");
  return `${realmId}/${folder}/${random.subarray(1).toBase64({ alphabet: "base64url" })}/${cleanName(name)}`;
}

/** The first bytes of what passes by. */
class Start {
  private readonly pieces: Uint8Array[] = [];
  private size = 0;

  note(piece: Uint8Array): void {
    if (this.size >= START_BYTES) return;
    const kept = piece.slice(0, START_BYTES - this.size);
    this.pieces.push(kept);
    this.size += kept.length;
  }

  bytes(): Uint8Array {
    const whole = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
}

async function* bound(
  content: AsyncIterable<Uint8Array>,
  { limit, start, refuse }: { limit: number; start: Start; refuse: () => AppError },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > limit) throw refuse();
    start.note(piece);
    yield piece;
  }
}
