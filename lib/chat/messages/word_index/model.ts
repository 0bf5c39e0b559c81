import type { Key } from "@/lib/store/key.ts";
import type { MessageRecord } from "../model.ts";
import { searchWords } from "../narrow/model/search_words.ts";

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

/** State of the index of an organization. */
export interface WordIndexState {
  /** The rows of words hold all messages below this id; later ones are found in the messages themselves. */
  readonly indexed: number;
  /** Random name of the process that changed the index last. */
  readonly owner: string;
}

/** Keys of the index of words. */
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

/** Returns the words of a topic in the index. */
export function listTopicWords(topic: string): ReadonlySet<string> {
  return new Set(searchWords(topic).values().map(toTopicWord));
}

/** Marks a word as one of a topic. The index holds them apart, as alert words are found in content only. */
export function toTopicWord(word: string): string {
  return TOPIC_MARK + word;
}

/** Returns whether a message with a folded content and topic may have a word of the index. */
export function mayHaveWord({ content, topic }: { content: string; topic: string }, word: string): boolean {
  return word.startsWith(TOPIC_MARK) ? topic.includes(word.slice(TOPIC_MARK.length)) : content.includes(word);
}

/** Returns the segment of a message. */
export function segmentOf(id: number): number {
  return Math.floor(id / SEGMENT_IDS);
}

/** Packs the ids of one segment: a list of their offsets, or a bitmap where that is not larger. */
export function packIds(ids: Iterable<number>): Uint8Array<ArrayBuffer> {
  const offsets = [...new Set(Array.from(ids, (id) => id % SEGMENT_IDS))].sort((one, other) => one - other);
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
