import type { ChatApp } from "@/lib/chat/app.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { readUserList } from "@/lib/chat/users/store.ts";
import { appendMembers, JsonList } from "@/lib/core/json_list.ts";
import { toChannelTexts } from "../api/channel_texts.ts";
import { readChannelList } from "../store.ts";
import { appendSubscribers } from "./api/subscriber_texts.ts";
import { toSubscriptionSettings } from "./api/view.ts";
import { listActiveSubscriptions } from "./store.ts";

/**
 * Lists the unarchived channels that the caller is subscribed to, by id, with their subscribers on request.
 */
export async function listUnarchivedSubscriptions(
  app: ChatApp,
  { realm, actingUser }: Caller,
  subscribers: "true" | "false" | "partial",
): Promise<JsonList> {
  const permissions = await peekPermissionContext(app, realm);
  const records = await listActiveSubscriptions(app, realm.id, actingUser.id);
  const { byId } = await readChannelList(app, realm.id);
  const shown = Array.from(records, ([id, record]) => ({ record, channel: byId.get(id) }))
    .flatMap(({ record, channel }) => channel?.is_archived === false ? [{ record, channel }] : []);
  const texts = await toChannelTexts(app, permissions, shown.map(({ channel }) => channel));
  const own = shown.map(({ record, channel: { id } }, at) => {
    return { id, text: appendMembers(texts[at] ?? "{}", toSubscriptionSettings(record)) };
  });
  if (subscribers === "false") return new JsonList(own.map(({ text }) => text));
  const users = await readUserList(app, realm.id);
  const isPartial = subscribers === "partial";
  return new JsonList(await appendSubscribers(app, { realmId: realm.id, users, isPartial }, own));
}

/** Lists the ids of an organization's active users. */
export async function listActiveUserIds(app: ChatApp, realmId: number): Promise<ReadonlySet<number>> {
  return (await readUserList(app, realmId)).activeIds;
}
