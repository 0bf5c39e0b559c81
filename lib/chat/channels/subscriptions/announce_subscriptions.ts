import { formatChannelLink, sendUserNotices, silentMention } from "@/lib/chat/announcements.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { type Caller, isBot } from "@/lib/chat/users/model.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { MAX_ANNOUNCED_SUBSCRIBERS, type SubscribeResult } from "./model.ts";

/**
 * Sends each user whom the caller subscribed to channels a direct message that names them; returns false, without
 * sending any, for too many users and for none.
 */
export async function announceSubscriptions(
  app: ChatApp,
  caller: Caller,
  results: readonly SubscribeResult[],
): Promise<boolean> {
  const { realm, actingUser } = caller;
  const added = results.filter(({ isNew, userId }) => isNew && userId !== actingUser.id);
  const byUser = Map.groupBy(added, ({ userId }) => userId);
  if (byUser.size > MAX_ANNOUNCED_SUBSCRIBERS) return false;
  const users = (await Promise.all([...byUser.keys()].map((id) => readUser(app, realm.id, id))))
    .filter((user) => user !== null && !isBot(user));
  for (const user of users) {
    if (user === null) continue;
    const names = (byUser.get(user.id) ?? []).map(({ channel }) => formatChannelLink(channel));
    const text = `${silentMention(actingUser)} subscribed you to ${names.join(", ")}.`;
    await sendUserNotices(app, caller, { users: [user], text });
  }
  return users.length > 0;
}
