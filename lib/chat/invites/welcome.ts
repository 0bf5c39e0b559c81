import { mention, tell, tellPeople } from "../announcements/announce.ts";
import type { ChatApp } from "../app.ts";
import { readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import type { OpenInvite } from "./open_invite.ts";

/** Sends a newcomer the words of welcome, and tells the inviter if that was asked for. */
export async function welcome(
  app: ChatApp,
  { opened, user }: { opened: OpenInvite; user: UserRecord },
): Promise<void> {
  const { world: { realm }, offer, inviter } = opened;
  const text = offer.welcome_message_custom_text ?? realm.settings.welcome_message_custom_text;
  if (text.trim() !== "") {
    await tell(app, realm, { target: { kind: "direct", userIds: [user.id] }, text });
  }
  const referrer = offer.notify_referrer_on_join ? await readUser(app, realm.id, inviter.id) : null;
  if (referrer === null) return;
  const news = `${mention(user)} accepted your invitation to join **${realm.name}**.`;
  await tellPeople(app, { realm, actingUser: user }, { people: [referrer], text: news });
}
