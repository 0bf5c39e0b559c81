import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { createChannelParams } from "@/lib/chat/channels/api.ts";
import { createChannel } from "@/lib/chat/channels/create_channel.ts";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { writeFirstSubscription } from "@/lib/chat/channels/subscriptions/store.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { addUser, type NewUser } from "@/lib/chat/people/users/create_user.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { Store } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";

/** Numbers of records that one commit adds. */
const AT_ONCE = { people: 20, subscriptions: 300 } as const;

/** Adds people whose names and addresses are valid and free; returns their accounts. */
export async function addPeople(
  app: ChatApp,
  realm: RealmRecord,
  people: readonly NewUser[],
): Promise<UserRecord[]> {
  const added: UserRecord[] = [];
  for (const part of chunk(people, AT_ONCE.people)) {
    added.push(
      ...await transact(app.store, async (tx) => {
        const users: UserRecord[] = [];
        for (const user of part) users.push(await addUser({ app, tx, realm }, user));
        return users;
      }),
    );
  }
  return added;
}

/** Creates a public channel without subscribers. */
export function addChannel(
  app: ChatApp,
  caller: Caller,
  { name, description }: { readonly name: string; readonly description: string },
): Promise<ChannelRecord> {
  const sent = new Map([["name", name], ["subscribers", "[]"], ["description", description]]);
  return createChannel(app, caller, readParams(createChannelParams, sent).values);
}

/** A first subscription, which receives messages from the id `from` on. */
export interface SeededSubscription {
  readonly channelId: number;
  readonly userId: number;
  readonly from: number;
}

/** Writes first subscriptions without events. */
export async function addSubscriptions(
  store: Store,
  realm: RealmRecord,
  subscriptions: readonly SeededSubscription[],
): Promise<void> {
  for (const part of chunk(subscriptions, AT_ONCE.subscriptions)) {
    await transact(store, (tx) => {
      for (const { channelId, userId, from } of part) {
        writeFirstSubscription(tx, { realm }, { channel: { id: channelId }, userId, from });
      }
      return Promise.resolve();
    });
  }
}
