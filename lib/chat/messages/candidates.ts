import { type Key, toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys, type ChannelRecord } from "../channels/channel.ts";
import { messageKeys } from "./message.ts";
import type { ChannelsOperand } from "./narrow.ts";
import type { SearchWord } from "./search_words.ts";
import type { NarrowIndex } from "./narrow_index.ts";

/** Which way ids are walked, and from where on: `from` itself is the first that may come. */
export interface Walk {
  readonly from: number;
  readonly isUp: boolean;
}

/** How many ids are read from the store at once. */
const BATCH = 100;
/** Channels whose messages are walked side by side; of more, all messages are. */
const MAX_SIDE_BY_SIDE = 30;

/** The ids of the messages that an index holds, in the walk's order; null is a reader who has no marks of his own. */
export async function* candidates(
  app: ChatApp,
  { realmId, userId }: { realmId: number; userId: number | null },
  { index, walk }: { index: NarrowIndex; walk: Walk },
): AsyncGenerator<number> {
  if (index.kind === "nothing") return;
  if (index.kind === "id") {
    if (walk.isUp ? index.id >= walk.from : index.id <= walk.from) yield index.id;
    return;
  }
  if (index.kind === "channels") {
    const ids = await listChannelIds(app, realmId, index.which);
    if (ids.length <= MAX_SIDE_BY_SIDE) {
      return yield* merge(ids.map((id) => walkIds(app, messageKeys.ofChannel(realmId, id), walk)), walk);
    }
  }
  const prefix = await prefixOf(app, { realmId, userId }, index);
  if (prefix !== null) yield* walkIds(app, prefix, walk);
}

async function listChannelIds(app: ChatApp, realmId: number, which: ChannelsOperand): Promise<number[]> {
  const ids: number[] = [];
  const prefix = [...channelKeys.channels(realmId)];
  for await (const entry of app.store.kv.list({ prefix }, { batchSize: BATCH })) {
    const { id, is_web_public, invite_only } = toEntry<ChannelRecord>(entry).value;
    if (which === "web-public" ? is_web_public : !invite_only) ids.push(id);
  }
  return ids;
}

/** What several walks give, as one walk. */
async function* merge(walks: readonly AsyncGenerator<number>[], { isUp }: Walk): AsyncGenerator<number> {
  const next = async (walk: AsyncGenerator<number>) => {
    const { done, value } = await walk.next();
    return done === true ? null : { walk, id: value };
  };
  let heads = (await Promise.all(walks.map(next))).filter((head) => head !== null);
  while (heads.length > 0) {
    const first = heads.reduce((one, other) => (isUp ? other.id < one.id : other.id > one.id) ? other : one);
    yield first.id;
    const following = await next(first.walk);
    heads = heads.flatMap((head) => head !== first ? [head] : following === null ? [] : [following]);
  }
}

/** Where an index's ids stand as the last parts of keys; null where it has none yet. */
async function prefixOf(
  app: ChatApp,
  { realmId, userId }: { realmId: number; userId: number | null },
  index: Exclude<NarrowIndex, { kind: "nothing" | "id" }>,
): Promise<Key | null> {
  switch (index.kind) {
    case "topic":
      return messageKeys.ofTopic(realmId, index.channelId, index.topic);
    case "channel":
      return messageKeys.ofChannel(realmId, index.channelId);
    case "dm": {
      const id = await app.reads.read<number>(messageKeys.conversationOf(realmId, index.participants));
      return id === null ? null : messageKeys.ofConversation(realmId, id);
    }
    case "sender":
      return messageKeys.sentBy(realmId, index.senderId);
    case "starred":
      return userId === null ? null : messageKeys.starred(realmId, userId);
    case "search":
      return wordPrefix(realmId, index.words);
    case "mentioned":
    case "channels":
    case "all":
      return [realmId, "message"];
  }
}

/** The longest whole word is in the fewest messages, as a rule; what is left of the query is held against the text. */
function wordPrefix(realmId: number, words: readonly SearchWord[]): Key {
  const whole = words.filter(({ isPrefix }) => !isPrefix).map(({ text }) => text);
  const longest = whole.sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? [realmId, "message"] : messageKeys.word(realmId, longest);
}

async function* walkIds({ store }: ChatApp, prefix: Key, { from, isUp }: Walk): AsyncGenerator<number> {
  const selector = isUp
    ? { prefix: [...prefix], start: [...prefix, from] }
    : { prefix: [...prefix], end: [...prefix, from + 1] };
  for await (const entry of store.kv.list(selector, { reverse: !isUp, batchSize: BATCH })) {
    const id = toEntry(entry).key.at(-1);
    if (typeof id === "number") yield id;
  }
}
