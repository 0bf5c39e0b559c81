import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import { writeFirstSubscription } from "@/lib/chat/channels/subscriptions/store.ts";
import { messageKeys, type MessageRecord } from "@/lib/chat/messages/model.ts";
import { wordIndexKeys, type WordIndexState } from "@/lib/chat/messages/word_index/model.ts";
import { realmKeys, type RealmRecord } from "@/lib/chat/organizations/model.ts";
import { foldTopic } from "@/lib/chat/topics/model.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { transact } from "@/lib/kv/transact.ts";
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
/** Of a message's rows, as many as one commit takes. */
const COMMIT = 200;
const SUBSCRIBE_AT_ONCE = 300;
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
  const writer = { kv, realmId: await realmIdOf(kv), members: people.members };
  await writeTopic(writer, { channelId: few, topic: "all", from: head + 1, count: FEW_MESSAGES });
  const parts = [
    LONG_TOPIC,
    { name: "others", size: MANY_MESSAGES - LONG_TOPIC.size - SHORT_TOPIC.size },
    SHORT_TOPIC,
  ];
  let from = head + 1 + FEW_MESSAGES;
  for (const { name, size } of parts) {
    await writeTopic(writer, { channelId: many, topic: name, from, count: size });
    from += size;
  }
  await kv.set(channelKeys.messageHead, from - 1);
  const state: WordIndexState = { indexed: from, owner: "" };
  await kv.set(wordIndexKeys.state(writer.realmId), state);
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
    for (let from = 0; from < missing; from += SUBSCRIBE_AT_ONCE) {
      await transact(store, (tx) => {
        for (let next = from; next < Math.min(from + SUBSCRIBE_AT_ONCE, missing); next++) {
          writeFirstSubscription(tx, { realm }, { channel: { id }, userId: FIRST_CROWD_ID + next, from: 1 });
        }
        return Promise.resolve();
      });
    }
  }
}

interface Writer {
  readonly kv: Deno.Kv;
  readonly realmId: number;
  readonly members: readonly LoadUser[];
}

/** A new topic with so many messages. */
async function writeTopic(
  { kv, realmId, members }: Writer,
  { channelId, topic, from, count }: { channelId: number; topic: string; from: number; count: number },
): Promise<void> {
  await kv.atomic().set(messageKeys.topic(realmId, channelId, topic), { name: topic })
    .sum(channelKeys.namedTopicCount(realmId, channelId), 1n).commit();
  const end = from + count;
  for (let first = from; first < end; first += COMMIT) {
    const atomic = kv.atomic();
    const last = Math.min(first + COMMIT, end) - 1;
    for (let id = first; id <= last; id++) {
      const senderId = members[id % members.length]?.id ?? 0;
      atomic.set(messageKeys.message(realmId, id), newMessage({ id, senderId, channelId, topic }))
        .set([...messageKeys.ofChannel(realmId, channelId), id], true)
        .set([...messageKeys.ofTopic(realmId, channelId, topic), id], true)
        .set([...messageKeys.sentBy(realmId, senderId), id], true);
    }
    await atomic.sum(messageKeys.topicCount(realmId, channelId, topic), BigInt(last - first + 1)).commit();
  }
}

function newMessage(
  { id, senderId, channelId, topic }: { id: number; senderId: number; channelId: number; topic: string },
): MessageRecord {
  const content = `Message ${id}: the beds by the wall want water before noon, and **no** later than that.`;
  return {
    id,
    sender_id: senderId,
    channel_id: channelId,
    topic,
    read_bucket: foldTopic(topic),
    conversation_id: null,
    content,
    rendered: `<p>${content.replace("**no**", "<strong>no</strong>")}</p>`,
    client: "Load",
    sent_at: START + id,
    edited_at: null,
    moved_at: null,
    is_me_message: false,
    has_link: false,
    has_image: false,
    has_attachment: false,
    mentions: { user_ids: [], group_ids: [], is_stream_wildcard: false, is_topic_wildcard: false },
  };
}

async function realmIdOf(kv: Deno.Kv): Promise<number> {
  return await readRecord<number>(kv, realmKeys.bySubdomain("")) ?? 0;
}

async function countBelow(kv: Deno.Kv, prefix: Deno.KvKey): Promise<number> {
  let count = 0;
  for await (const _ of kv.list({ prefix }, { batchSize: 500 })) count++;
  return count;
}
