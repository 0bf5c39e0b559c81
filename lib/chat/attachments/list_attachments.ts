import type { ChatApp } from "../app.ts";
import { listClaims } from "../uploads/claims.ts";
import { uploadKeys, type UploadRecord } from "../uploads/upload.ts";
import { toAttachment } from "../uploads/view.ts";
import type { Caller } from "../users/caller.ts";

/** Messages that a list names for one file. */
const MAX_MESSAGES = 100;

/** The files that somebody uploaded, the oldest first, and the bytes that his organization uses. */
export async function listAttachments(app: ChatApp, { realm, actingUser }: Caller) {
  const { id: realmId } = realm;
  const prefix = [...uploadKeys.ofOwner(realmId, actingUser.id)];
  const ids: number[] = [];
  for await (const { key } of app.store.kv.list({ prefix }, { batchSize: 500 })) ids.push(Number(key.at(-1)));
  const attachments = await Promise.all(ids.map(async (id) => {
    const [upload, claims] = await Promise.all([
      app.reads.read<UploadRecord>(uploadKeys.upload(realmId, id)),
      listClaims(app, realmId, { id, limit: MAX_MESSAGES }),
    ]);
    return upload === null ? null : toAttachment(upload, claims);
  }));
  const used = await app.reads.read<number>(uploadKeys.spaceUsed(realmId)) ?? 0;
  return { attachments: attachments.filter((one) => one !== null), upload_space_used: used };
}
