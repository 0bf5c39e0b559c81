import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { createInvites } from "@/lib/chat/joining/invites/create_invites.ts";
import type { CreatedRealm } from "@/lib/chat/people/users/create_realm.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { addChannel, addPeople } from "@/tests/seeding/seed_people.ts";
import { loadMember, makeLoadRealm, OWNER_EMAIL } from "./load_realm.ts";

const PEOPLE = 10_000;
const CHANNELS = 1000;
const INVITATIONS = 10_000;

/** The owner's way in. */
export const OWNER = { email: OWNER_EMAIL, password: "violet kettle seldom 42" };

/** Fills a store with an organization as large as any: people, channels, open invitations. */
export async function seedOrganization(path: string): Promise<void> {
  using store = await openSottoStore(path);
  const { app, created } = await makeLoadRealm(store, OWNER.password);
  await addPeople(app, created.realm, Array.from({ length: PEOPLE }, (_, number) => loadMember(number)));
  const caller = { realm: created.realm, actingUser: created.owner };
  for (let number = 0; number < CHANNELS; number++) {
    await addChannel(app, caller, { name: `channel ${number}`, description: "What it is for" });
  }
  for (let at = 0; at < INVITATIONS; at += 5000) await invite(app, created, at);
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
