import { createChatApp } from "@/lib/chat/create_app.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { readConfig } from "@/lib/config.ts";
import { openSottoStore } from "@/lib/kv/sotto_store.ts";
import { createRealm } from "@/lib/chat/organizations/create.ts";
import { sendMessage } from "@/lib/chat/messages/send.ts";
import { addUser } from "@/lib/chat/users/add.ts";
import { transact } from "@/lib/kv/transact.ts";
import { channelKeys } from "@/lib/chat/channels/channel.ts";
import { deviceKeys } from "@/lib/chat/devices/device.ts";
import { createNotifier } from "@/lib/chat/notifications/notifier.ts";
import { newKeys } from "@/tests/api/chat/bouncer_cast.ts";
const dir = await Deno.makeTempDir({ dir: "data" });
const store = await openSottoStore(`${dir}/x.kv`);
const keys = await newKeys();
const app = createChatApp({ store, clock: systemClock, config: readConfig({ PUSH_BOUNCER_KEYS: JSON.stringify([keys]) }), passwords: createPasswordHasher({ logN: 4, r: 1, p: 1 }), secretKey: new Uint8Array(32), pokeMailer: () => {} });
const { realm, owner } = await createRealm(app, { name: "x", subdomain: "", ownerEmail: "a@b.example", ownerName: "O", ownerPassword: "a quiet garden wall" });
const { createSealer } = await import("@/lib/core/seal.ts");
const sealed = await createSealer(app.secretKey, "push keys").seal(new Uint8Array(33).fill(0x31).toBase64());
const channel = { id: 1, name: "c", description: "", creator_id: owner.id, date_created: 0, invite_only: false, is_web_public: false, history_public_to_subscribers: true, message_retention_days: null, folder_id: null, is_archived: false, topics_policy: "inherit", permissions: {} };
const users: any[] = [owner];
for (let i = 0; i < 3000; i++) users.push(await transact(store, (tx) => addUser(app, tx, { realm, user: { deliveryEmail: `u${i}@x.example`, fullName: `U ${i}`, role: 400, passwordHash: null } as any })));
const kv = store.kv;
await kv.set([...channelKeys.channel(realm.id, 1)], channel);
await kv.set([...channelKeys.byName(realm.id, "c")], 1);
let n = 0;
for (const u of users) {
  const a = kv.atomic();
  a.set([...channelKeys.subscription(realm.id, u.id, 1)], { is_active: true, color: "#aabbcc", is_muted: false, pin_to_top: false, desktop_notifications: null, audible_notifications: null, push_notifications: null, email_notifications: null, wildcard_mentions_notify: null, periods: [{ from: 0, to: null }] });
  a.set([...channelKeys.subscriber(realm.id, 1, u.id)], true);
  if (n++ % 3 === 0) a.set([...deviceKeys.device(realm.id, u.id, 1)], { id: 1, created_at: 0, push_key_id: 1, push_key: sealed, push_token_id: "t" + u.id, token_kind: "fcm", token_updated_at: 0, pending: null, error_code: null });
  await a.commit();
}
await kv.set([...deviceKeys.reachable(realm.id)], 1000);
let taken = 0;
const notifier = createNotifier({ app, courier: { take: (_r, q) => { taken += q.length; return Promise.resolve({ delivered: q.map((x) => x.token_id), gone: [], failed: [] }); } }, report: console.log });
const base = (wild: boolean) => ({ content: "hello", html: "<p>hello</p>", mentions: { user_ids: [], group_ids: [], is_stream_wildcard: wild, is_topic_wildcard: false }, has_link: false, has_image: false, has_attachment: false, is_me_message: false, upload_ids: [] });
const send = (wild: boolean) => sendMessage(app, { realm, sender: owner, target: { kind: "channel", channel: 1, topic: "t" }, prepared: base(wild) as any, client: "x" });
for (const wild of [false, false, true, true]) {
  await send(wild);
  const t = performance.now(); await notifier.drain();
  console.log({ wild, ms: Math.round(performance.now() - t), taken });
}
for (let i = 0; i < 20; i++) await send(false);
const t = performance.now(); await notifier.drain(); console.log("20 plain", Math.round(performance.now() - t));
store[Symbol.dispose]?.(); await Deno.remove(dir, { recursive: true });
