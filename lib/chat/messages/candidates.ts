import { type Key, toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { messageKeys } from "./message.ts";
import type { SearchWord } from "./search_words.ts";
import type { NarrowIndex } from "./narrow_index.ts";

/** Which way ids are walked, and from where on: `from` itself is the first that may come. */
export interface Walk {
  readonly from: number;
  readonly isUp: boolean;
}

/** How many ids are read from the store at once. */
const BATCH = 100;

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
  const prefix = await prefixOf(app, { realmId, userId }, index);
  if (prefix !== null) yield* walkIds(app, prefix, walk);
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
