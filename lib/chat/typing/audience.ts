import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { readSetting } from "../user_settings/store.ts";
import type { UserRecord } from "../users/model.ts";
import { readUser } from "../users/store.ts";

/** Maximum number of subscribers of a channel in which typing notifications are sent. */
export const MAX_SUBSCRIBERS = 100;

/** Settings that turn a user's own typing notifications off. */
const PRIVACY_SETTINGS = {
  "direct messages": "send_private_typing_notifications",
  "channel messages": "send_stream_typing_notifications",
} as const;

/** A user who types, and their organization. */
export interface TypingUser {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/**
 * Refuses a user who has turned off typing notifications for a type of message.
 * @throws AppError BAD_REQUEST.
 */
export async function requireTypingNotifications(
  app: ChatApp,
  { realm, user }: TypingUser,
  messageType: keyof typeof PRIVACY_SETTINGS,
): Promise<void> {
  const owner = { realmId: realm.id, userId: user.id };
  if (await readSetting(app, owner, PRIVACY_SETTINGS[messageType]) !== false) return;
  throw new AppError("BAD_REQUEST", `User has disabled typing notifications for ${messageType}`);
}

/** Lists the active users among the given ones who want to receive typing notifications. */
export async function listInterestedUsers(
  app: ChatApp,
  realm: RealmRecord,
  userIds: readonly number[],
): Promise<number[]> {
  const interested = await Promise.all(userIds.map(async (id) => {
    const user = await readUser(app, realm.id, id);
    if (user === null || !user.is_active) return [];
    const owner = { realmId: realm.id, userId: id };
    return await readSetting(app, owner, "receives_typing_notifications") === false ? [] : [id];
  }));
  return interested.flat();
}
