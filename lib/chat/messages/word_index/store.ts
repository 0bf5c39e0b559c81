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
import { foldText } from "../narrow/model/search_words.ts";
import {
  mayHaveWord,
  segmentOf,
  unpackIds,
  type WordChange,
  wordIndexKeys,
  type WordIndexState,
} from "./model.ts";

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
    .sort((one, other) => isAscending ? one - other : other - one)
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
