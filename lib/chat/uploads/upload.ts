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
  /** When a message last linked an upload: whoever removes what nothing links checks it. */
  claimedAt: (realmId: number, uploadId: number): Key => [realmId, "upload_claimed_at", uploadId],
  /** Uploads that may be linked by nothing, by when that began. */
  unclaimed: ["upload_unclaimed"],
  unclaimedSince: (
    since: number,
    realmId: number,
    id: number,
  ): Key => ["upload_unclaimed", since, realmId, id],
  /** Chunks of a file's bytes. */
  blob: (realmId: number, blob: string): Key => [realmId, "upload_chunk", blob],
  /** A resumable upload that is not whole yet, or was just finished. */
  resumable: (realmId: number, id: string): Key => [realmId, "resumable", id],
  /** The resumable uploads of an account. */
  resumablesOf: (realmId: number, ownerId: number): Key => [realmId, "resumable_of", ownerId],
  /** Bytes of all uploads of an organization: a number that is checked, as the quota must hold. */
  spaceUsed: (realmId: number): Key => [realmId, "upload_space"],
} as const;

/** Bytes in a MiB. */
export const MIB = 1024 * 1024;

/** The line in which changes of what an organization stores wait for each other within this process. */
export function uploadQueue(realmId: number): string {
  return `uploads ${realmId}`;
}
