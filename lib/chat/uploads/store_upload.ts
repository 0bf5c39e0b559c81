import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { writeBlob } from "@/lib/kv/blob.ts";
import { abandonPending, notePending, type PendingBlob, settlePending } from "@/lib/kv/pending_blob.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import type { Caller } from "../users/caller.ts";
import { contentTypeOf, withCharset } from "./content_type.ts";
import { cleanName, shownName } from "./file_name.ts";
import { useSpace } from "./space.ts";
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

/** Bytes that become an upload, and what they were sent as. */
export interface Keeping {
  readonly stored: StoredBlob;
  readonly file: Pick<SentFile, "name" | "contentType">;
  /** Writes what else is in the commit. */
  readonly note?: (tx: Tx, upload: UploadRecord) => void;
}

/**
 * Makes an upload of stored bytes, with a path that nobody can guess, and tells its owner.
 * @throws AppError REALM_UPLOAD_QUOTA when the organization has no room for it: then its bytes are removed; NOT_FOUND for
 * bytes that are an upload already, or were removed because they waited for too long.
 */
export async function keepUpload(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { stored, file, note }: Keeping,
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
      await settlePending(tx, stored.pending);
      const used = await useSpace(app, tx, { realmId: realm.id, bytes: stored.size });
      const upload = { id: await tx.nextId("upload"), ...about };
      writeUpload(tx, realm.id, upload);
      note?.(tx, upload);
      const event = {
        type: "attachment",
        op: "add",
        attachment: toAttachment(upload, []),
        upload_space_used: used,
      };
      sendEvent(tx, { realmId: realm.id, now: about.created_at }, { event, audience: [actingUser.id] });
      return upload;
    }, uploadQueue(realm.id));
  } catch (error) {
    if (error instanceof AppError) await abandonPending(app.store, stored.pending);
    throw error;
  }
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
