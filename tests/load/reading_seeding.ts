import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { messageKeys } from "@/lib/chat/messages/model.ts";
import { wordIndexKeys } from "@/lib/chat/messages/word_index/store.ts";
import { createWordIndexer } from "@/lib/chat/messages/word_index/word_indexer.ts";
import { realmKeys } from "@/lib/chat/organization/organizations/model.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { IntervalSet } from "@/lib/core/interval_set.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { MessageSeeder } from "@/tests/seeding/seed_messages.ts";
import { callSotto } from "./call.ts";
import { type ChatPeople, type LoadUser, seedChat } from "./chat_seeding.ts";
import { getChannel, toContent } from "./message_seeding.ts";
import { startSotto } from "./servers.ts";

/** Numbers of records of the organization. */
export const READING_SIZE = { people: 400, channels: 60, groups: 40 } as const;
/** A word that one of `WORD_EVERY` messages has. */
export const SEARCHED_WORD = "trellis";
const WORD_EVERY = 20;
/** Each user is subscribed to two thirds of the channels. */
const SKIPPED_CHANNEL = 3;
const GROUP_MEMBERS = 20;
const TOPICS = 5;
const MESSAGES_PER_TOPIC = 40;
const START = Date.UTC(2026, 0, 1);

/** Content of the store, recorded in it. */
export interface ReadingStore {
  readonly realmId: number;
  readonly people: ChatPeople;
}

const CONTENTS_KEY = ["bench", "reading"];

/** Reads the content record of the store at a path. */
export async function readReadingStore(path: string): Promise<ReadingStore> {
  using kv = await Deno.openKv(path);
  const contents = await readRecord<ReadingStore>(kv, CONTENTS_KEY);
  if (contents === null) throw new Error(`${path} was not seeded with an organization to read`);
  return contents;
}

/**
 * Fills a new store with an organization of READING_SIZE. Everyone is subscribed to most channels and has read all
 * messages but the newest one of each topic; half of them marked topics as read, the others single messages.
 */
export async function seedReading(path: string): Promise<void> {
  const people = await seedChat(path, { count: READING_SIZE.people - 1 });
  const everyone = [people.owner, ...people.members];
  const created = await createChannels(path, people.owner, everyone);
  using store = await openSottoStore(path);
  const realmId = await readRecord<number>(store.kv, realmKeys.bySubdomain("")) ?? 0;
  const channels: SeededChannel[] = [];
  for (const { id, subscribers } of created) {
    channels.push({ record: await getChannel(store.kv, realmId, id), subscribers });
  }
  await writeMessages(store, realmId, { everyone, channels });
  // An indexer leaves the organization to the process that the state names, for some seconds.
  await store.kv.delete(wordIndexKeys.state(realmId));
  await createWordIndexer({
    store,
    clock: systemClock,
    report: (error) => {
      throw error;
    },
  }).sweep();
  await store.kv.set(CONTENTS_KEY, { realmId, people } satisfies ReadingStore);
}

/** A channel and its subscribers. */
interface SeededChannel {
  readonly record: ChannelRecord;
  readonly subscribers: readonly LoadUser[];
}

/** The id of a new channel, and its subscribers. */
interface CreatedChannel {
  readonly id: number;
  readonly subscribers: readonly LoadUser[];
}

/** Creates the channels and the groups. */
async function createChannels(
  path: string,
  owner: LoadUser,
  everyone: readonly LoadUser[],
): Promise<CreatedChannel[]> {
  await using server = await startSotto(path);
  const post = (path: string, form: Record<string, string>) =>
    callSotto(server, { user: owner, method: "POST", path: `/api/v1${path}`, form });
  for (let at = 0; at < READING_SIZE.groups; at++) {
    const members = everyone.filter((_, number) => number % READING_SIZE.groups === at).slice(
      0,
      GROUP_MEMBERS,
    );
    const form = { description: "", members: JSON.stringify(members.map(({ id }) => id)) };
    await post("/user_groups/create", { name: `group ${at}`, ...form });
  }
  const channels: CreatedChannel[] = [];
  for (let at = 0; at < READING_SIZE.channels; at++) {
    const subscribers = everyone.filter((_, number) => (number + at) % SKIPPED_CHANNEL !== 0);
    const ids = JSON.stringify(subscribers.map(({ id }) => id));
    const created = await post("/channels/create", { name: `channel ${at}`, subscribers: ids });
    channels.push({ id: Number(created["id"]), subscribers });
  }
  await server.stop();
  return channels;
}

/** Writes messages to all topics in turn, as sending leaves them, and the marks of their readers. */
async function writeMessages(
  { kv }: Store,
  realmId: number,
  { everyone, channels }: { everyone: readonly LoadUser[]; channels: readonly SeededChannel[] },
): Promise<void> {
  const seeder = new MessageSeeder(kv, realmId);
  const topics = channels.flatMap((channel) =>
    Array.from({ length: TOPICS }, (_, at) => ({ channel, name: `topic ${at}`, ids: new Array<number>() }))
  );
  let number = 0;
  for (let round = 0; round < MESSAGES_PER_TOPIC; round++) {
    for (const { channel: { record }, name, ids } of topics) {
      number++;
      const ending = number % WORD_EVERY === 0 ? ` The ${SEARCHED_WORD} is free.` : "";
      const id = await seeder.add({
        senderId: everyone[number % everyone.length]?.id ?? 0,
        recipient: { kind: "channel", channel: record, topic: name, isNewTopic: false },
        prepared: toContent(number, ending),
        client: "Load",
        sentAt: START + number,
      });
      ids.push(id);
    }
  }
  await seeder.settle();
  await seeder.writeRows(0, 1);
  await seeder.finish();
  await writeMarks(kv, realmId, topics);
}

/** Marks all messages of topics but the newest as read, by half of the subscribers as a range, by others one by one. */
async function writeMarks(
  kv: Kv,
  realmId: number,
  topics: readonly { channel: SeededChannel; name: string; ids: readonly number[] }[],
): Promise<void> {
  const writer = new BulkWriter(kv);
  for (const { channel, name, ids } of topics) {
    const byTopic = IntervalSet.of(1, (ids.at(-1) ?? 1) - 1).serialize();
    const byMessage = IntervalSet.from(ids.slice(0, -1)).serialize();
    for (const { id: userId } of channel.subscribers) {
      const key = messageKeys.readInTopic(realmId, userId, { channelId: channel.record.id, bucket: name });
      await writer.set(key, userId % 2 === 0 ? byTopic : byMessage, byMessage.length);
    }
  }
  await writer.flush();
}
