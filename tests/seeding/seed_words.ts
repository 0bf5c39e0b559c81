import { messageKeys, type MessageRecord } from "@/lib/chat/messages/model.ts";
import {
  listMessageWords,
  packIds,
  SEGMENT_IDS,
  segmentOf,
  wordIndexKeys,
  type WordIndexState,
} from "@/lib/chat/messages/word_index/store.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { toEntry } from "@/lib/store/key.ts";
import { createPipelinedWriter } from "./commit_pipeline.ts";
import { byText } from "./key_order.ts";

/** Maximum size of the packed ids of a segment. */
const ROW_BYTES = SEGMENT_IDS / 8;

/**
 * Collects the words of an organization's messages, ids ascending, and writes their index as the indexer leaves it.
 * Messages that were not added are read from the store.
 */
export class WordSeeder {
  readonly #kv: Kv;
  readonly #realmId: number;
  readonly #words = new Map<string, number[]>();
  /** Ranges of ids that were not added, without their ends. */
  readonly #gaps: (readonly [from: number, end: number])[] = [];
  #next = 0;

  constructor(kv: Kv, realmId: number) {
    this.#kv = kv;
    this.#realmId = realmId;
  }

  /** Adds a message with its words. */
  add(id: number, words: Iterable<string>): void {
    if (id > this.#next) this.#gaps.push([this.#next, id]);
    this.#next = id + 1;
    this.#collect(id, words);
  }

  /** Writes the words of all messages up to the last id of the store. */
  async finish(head: number): Promise<void> {
    const prefix = [...messageKeys.messages(this.#realmId)];
    for (const [from, end] of [...this.#gaps, [this.#next, head + 1]] as const) {
      for await (const entry of this.#kv.list({ start: [...prefix, from], end: [...prefix, end] })) {
        const { value } = toEntry<MessageRecord>(entry);
        this.#collect(value.id, listMessageWords(value));
      }
    }
    const writer = createPipelinedWriter(this.#kv);
    for (const [word, ids] of [...this.#words].sort(([one], [other]) => byText(one, other))) {
      const segments = [...Map.groupBy(ids, segmentOf)].sort(([one], [other]) => one - other);
      for (const [segment, own] of segments) {
        await writer.set(wordIndexKeys.segment(this.#realmId, word, segment), packIds(own), ROW_BYTES);
      }
    }
    await writer.settle();
    const state: WordIndexState = { indexed: head + 1, owner: "" };
    await this.#kv.set(wordIndexKeys.state(this.#realmId), state);
  }

  #collect(id: number, words: Iterable<string>): void {
    for (const word of words) {
      const ids = this.#words.get(word);
      if (ids === undefined) this.#words.set(word, [id]);
      else ids.push(id);
    }
  }
}
