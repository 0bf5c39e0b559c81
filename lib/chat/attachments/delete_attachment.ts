import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { dropRemoved, removeUpload } from "../uploads/remove_upload.ts";
import { listClaims } from "../uploads/claims.ts";
import { uploadKeys, uploadQueue, type UploadRecord } from "../uploads/upload.ts";
import type { Caller } from "../users/caller.ts";

/** Messages whose link to a file is forgotten with it. */
const MAX_CLAIMS = 500;

/**
 * Removes a file that its caller uploaded; messages that link it then lead nowhere.
 * @throws AppError BAD_REQUEST for somebody else's, and for none.
 */
export async function deleteAttachment(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<void> {
  const realmId = realm.id;
  const removed = await transact(app.store, async (tx) => {
    await tx.get(uploadKeys.claimedAt(realmId, id));
    const upload = await tx.get<UploadRecord>(uploadKeys.upload(realmId, id));
    if (upload === null || upload.owner_id !== actingUser.id) {
      throw new AppError("BAD_REQUEST", "Invalid attachment");
    }
    const claims = await listClaims(app, realmId, { id, limit: MAX_CLAIMS });
    return await removeUpload(app, tx, { realmId, upload, claims });
  }, uploadQueue(realmId));
  await dropRemoved(app, removed);
}
