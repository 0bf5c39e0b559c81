import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { toAttachment, uploadKeys, type UploadRecord } from "./model.ts";
import { listReferences } from "./store.ts";

/** Maximum number of message ids listed for one file. */
const MAX_MESSAGES = 100;
/** Number of files that are read concurrently. */
const PARALLEL = 100;

/** Returns the files that the caller uploaded, oldest first, and the organization's used space in bytes. */
export async function listAttachments(app: ChatApp, { realm, actingUser }: Caller) {
  const { id: realmId } = realm;
  const prefix = [...uploadKeys.ofOwner(realmId, actingUser.id)];
  const ids: number[] = [];
  for await (const { key } of app.store.kv.list({ prefix }, { batchSize: 500 })) ids.push(Number(key.at(-1)));
  const attachments = [];
  for (let at = 0; at < ids.length; at += PARALLEL) {
    const some = ids.slice(at, at + PARALLEL).map((id) => readAttachment(app, realmId, id));
    attachments.push(...(await Promise.all(some)).filter((attachment) => attachment !== null));
  }
  const used = await app.reads.read<number>(uploadKeys.spaceUsed(realmId)) ?? 0;
  return { attachments, upload_space_used: used };
}

async function readAttachment(app: ChatApp, realmId: number, id: number) {
  const [upload, messageIds] = await Promise.all([
    app.reads.read<UploadRecord>(uploadKeys.upload(realmId, id)),
    listReferences(app, realmId, { id, limit: MAX_MESSAGES }),
  ]);
  return upload === null ? null : toAttachment(upload, messageIds);
}
