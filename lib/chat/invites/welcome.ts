import { readRecord } from "@/lib/kv/key.ts";
import { mention, tell, tellPeople } from "../announcements/announce.ts";
import type { ChatApp } from "../app.ts";
import { realmKeys, type RealmRecord } from "../realm/realm.ts";
import { readUser } from "../users/store.ts";
import { inviteKeys, type InviteOffer } from "./invite.ts";

/** A newcomer, and by whose offer he came. */
export interface Welcomed {
  readonly realm_id: number;
  readonly user_id: number;
  readonly inviter_id: number;
  readonly offer_id: number;
}

/** Sends a newcomer the words of welcome, and tells the inviter if that was asked for. */
export async function welcome(
  app: ChatApp,
  { realm_id, user_id, inviter_id, offer_id }: Welcomed,
): Promise<void> {
  const { kv } = app.store;
  const [realm, offer, user] = await Promise.all([
    readRecord<RealmRecord>(kv, realmKeys.realm(realm_id)),
    readRecord<InviteOffer>(kv, inviteKeys.offer(realm_id, offer_id)),
    readUser(app, realm_id, user_id),
  ]);
  if (realm === null || offer === null || user === null || !user.is_active) return;
  const text = offer.welcome_message_custom_text ?? realm.settings.welcome_message_custom_text;
  if (text.trim() !== "") {
    await tell(app, realm, { target: { kind: "direct", userIds: [user.id] }, text });
  }
  const referrer = offer.notify_referrer_on_join ? await readUser(app, realm.id, inviter_id) : null;
  if (referrer === null) return;
  const news = `${mention(user)} accepted your invitation to join **${realm.name}**.`;
  await tellPeople(app, { realm, actingUser: user }, { people: [referrer], text: news });
}
