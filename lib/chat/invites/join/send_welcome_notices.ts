import { sendNotice, sendUserNotices, silentMention } from "@/lib/chat/announcements.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { readRealm } from "@/lib/chat/organizations/store.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { readRecord } from "@/lib/store/key.ts";
import { inviteKeys, type InviteOffer, type PendingJoinRecord } from "../model.ts";

/** Sends a new user the welcome text and, if requested, notifies the inviter. */
export async function sendWelcomeNotices(
  app: ChatApp,
  { realm_id, user_id, inviter_id, offer_id }: PendingJoinRecord,
): Promise<void> {
  const { kv } = app.store;
  const [realm, offer, user] = await Promise.all([
    readRealm(app, realm_id),
    readRecord<InviteOffer>(kv, inviteKeys.offer(realm_id, offer_id)),
    readUser(app, realm_id, user_id),
  ]);
  if (realm === null || offer === null || user === null || !user.is_active) return;
  const text = offer.welcome_message_custom_text ?? realm.settings.welcome_message_custom_text;
  if (text.trim() !== "") {
    await sendNotice(app, realm, { target: { kind: "direct", userIds: [user.id] }, text });
  }
  const inviter = offer.notify_referrer_on_join ? await readUser(app, realm.id, inviter_id) : null;
  if (inviter === null) return;
  const notice = `${silentMention(user)} accepted your invitation to join **${realm.name}**.`;
  await sendUserNotices(app, { realm, actingUser: user }, { users: [inviter], text: notice });
}
