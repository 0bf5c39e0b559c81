import type { ChatApp } from "@/lib/chat/app.ts";
import { createChannel } from "@/lib/chat/channels/create_channel.ts";
import { createInvites } from "@/lib/chat/invites/email/create_invites.ts";
import type { CreatedRealm } from "@/lib/chat/organizations/create_realm.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import { createChannelParams } from "@/lib/chat/channels/api/params.ts";
import { addUser } from "@/lib/chat/permissions/add_user.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { transact } from "@/lib/kv/transact.ts";
import { loadMember, makeLoadRealm, OWNER_EMAIL } from "./load_realm.ts";

const PEOPLE = 10_000;
const CHANNELS = 1000;
const INVITATIONS = 10_000;
/** People that one commit adds. */
const AT_ONCE = 20;

/** The owner's way in. */
export const OWNER = { email: OWNER_EMAIL, password: "violet kettle seldom 42" };

/** Fills a store with an organization as large as any: people, channels, open invitations. */
export async function seedOrganization(path: string): Promise<void> {
  using store = await openSottoStore(path);
  const { app, created } = await makeLoadRealm(store, OWNER.password);
  await addPeople(app, created);
  for (let number = 0; number < CHANNELS; number++) await addChannel(app, created, number);
  for (let at = 0; at < INVITATIONS; at += 5000) await invite(app, created, at);
}

async function addPeople(app: ChatApp, { realm }: CreatedRealm): Promise<void> {
  for (let from = 0; from < PEOPLE; from += AT_ONCE) {
    await transact(app.store, async (tx) => {
      for (let number = from; number < from + AT_ONCE; number++) {
        await addUser(app, tx, { realm, user: loadMember(number) });
      }
    });
  }
}

async function addChannel(app: ChatApp, { realm, owner }: CreatedRealm, number: number): Promise<void> {
  const sent = new Map([["name", `channel ${number}`], ["subscribers", "[]"], [
    "description",
    "What it is for",
  ]]);
  const { values } = readParams(createChannelParams, sent);
  await createChannel(app, { realm, actingUser: owner }, values);
}

async function invite(app: ChatApp, { realm, owner }: CreatedRealm, from: number): Promise<void> {
  const addresses = Array.from({ length: 5000 }, (_, at) => `invited${from + at}@example.org`);
  await createInvites(app, { realm, actingUser: owner }, {
    invitee_emails: addresses.join(","),
    invite_expires_in_minutes: 14_400,
    invite_as: 400,
    stream_ids: [],
    group_ids: [],
    include_realm_default_subscriptions: false,
    notify_referrer_on_join: true,
    welcome_message_custom_text: undefined,
  });
}
