import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import type { PreparedContent } from "@/lib/chat/messages/prepare_content.ts";
import { wordIndexKeys, type WordIndexState } from "@/lib/chat/messages/word_index/store.ts";
import { realmKeys, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { MessageSeeder } from "@/tests/seeding/seed_messages.ts";
import { addSubscriptions } from "@/tests/seeding/seed_people.ts";
import { callSotto } from "./call.ts";
import { type ChatPeople, type LoadUser, seedChat } from "./chat_seeding.ts";
import { startSotto } from "./servers.ts";

/** Numbers of subscribers of the channels that are sent to. */
export const AUDIENCES = [10, 1000, 10_000] as const;
/** Messages of the channel with few of them. */
export const FEW_MESSAGES = 1000;
/** Messages of the channel with many of them. */
export const MANY_MESSAGES = 1_000_000;
/** A topic of the channel with many messages, and how many of them it has. */
export const LONG_TOPIC = { name: "long", size: 100_000 } as const;
/** A topic of the same channel with few messages. */
export const SHORT_TOPIC = { name: "short", size: 10 } as const;

/** Content of the message store, recorded in it. */
export interface MessageStore {
  readonly people: ChatPeople;
  /** Channels by their number of subscribers, as in `AUDIENCES`. */
  readonly audiences: readonly number[];
  readonly few: number;
  readonly many: number;
  /** The id of a message of the channel with few. */
  readonly messageId: number;
}

const CONTENTS_KEY = ["bench", "messages"];
/** Ids of accounts that are no more than subscribers. */
const FIRST_CROWD_ID = 1_000_000;
const START = Date.UTC(2026, 0, 1);

/** Reads the content record of the store at a path. */
export async function readMessageStore(path: string): Promise<MessageStore> {
  using kv = await Deno.openKv(path);
  const contents = await readRecord<MessageStore>(kv, CONTENTS_KEY);
  if (contents === null) throw new Error(`${path} was not seeded with messages`);
  return contents;
}

/**
 * Fills a new store with people, channels that have few and many subscribers, and channels that have few and many
 * messages, as sending leaves them; only the index of words is left out.
 */
export async function seedMessages(path: string): Promise<void> {
  const people = await seedChat(path);
  const names = [...AUDIENCES.map((size) => `audience ${size}`), "few", "many"];
  const ids = await makeChannels(path, people, names);
  const [few = 0, many = 0] = ids.slice(AUDIENCES.length);
  await growAudiences(path, ids.slice(0, AUDIENCES.length));
  using kv = await Deno.openKv(path);
  const head = await readRecord<number>(kv, channelKeys.messageHead) ?? 0;
  const realmId = await realmIdOf(kv);
  const seeder = new MessageSeeder(kv, realmId);
  const writer = { seeder, members: people.members };
  await writeTopic(writer, {
    channel: await getChannel(kv, realmId, few),
    topic: "all",
    count: FEW_MESSAGES,
  });
  const channel = await getChannel(kv, realmId, many);
  await writeTopic(writer, { channel, topic: LONG_TOPIC.name, count: LONG_TOPIC.size });
  const others = MANY_MESSAGES - LONG_TOPIC.size - SHORT_TOPIC.size;
  await writeTopic(writer, { channel, topic: "others", count: others });
  await writeTopic(writer, { channel, topic: SHORT_TOPIC.name, count: SHORT_TOPIC.size });
  await seeder.settle();
  await seeder.writeRows(0, 1);
  await seeder.finish();
  const state: WordIndexState = { indexed: head + FEW_MESSAGES + MANY_MESSAGES + 1, owner: "" };
  await kv.set(wordIndexKeys.state(realmId), state);
  const audiences = ids.slice(0, AUDIENCES.length);
  await kv.set(CONTENTS_KEY, { people, audiences, few, many, messageId: head + 1 } satisfies MessageStore);
}

async function makeChannels(
  path: string,
  { owner, members }: ChatPeople,
  names: readonly string[],
): Promise<number[]> {
  await using server = await startSotto(path);
  const ids: number[] = [];
  for (const name of names) {
    // The smallest audience is smaller than the organization.
    const some = name === "audience 10" ? members.slice(0, 10) : members;
    const subscribers = JSON.stringify(some.map(({ id }) => id));
    const form = { name, subscribers };
    const created = await callSotto(server, {
      user: owner,
      method: "POST",
      path: "/api/v1/channels/create",
      form,
    });
    ids.push(Number(created["id"]));
  }
  await server.stop();
  return ids;
}

/** Subscribes passive accounts until each channel has the intended number of subscribers. */
async function growAudiences(path: string, channelIds: readonly number[]): Promise<void> {
  using store = await openSottoStore(path);
  const realm = await readRecord<RealmRecord>(store.kv, realmKeys.realm(await realmIdOf(store.kv)));
  if (realm === null) throw new Error("There is no organization");
  for (const [at, id] of channelIds.entries()) {
    const there = await countBelow(store.kv, channelKeys.subscribers(realm.id, id));
    const missing = Math.max(0, (AUDIENCES[at] ?? 0) - there);
    const toSubscription = (_: unknown, next: number) => (
      { channelId: id, userId: FIRST_CROWD_ID + next, from: 1 }
    );
    await addSubscriptions(store, realm, Array.from({ length: missing }, toSubscription));
  }
}

interface Writer {
  readonly seeder: MessageSeeder;
  readonly members: readonly LoadUser[];
}

/** Writes a new topic with so many messages. */
async function writeTopic(
  { seeder, members }: Writer,
  { channel, topic, count }: { channel: ChannelRecord; topic: string; count: number },
): Promise<void> {
  const recipient = { kind: "channel", channel, topic, isNewTopic: false } as const;
  for (let number = 1; number <= count; number++) {
    await seeder.add({
      senderId: members[number % members.length]?.id ?? 0,
      recipient,
      prepared: toContent(number),
      client: "Load",
      sentAt: START + number,
    });
  }
}

/** Returns the content of a message with its number, and with a further sentence. */
export function toContent(number: number, ending = ""): PreparedContent {
  const content =
    `Message ${number}: the beds by the wall want water before noon, and **no** later than that.${ending}`;
  return {
    content,
    html: `<p>${content.replace("**no**", "<strong>no</strong>")}</p>`,
    mentions: { user_ids: [], group_ids: [], is_stream_wildcard: false, is_topic_wildcard: false },
    mentioned_bot_ids: [],
    has_link: false,
    has_image: false,
    has_attachment: false,
    upload_ids: [],
    is_me_message: false,
  };
}

/**
 * Returns a channel of a store.
 * @throws Error when there is none with the id.
 */
export async function getChannel(kv: Kv, realmId: number, id: number): Promise<ChannelRecord> {
  const channel = await readRecord<ChannelRecord>(kv, channelKeys.channel(realmId, id));
  if (channel === null) throw new Error(`There is no channel ${id}`);
  return channel;
}

async function realmIdOf(kv: Kv): Promise<number> {
  return await readRecord<number>(kv, realmKeys.bySubdomain("")) ?? 0;
}

async function countBelow(kv: Kv, prefix: Deno.KvKey): Promise<number> {
  let count = 0;
  for await (const _ of kv.list({ prefix }, { batchSize: 500 })) count++;
  return count;
}
