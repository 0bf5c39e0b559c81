import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { isOpenToWeb } from "../channels/access.ts";
import { channelKeys, type ChannelRecord } from "../channels/channel.ts";
import { readMessage } from "../messages/access.ts";
import { mayReadUpload, readUploadByPath } from "../messages/linked_uploads.ts";
import { peekGroupWorld } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { listClaims } from "../uploads/claims.ts";
import type { UploadRecord } from "../uploads/upload.ts";
import type { UserRecord } from "../users/user.ts";

/** Messages that are looked at for one that strangers may read. */
const MAX_LOOKS = 200;

/** Who asks for a file; null is somebody without an account. */
export interface FileViewer {
  readonly realm: RealmRecord;
  readonly user: UserRecord | null;
}

/**
 * A file for somebody who may have it.
 * @throws AppError NOT_FOUND; UNAUTHORIZED for strangers, UNAUTHORIZED_PRINCIPAL with status 403 for others.
 */
export async function openFile(
  app: ChatApp,
  { realm, user }: FileViewer,
  pathId: string,
): Promise<UploadRecord> {
  const upload = await readUploadByPath(app, realm.id, pathId);
  if (user === null) {
    if (upload !== null && await isOpenToStrangers(app, realm, upload)) return upload;
    throw new AppError("UNAUTHORIZED", "Not logged in: API authentication or user session required");
  }
  if (upload === null) {
    throw new AppError("NOT_FOUND", "This file does not exist or has been deleted.");
  }
  const world = await peekGroupWorld(app, realm);
  if (await mayReadUpload(app, world, { upload, user })) return upload;
  throw new AppError("UNAUTHORIZED_PRINCIPAL", "You are not authorized to view this file.", { status: 403 });
}

async function isOpenToStrangers(app: ChatApp, realm: RealmRecord, { id }: UploadRecord): Promise<boolean> {
  for (const messageId of await listClaims(app, realm.id, { id, limit: MAX_LOOKS })) {
    const message = await readMessage(app, realm.id, messageId);
    if (message === null || message.channel_id === null) continue;
    const channel = await app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, message.channel_id));
    if (channel !== null && isOpenToWeb(app, realm, channel)) return true;
  }
  return false;
}
