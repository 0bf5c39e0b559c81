import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/app.ts";
import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { listSubscriberIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { isReadByMuting, type MutedUsersRecord, readMutedUsers } from "@/lib/chat/muted_users.ts";
import { canAccessUser, type PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { readSetting } from "@/lib/chat/user_settings/store.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { getVisibleMessage } from "../access.ts";
import { type MessageReader, type VisibleMessage, wasReceived } from "../model.ts";
import { isMarkedRead } from "./store/read_marks.ts";

/** Number of receivers whose read state is looked up; about ten reads of the store each. */
const MAX_RECEIVERS = 5000;
/** Receivers that are looked up in parallel. */
const PARALLEL = 100;

/**
 * Lists the ids of the users who have read a message, ascending, without its sender. Users who turned off read
 * receipts, those who muted the viewer or are muted by them, and those whom the viewer cannot access are left
 * out.
 * @throws AppError BAD_REQUEST for a message that the viewer cannot see, and when the organization turned off
 * read receipts.
 */
export async function listReaders(
  app: ChatApp,
  { realm, user: viewer }: MessageReader,
  messageId: number,
): Promise<readonly number[]> {
  const permissions = await peekPermissionContext(app, realm);
  const visible = await getVisibleMessage(app, permissions, { id: messageId, user: viewer });
  if (!permissions.realm.settings.enable_read_receipts) {
    throw new AppError("BAD_REQUEST", "Read receipts are disabled in this organization.");
  }
  const mutedByViewer = await readMutedUsers(app, realm.id, viewer.id);
  const receiverIds = (await listReceiverIds(app, realm.id, visible))
    .filter((id) => id !== visible.message.sender_id && !isMuted(mutedByViewer, id));
  const readers: number[] = [];
  for (const ids of chunk(receiverIds.slice(0, MAX_RECEIVERS), PARALLEL)) {
    const isReader = await Promise.all(
      ids.map((id) => isVisibleReader(app, permissions, { visible, viewer, id })),
    );
    readers.push(...ids.filter((_, at) => isReader[at]));
    await yieldToEventLoop();
  }
  return readers;
}

/** Lists the users who may have received a message, ascending: subscribers of its channel, or participants. */
async function listReceiverIds(
  app: ChatApp,
  realmId: number,
  { channel, conversation }: VisibleMessage,
): Promise<readonly number[]> {
  return channel === null ? conversation?.user_ids ?? [] : await listSubscriberIds(app, realmId, channel.id);
}

/** Returns whether a user has read a message and lets the viewer know. */
async function isVisibleReader(
  app: ChatApp,
  permissions: PermissionContext,
  { visible: { message, channel }, viewer, id }: { visible: VisibleMessage; viewer: UserRecord; id: number },
): Promise<boolean> {
  const { id: realmId } = permissions.realm;
  const [user, subscription, muted] = await Promise.all([
    readUser(app, realmId, id),
    channel === null
      ? null
      : app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, id, channel.id)),
    readMutedUsers(app, realmId, id),
  ]);
  if (user === null || !user.is_active || !canAccessUser(permissions, viewer, user)) return false;
  if (channel !== null && !wasReceived(subscription, message.id)) return false;
  // A message that counts as read because its sender is muted would reveal the muting.
  if (isMuted(muted, viewer.id) || isReadByMuting(muted, message)) return false;
  if (await readSetting(app, { realmId, userId: id }, "send_read_receipts") !== true) return false;
  return await isMarkedRead(app, realmId, { message, userId: id });
}

function isMuted({ muted }: MutedUsersRecord, id: number): boolean {
  return muted.some(([userId]) => userId === id);
}
