import type { Key } from "@/lib/kv/key.ts";

/**
 * A file that somebody uploaded; written when all of its bytes are stored, so that an interrupted upload leaves nothing
 * that is seen.
 */
export interface UploadRecord {
  readonly id: number;
  readonly owner_id: number;
  /** What follows `/user_uploads/` in its address: the organization's id, two random parts, the cleaned name. */
  readonly path_id: string;
  /** The name that it was sent with, without folders; shown, never part of a path. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly content_type: string;
  /** Names the stored bytes. */
  readonly blob: string;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
}

/** Where uploads lie in the store. */
export const uploadKeys = {
  uploads: (realmId: number): Key => [realmId, "upload"],
  upload: (realmId: number, id: number): Key => [realmId, "upload", id],
  /** The id of the upload with a path. */
  byPath: (realmId: number, pathId: string): Key => [realmId, "upload_by_path", pathId],
  /** Uploads of one account, by id. */
  ofOwner: (realmId: number, ownerId: number): Key => [realmId, "upload_of", ownerId],
  /** The messages that link an upload, by id: there from when its text links it until that changes. */
  claims: (realmId: number, uploadId: number): Key => [realmId, "upload_claim", uploadId],
  claim: (realmId: number, uploadId: number, messageId: number): Key => [
    realmId,
    "upload_claim",
    uploadId,
    messageId,
  ],
  /** The uploads that a message links: the same the other way round. */
  claimedBy: (realmId: number, messageId: number): Key => [realmId, "message_upload", messageId],
  /** Uploads that no message links, by when they came: they are removed after some weeks. */
  unclaimed: (
    createdAt: number,
    realmId: number,
    id: number,
  ): Key => ["upload_unclaimed", createdAt, realmId, id],
  /** Chunks of a file's bytes. */
  blob: (realmId: number, blob: string): Key => [realmId, "upload_chunk", blob],
  /** Bytes of all uploads of an organization: a number that is checked, as the quota must hold. */
  spaceUsed: (realmId: number): Key => [realmId, "upload_space"],
  /** Blobs that are being written, by when that began: what of them is old is left over from an interruption. */
  pending: (
    startedAt: number,
    realmId: number,
    blob: string,
  ): Key => ["upload_pending", startedAt, realmId, blob],
} as const;

/** Bytes in a MiB. */
export const MIB = 1024 * 1024;
