import { chunk } from "es-toolkit/array/chunk";
import { zip } from "es-toolkit/array/zip";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { AtomicOperation } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Entry, type Key, keyName, toEntry, toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { messageKeys, type MessageRecord } from "../model.ts";
import {
  listMessageWords,
  listTopicWords,
  listWordChanges,
  packIds,
  SEGMENT_IDS,
  segmentOf,
  unpackIds,
  type WordChange,
  wordIndexKeys,
  type WordIndexState,
} from "./store.ts";

/** Number of rows of words that one commit writes; small, because commits of messages wait for it. */
const ROWS_AT_ONCE = 200;
/** Number of messages that are indexed together, and of characters in them. */
const ROUND = { messages: 1000, characters: 2_000_000 } as const;
/** Number of messages that are read and split into words between two turns of the event loop. */
const BATCH = 50;
/** Number of changes that are applied in one call. */
const CHANGES_AT_ONCE = 100;

/** A process that indexes words, and its pause between two commits. */
interface IndexingProcess {
  /** Random name. */
  readonly name: string;
  /** Waits after a commit. */
  readonly pause: () => Promise<void>;
}

/** Thrown when another process changed the index meanwhile; nothing was written. */
export class IndexConflict extends Error {
  override readonly name = "IndexConflict";
}

/** Commits to the index of an organization. Each checks the record of the state and changes it. */
class IndexWriter {
  constructor(
    private readonly store: Store,
    private readonly process: IndexingProcess,
    private entry: Deno.KvEntryMaybe<WordIndexState>,
  ) {}

  get indexed(): number {
    return this.entry.value?.indexed ?? 0;
  }

  /** @throws IndexConflict. */
  async commit(add: (atomic: AtomicOperation) => void, indexed = this.indexed): Promise<void> {
    const { key } = this.entry;
    const value: WordIndexState = { indexed, owner: this.process.name };
    const versionstamp = await durably(this.store, async () => {
      const atomic = this.store.kv.atomic().check(this.entry).set(key, value);
      add(atomic);
      const result = await atomic.commit();
      return result.ok ? result.versionstamp : null;
    });
    if (versionstamp === null) throw new IndexConflict();
    this.entry = { key, value, versionstamp };
    await this.process.pause();
  }
}

/** Opens the index of an organization for one process, until another one changes it. */
export async function openWordIndex(
  store: Store,
  realmId: number,
  process: IndexingProcess,
): Promise<OpenIndex> {
  const state = await store.kv.get<WordIndexState>(wordIndexKeys.state(realmId));
  return { store, realmId, writer: new IndexWriter(store, process, state) };
}

export interface OpenIndex {
  readonly store: Store;
  readonly realmId: number;
  readonly writer: IndexWriter;
}

interface IndexedRound {
  readonly indexed: number;
  /** Number of messages that are left; null when the round ended before it had seen all. */
  readonly left: number | null;
}

/**
 * Indexes the words of an organization's latest messages if there are `atLeast` so many.
 * @throws IndexConflict.
 */
export async function indexLatest(index: OpenIndex, atLeast: number): Promise<IndexedRound> {
  const latest = await readRound(index, { from: index.writer.indexed, listWords: listMessageWords });
  if (latest.count === 0 || latest.count < atLeast) return { indexed: 0, left: latest.count };
  await writeRound(index, { round: latest, indexed: latest.end });
  return { indexed: latest.count, left: latest.isCut ? null : 0 };
}

/**
 * Adds the words of topics to the rows of the messages that are indexed.
 * @throws IndexConflict.
 */
async function indexTopics(index: OpenIndex): Promise<void> {
  const { indexed } = index.writer;
  for (let from = 0; from < indexed;) {
    const round = await readRound(index, { from, listWords: ({ topic }) => listTopicWords(topic) });
    await writeRound(index, { round, indexed });
    if (!round.isCut) return;
    from = round.end;
  }
}

/** Messages that are indexed together, as rows of their words. */
interface Round {
  readonly count: number;
  /** Whether messages may follow. */
  readonly isCut: boolean;
  /** Id after the last of them. */
  readonly end: number;
  readonly rows: readonly WordRow[];
}

interface WordRow {
  readonly key: Key;
  readonly segment: number;
  readonly ids: number[];
}

/** Ids ascend in the order of commits, so no message appears later among those that were read. */
async function readRound(
  { store: { kv }, realmId }: OpenIndex,
  { from, listWords }: { from: number; listWords: (message: MessageRecord) => ReadonlySet<string> },
): Promise<Round> {
  const rows = new Map<string, WordRow>();
  let [count, characters, end, isCut] = [0, 0, from, false];
  const prefix = [...messageKeys.messages(realmId)];
  for await (const entry of kv.list({ prefix, start: [...prefix, from] }, { batchSize: BATCH })) {
    const { value: message } = toEntry<MessageRecord>(entry);
    const { id } = message;
    for (const word of listWords(message)) addToRow(rows, { realmId, word, id });
    end = id + 1;
    characters += message.content.length;
    isCut = ++count === ROUND.messages || characters > ROUND.characters;
    if (isCut) break;
    if (count % BATCH === 0) await yieldToEventLoop();
  }
  return { count, isCut, end, rows: [...rows.values()] };
}

function addToRow(
  rows: Map<string, WordRow>,
  { realmId, word, id }: { realmId: number; word: string; id: number },
): void {
  const segment = segmentOf(id);
  const name = `${segment} ${word}`;
  const row = rows.get(name);
  if (row === undefined) {
    rows.set(name, { key: wordIndexKeys.segment(realmId, word, segment), segment, ids: [id] });
  } else row.ids.push(id);
}

/**
 * Adds messages to the rows of their words. The last commit moves the end of the index to `indexed`; an interruption
 * before leaves ids that the next process adds again.
 */
async function writeRound(
  { store, writer }: OpenIndex,
  { round: { rows }, indexed }: { round: Round; indexed: number },
): Promise<void> {
  const parts = chunk(rows, ROWS_AT_ONCE);
  for (const [at, part] of parts.entries()) {
    const stored = await readRows(store, part, writer.indexed);
    const isLast = at === parts.length - 1;
    await writer.commit((atomic) => {
      for (const { key, segment, ids } of part) {
        const before = stored.get(keyName(key));
        atomic.set(key, packIds(before === undefined ? ids : [...unpackIds(segment, before), ...ids]));
      }
    }, isLast ? indexed : writer.indexed);
  }
  if (parts.length === 0) await writer.commit(() => {}, indexed);
}

/** Reads the stored rows, except those of segments without messages that are indexed. */
async function readRows(
  { kv }: Store,
  rows: readonly WordRow[],
  indexed: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const keys = rows.filter(({ segment }) => segment * SEGMENT_IDS < indexed).map(({ key }) => key);
  const stored = await readMany<Uint8Array>(kv, keys);
  return new Map(
    stored.flatMap(({ key, value }): [string, Uint8Array][] => value === null ? [] : [[keyName(key), value]]),
  );
}

/**
 * Makes the rows of words agree with some of the changed messages; returns whether others are left.
 * @throws IndexConflict.
 */
export async function applyWordChanges(index: OpenIndex): Promise<boolean> {
  const changes: Entry<WordChange>[] = [];
  const changed = new Map<number, Set<string>>();
  let isCut = false;
  for await (const change of listWordChanges(index.store, index.realmId)) {
    isCut = changes.length === CHANGES_AT_ONCE || changed.size >= ROUND.messages;
    if (isCut) break;
    changes.push(change);
    const words = change.value.words.split(" ");
    for (const id of change.value.ids) changed.set(id, new Set([...changed.get(id) ?? [], ...words]));
  }
  await correctRows(index, { rows: await readCorrections(index, changed), changes });
  return isCut;
}

/** A row of a word, and the changed messages that have the word or lack it. */
interface Correction extends Pick<WordRow, "key" | "segment"> {
  readonly present: number[];
  readonly absent: number[];
}

/** Reads the changed messages. One that changes again meanwhile has a further change, which stays. */
async function readCorrections(
  { store, realmId }: OpenIndex,
  changed: ReadonlyMap<number, ReadonlySet<string>>,
): Promise<readonly Correction[]> {
  const corrections = new Map<string, Correction>();
  for (const batch of chunk([...changed], BATCH)) {
    const keys = batch.map(([id]) => messageKeys.message(realmId, id));
    const messages = await readMany<MessageRecord>(store.kv, keys);
    for (const [[id, words], { value: message }] of zip(batch, messages)) {
      const current = message === null ? new Set<string>() : listMessageWords(message);
      for (const word of words) {
        const segment = segmentOf(id);
        const name = `${segment} ${word}`;
        const correction = corrections.get(name) ??
          { key: wordIndexKeys.segment(realmId, word, segment), segment, present: [], absent: [] };
        corrections.set(name, correction);
        (current.has(word) ? correction.present : correction.absent).push(id);
      }
    }
    await yieldToEventLoop();
  }
  return [...corrections.values()];
}

/** Corrects the rows; the last commit deletes the changes. */
async function correctRows(
  { store, writer }: OpenIndex,
  { rows, changes }: { rows: readonly Correction[]; changes: readonly Entry<WordChange>[] },
): Promise<void> {
  const parts = chunk(rows, ROWS_AT_ONCE);
  for (const [at, part] of parts.entries()) {
    const stored = await readMany<Uint8Array>(store.kv, part.map(({ key }) => key));
    await writer.commit((atomic) => {
      for (const [{ key, segment, present, absent }, { value }] of zip(part, stored)) {
        const ids = new Set(value === null ? [] : unpackIds(segment, value));
        // The words of a message that is not indexed are added with the messages around it.
        for (const id of present) if (id < writer.indexed) ids.add(id);
        for (const id of absent) ids.delete(id);
        if (ids.size > 0) atomic.set(key, packIds(ids));
        else if (value !== null) atomic.delete(key);
      }
      if (at === parts.length - 1) changes.forEach(({ key }) => atomic.delete(key));
    });
  }
}

/** Index of the previous versions: a row for each word of each message. */
const FORMER = "word";

/** Packs the index of words, from version 11 to 12; continues after an interruption. */
export async function packSearchWords(store: Store): Promise<void> {
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    while (!await write(store, realmId, indexAll));
    const writer = new BulkWriter(store.kv);
    for await (const { key } of store.kv.list({ prefix: [realmId, FORMER] }, { batchSize: 500 })) {
      await writer.delete(key);
    }
    await writer.flush();
  }
}

/** Adds the words of topics to the index, from version 14 to 15. */
export async function indexTopicWords(store: Store): Promise<void> {
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    await convertChanges(store, realmId);
    while (!await write(store, realmId, indexTopics));
  }
}

/** Converts changes of words of the previous versions, which have the words of one message. */
async function convertChanges({ kv }: Store, realmId: number): Promise<void> {
  for await (const entry of kv.list({ prefix: [...wordIndexKeys.changes(realmId)] }, { batchSize: 500 })) {
    const { key, value: words } = toEntry<WordChange | string>(entry);
    if (typeof words !== "string") continue;
    await kv.set([...key], { ids: [toValue<number>(key.at(-2))], words } satisfies WordChange);
  }
}

async function indexAll(index: OpenIndex): Promise<void> {
  while ((await indexLatest(index, 1)).indexed > 0);
}

/** Writes to the index of an organization; returns false when another process interfered. */
async function write(
  store: Store,
  realmId: number,
  writeTo: (index: OpenIndex) => Promise<void>,
): Promise<boolean> {
  const process = { name: crypto.randomUUID(), pause: () => Promise.resolve() };
  const index = await openWordIndex(store, realmId, process);
  try {
    await writeTo(index);
    return true;
  } catch (error) {
    if (error instanceof IndexConflict) return false;
    throw error;
  }
}
