import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { uploadKeys, uploadLock, type UploadRecord } from "./model.ts";
import { deleteRemovedBlob, removeUpload } from "./remove_upload.ts";
import { listReferences } from "./store.ts";

/** Maximum number of attachment references that are read. */
const MAX_REFERENCES = 500;

/**
 * Deletes a file that the caller uploaded. Links to it in messages stay and no longer work.
 * @throws AppError BAD_REQUEST if the file does not exist or belongs to another user.
 */
export async function deleteAttachment(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<void> {
  const realmId = realm.id;
  const removed = await transact(app.store, async (tx) => {
    // A message that links the file meanwhile changes this value, and the transaction is retried.
    await tx.get(uploadKeys.referencedAt(realmId, id));
    const upload = await tx.get<UploadRecord>(uploadKeys.upload(realmId, id));
    if (upload === null || upload.owner_id !== actingUser.id) {
      throw new AppError("BAD_REQUEST", "Invalid attachment");
    }
    const references = await listReferences(app, realmId, { id, limit: MAX_REFERENCES });
    return await removeUpload(app, tx, { realmId, upload, references });
  }, uploadLock(realmId));
  await afterCommit(() => deleteRemovedBlob(app, removed));
}
