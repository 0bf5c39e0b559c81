import { type Entry, type Key, toEntry, toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import type { Tx } from "@/lib/store/transact.ts";
import {
  type Candidate,
  type CandidateScan,
  type IdScan,
  messageKeys,
  type MessageRecord,
} from "../model.ts";
import { foldText, searchWords } from "../narrow/search_words.ts";

/** Number of consecutive message ids that one row of a word covers. */
export const SEGMENT_IDS = 4096;
/** Size of a row in which each bit stands for an id of the segment. */
const BITMAP_BYTES = SEGMENT_IDS / 8;
/** Number of ids from which a bitmap is not larger than their list. */
const BITMAP_IDS = BITMAP_BYTES / 2;

/** First character of the words of topics in the index, which no word has. */
const TOPIC_MARK = "#";

/** Words of messages that changed, which the rows of words may not reflect yet. */
export interface WordChange {
  readonly ids: readonly number[];
  /** Separated by blanks. */
  readonly words: string;
}

export interface WordIndexState {
  /** The rows of words hold all messages below this id; later ones are found in the messages themselves. */
  readonly indexed: number;
  /** Random name of the process that changed the index last. */
  readonly owner: string;
}

export const wordIndexKeys = {
  /** Every change of rows of words checks this record and changes it. */
  state: (realmId: number): Key => [realmId, "word_index"],
  /** Prefix of the rows of a word, one for each segment that has messages with it. */
  word: (realmId: number, word: string): Key => [realmId, "word_segment", word],
  segment: (realmId: number, word: string, segment: number): Key => [
    realmId,
    "word_segment",
    word,
    segment,
  ],
  /** Prefix of the words that edits, moves and deletions changed. */
  changes: (realmId: number): Key => [realmId, "word_change"],
  /** `id` is the first of the changed messages. */
  change: (realmId: number, id: number, name: string): Key => [realmId, "word_change", id, name],
};

/** Returns the words of a message in the index: those of its content, and those of its topic, which are marked. */
export function listMessageWords(
  { content, topic }: Pick<MessageRecord, "content" | "topic">,
): ReadonlySet<string> {
  return searchWords(content).union(listTopicWords(topic));
}

export function listTopicWords(topic: string): ReadonlySet<string> {
  return new Set(searchWords(topic).values().map(toTopicWord));
}

/** Marks a word as one of a topic. The index holds them apart, as alert words are found in content only. */
export function toTopicWord(word: string): string {
  return TOPIC_MARK + word;
}

/** Returns whether a message with a folded content and topic may have a word of the index. */
function mayHaveWord({ content, topic }: { content: string; topic: string }, word: string): boolean {
  return word.startsWith(TOPIC_MARK) ? topic.includes(word.slice(TOPIC_MARK.length)) : content.includes(word);
}

export function segmentOf(id: number): number {
  return Math.floor(id / SEGMENT_IDS);
}

/** Packs the ids of one segment: a list of their offsets, or a bitmap where that is not larger. */
export function packIds(ids: Iterable<number>): Uint8Array<ArrayBuffer> {
  const offsets = [...new Set(Array.from(ids, (id) => id % SEGMENT_IDS))].sort((a, b) => a - b);
  if (offsets.length < BITMAP_IDS) {
    const view = new DataView(new ArrayBuffer(2 * offsets.length));
    for (const [at, offset] of offsets.entries()) view.setUint16(2 * at, offset);
    return new Uint8Array(view.buffer);
  }
  const bitmap = new Uint8Array(BITMAP_BYTES);
  for (const offset of offsets) bitmap[offset >> 3] = (bitmap[offset >> 3] ?? 0) | 1 << (offset & 7);
  return bitmap;
}

/** Returns the ids of a segment's row, ascending. */
export function unpackIds(segment: number, row: Uint8Array): number[] {
  const base = segment * SEGMENT_IDS;
  if (row.length < BITMAP_BYTES) {
    const view = new DataView(row.buffer, row.byteOffset, row.length);
    return Array.from({ length: row.length / 2 }, (_, at) => base + view.getUint16(2 * at));
  }
  const ids: number[] = [];
  for (let offset = 0; offset < SEGMENT_IDS; offset++) {
    if (((row[offset >> 3] ?? 0) & 1 << (offset & 7)) !== 0) ids.push(base + offset);
  }
  return ids;
}

/** Characters of words in one row of changes. */
const CHANGE_UNITS = 14_000;
/** Rows that are read from the store at once. */
const BATCH = 100;

/** Maximum number of rows that `recordWordChange` writes: 1,000 words of 40 code points and a blank each. */
export const MAX_CHANGE_WRITES = 7;

/**
 * Records that words were added to messages or removed from them. Searches find the messages by each of them from
 * the commit of the transaction on, and the indexer corrects the rows of the words.
 */
export function recordWordChange(
  tx: Tx,
  realmId: number,
  { ids, words }: { ids: readonly number[]; words: Iterable<string> },
): void {
  let text = "";
  const write = () => {
    // Each row has a name of its own, so that concurrent changes keep theirs.
    const key = wordIndexKeys.change(realmId, ids[0] ?? 0, crypto.randomUUID());
    if (text !== "") tx.set(key, { ids, words: text } satisfies WordChange);
    text = "";
  };
  for (const word of words) {
    text += text === "" ? word : ` ${word}`;
    if (text.length > CHANGE_UNITS) write();
  }
  write();
}

/** Yields the changes that the rows of words may not reflect. */
export async function* listWordChanges({ kv }: Store, realmId: number): AsyncGenerator<Entry<WordChange>> {
  const prefix = [...wordIndexKeys.changes(realmId)];
  for await (const entry of kv.list({ prefix }, { batchSize: BATCH })) yield toEntry<WordChange>(entry);
}

/** Returns the id below which the rows of words hold all messages of an organization. */
export async function readIndexedId({ kv }: Store, realmId: number): Promise<number> {
  return (await kv.get<WordIndexState>(wordIndexKeys.state(realmId))).value?.indexed ?? 0;
}

/**
 * Returns scans that together yield every message with one of the words, and possibly others. They include
 * everything committed before the call, however far the indexer is meanwhile.
 */
export async function openWordScans(
  store: Store,
  realmId: number,
  { words, scan }: { words: readonly string[]; scan: IdScan },
): Promise<CandidateScan[]> {
  // Rows hold a change before its record is deleted, so changes are read before the rows.
  const indexed = await readIndexedId(store, realmId);
  const changed = new Set<number>();
  for await (const { value: change } of listWordChanges(store, realmId)) {
    const own = change.words.split(" ");
    if (words.some((word) => own.includes(word))) change.ids.forEach((id) => changed.add(id));
  }
  return [
    scanLatest(store, { realmId, indexed, words }, scan),
    scanChanged([...changed], scan),
    ...words.map((word) => scanRows(store, wordIndexKeys.word(realmId, word), scan)),
  ];
}

async function* scanRows({ kv }: Store, prefix: Key, scan: IdScan): CandidateScan {
  const { from, isAscending } = scan;
  const segment = segmentOf(from);
  const selector = isAscending
    ? { prefix: [...prefix], start: [...prefix, segment] }
    : { prefix: [...prefix], end: [...prefix, segment + 1] };
  for await (const entry of kv.list(selector, { reverse: !isAscending, batchSize: BATCH })) {
    const { key, value } = toEntry<Uint8Array>(entry);
    yield toCandidates(unpackIds(toValue<number>(key.at(-1)), value), scan);
  }
}

async function* scanChanged(ids: readonly number[], scan: IdScan): CandidateScan {
  yield toCandidates(ids, scan);
}

function toCandidates(ids: readonly number[], { from, isAscending }: IdScan): readonly Candidate[] {
  return ids.filter((id) => isAscending ? id >= from : id <= from)
    .sort((a, b) => isAscending ? a - b : b - a)
    .map((id) => ({ id, message: null }));
}

/** Yields those of the messages that are not indexed that may have one of the words. */
async function* scanLatest(
  { kv }: Store,
  { realmId, indexed, words }: { realmId: number; indexed: number; words: readonly string[] },
  { from, isAscending }: IdScan,
): CandidateScan {
  const prefix = [...messageKeys.messages(realmId)];
  const first = isAscending ? Math.max(from, indexed) : indexed;
  if (!isAscending && from < indexed) return;
  const selector = isAscending
    ? { prefix, start: [...prefix, first] }
    : { start: [...prefix, first], end: [...prefix, from + 1] };
  for await (const entry of kv.list(selector, { reverse: !isAscending, batchSize: BATCH })) {
    const { value: message } = toEntry<MessageRecord>(entry);
    const folded = { content: foldText(message.content), topic: foldText(message.topic) };
    if (words.some((word) => mayHaveWord(folded, word))) yield [{ id: message.id, message }];
  }
}
