import { type Key, toEntry, toValue } from "@/lib/kv/key.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { messageKeys, type MessageRecord } from "../model.ts";
import type { ChannelsOperand } from "../narrow/model/narrow.ts";
import type { SearchWord } from "../narrow/model/search_words.ts";
import type { NarrowIndex } from "../narrow/choose_index.ts";

/** Direction and start of a scan of message ids; `from` is included. */
export interface IdScan {
  readonly from: number;
  readonly isAscending: boolean;
}

/** An id of an index, with its message where the index is the messages themselves. */
export interface Candidate {
  readonly id: number;
  readonly message: MessageRecord | null;
}

/** Number of ids per store read. */
const BATCH = 100;
/** Number of channels up to which their indexes are merged; beyond it all messages are scanned. */
const MAX_MERGED_CHANNELS = 30;

/** Yields the messages of an index in scan order; a null user has no flags. */
export async function* listCandidates(
  app: ChatApp,
  { realmId, userId }: { realmId: number; userId: number | null },
  { index, scan }: { index: NarrowIndex; scan: IdScan },
): AsyncGenerator<Candidate> {
  if (index.kind === "nothing") return;
  if (index.kind === "id") {
    if (scan.isAscending ? index.id >= scan.from : index.id <= scan.from) {
      yield { id: index.id, message: null };
    }
    return;
  }
  if (index.kind === "channels") {
    const ids = await listChannelIds(app, realmId, index.which);
    if (ids.length <= MAX_MERGED_CHANNELS) {
      return yield* mergeScans(ids.map((id) => scanIds(app, messageKeys.ofChannel(realmId, id), scan)), scan);
    }
  }
  const prefix = await readIndexPrefix(app, { realmId, userId }, index);
  if (prefix !== null) yield* scanIds(app, prefix, scan);
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

/** Merges several scans into one in scan order. */
async function* mergeScans(
  scans: readonly AsyncGenerator<Candidate>[],
  { isAscending }: IdScan,
): AsyncGenerator<Candidate> {
  const next = async (scan: AsyncGenerator<Candidate>) => {
    const { done, value } = await scan.next();
    return done === true ? null : { scan, ...value };
  };
  let heads = (await Promise.all(scans.map(next))).filter((head) => head !== null);
  while (heads.length > 0) {
    const first = heads.reduce((one, other) =>
      (isAscending ? other.id < one.id : other.id > one.id) ? other : one
    );
    yield first;
    const following = await next(first.scan);
    heads = heads.flatMap((head) => head !== first ? [head] : following === null ? [] : [following]);
  }
}

/** Returns the key prefix below which an index holds message ids; null when it has none yet. */
async function readIndexPrefix(
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
    case "mentions":
      return messageKeys.mentioned(realmId, index.userId);
    case "starred":
      return userId === null ? null : messageKeys.starred(realmId, userId);
    case "search":
      return searchPrefix(realmId, index.words);
    case "mentioned":
    case "channels":
    case "all":
      return [realmId, "message"];
  }
}

/** Chooses the index of the longest whole word, which usually has the fewest messages. */
function searchPrefix(realmId: number, words: readonly SearchWord[]): Key {
  const whole = words.filter(({ isPrefix }) => !isPrefix).map(({ text }) => text);
  const longest = whole.sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? [realmId, "message"] : messageKeys.word(realmId, longest);
}

async function* scanIds(
  { store }: ChatApp,
  prefix: Key,
  { from, isAscending }: IdScan,
): AsyncGenerator<Candidate> {
  // The rows of other indexes hold no messages.
  const holdsMessages = prefix[1] === "message";
  const selector = isAscending
    ? { prefix: [...prefix], start: [...prefix, from] }
    : { prefix: [...prefix], end: [...prefix, from + 1] };
  for await (const entry of store.kv.list(selector, { reverse: !isAscending, batchSize: BATCH })) {
    const { key, value } = toEntry<unknown>(entry);
    const id = key.at(-1);
    if (typeof id === "number") yield { id, message: holdsMessages ? toValue<MessageRecord>(value) : null };
  }
}
