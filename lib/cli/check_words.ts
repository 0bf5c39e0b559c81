import { messageKeys, type MessageRecord } from "@/lib/chat/messages/model.ts";
import {
  listMessageWords,
  segmentOf,
  unpackIds,
  type WordChange,
  wordIndexKeys,
  type WordIndexState,
} from "@/lib/chat/messages/word_index/store.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { keyName, readRecord, toEntry, toValue } from "@/lib/store/key.ts";
import { readMany } from "@/lib/store/reads.ts";
import { BATCH, type Complain } from "@/lib/chat/organization/check_index.ts";

/** Creates a check of an organization's index of words. Messages with recorded changes of words are left out. */
export async function createWordCheck(kv: Kv, realmId: number, complain: Complain) {
  const state = await readRecord<WordIndexState>(kv, wordIndexKeys.state(realmId));
  const changed = new Set<number>();
  const prefix = [...wordIndexKeys.changes(realmId)];
  for await (const entry of kv.list({ prefix }, { batchSize: BATCH })) {
    toEntry<WordChange>(entry).value.ids.forEach((id) => changed.add(id));
  }
  const isExact = (id: number) => id < (state?.indexed ?? 0) && !changed.has(id);
  let wanted = 0;
  /** Checks that the rows of words have all of the messages. */
  const check = async (messages: readonly MessageRecord[]) => {
    const words = messages.filter(({ id }) => isExact(id)).flatMap((message) =>
      Array.from(listMessageWords(message), (word) => ({ word, id: message.id }))
    );
    wanted += words.length;
    const keyOf = ({ word, id }: { word: string; id: number }) =>
      wordIndexKeys.segment(realmId, word, segmentOf(id));
    const keys = new Map(words.map((row) => [keyName(keyOf(row)), keyOf(row)]));
    const rows = new Map<string, ReadonlySet<number>>();
    for (const { key, value } of await readMany<Uint8Array>(kv, [...keys.values()])) {
      rows.set(keyName(key), new Set(value === null ? [] : unpackIds(Number(key.at(-1)), value)));
    }
    for (const one of words) {
      if (rows.get(keyName(keyOf(one)))?.has(one.id) !== true) {
        complain(`in its index of words, ${one.word} ${one.id} is missing.`);
      }
    }
  };
  return {
    check,
    /** Reports entries of the rows that no checked message has; called after all messages. */
    checkStrays: () => checkStrays(kv, { realmId, isExact, wanted: () => wanted }, complain),
  };
}

/** Compares entries with messages only if there are more or fewer entries than words. */
async function checkStrays(
  kv: Kv,
  { realmId, isExact, wanted }: {
    realmId: number;
    isExact: (id: number) => boolean;
    wanted: () => number;
  },
  complain: Complain,
): Promise<void> {
  let found = 0;
  for await (const { ids } of listRows(kv, realmId)) found += ids.filter(isExact).length;
  if (found === wanted()) return;
  for await (const { word, ids } of listRows(kv, realmId)) {
    for (const id of ids.filter(isExact)) {
      const message = await readRecord<MessageRecord>(kv, messageKeys.message(realmId, id));
      if (message === null || !listMessageWords(message).has(word)) {
        complain(`in its index of words, ${word} ${id} should not exist.`);
      }
    }
  }
}

async function* listRows(kv: Kv, realmId: number) {
  for await (const entry of kv.list({ prefix: [realmId, "word_segment"] }, { batchSize: BATCH })) {
    const { key, value } = toEntry<Uint8Array>(entry);
    yield { word: toValue<string>(key.at(-2)), ids: unpackIds(Number(key.at(-1)), value) };
  }
}
