import type { Kv } from "@/lib/store/kv.ts";
import { durably } from "@/lib/store/durably.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/read_many.ts";
import { backOff } from "@/lib/store/retry.ts";
import { type Alphabet, countShorts, isUsableShort } from "./alphabet.ts";
import { createIdPermutation, type IdPermutation } from "./id_permutation.ts";
import { linkKeys } from "./store.ts";

/**
 * An order of all ids of an alphabet. Processes take blocks of numbers from one counter, so that they never get the
 * same id. Every commit of new links checks this record: a new series makes the blocks of the one before void.
 */
export interface IdSeries {
  /** Key of the permutation. */
  readonly key: Uint8Array;
  readonly alphabet: Alphabet;
  /** Whether every id in the store is of this series, so that the others are free. */
  readonly isOnly: boolean;
}

/** Ids that only the caller has, and the record that a commit with them has to check. */
export interface TakenIds {
  readonly shorts: readonly string[];
  readonly check: Deno.AtomicCheck;
}

/** Largest block of numbers: a process that is killed loses at most so many. */
const MAX_BLOCK = 1024;
/** A block is at most this part of all ids, so that several processes can share a small space. */
const BLOCKS = 16;
/** Number of ids that are looked up before the space counts as full; smaller ones are searched completely. */
const MAX_SEARCHED = 4096;

/** Takes ids for the new links of a process. */
export class IdTaker {
  readonly #store: Store;
  readonly #alphabet: Alphabet;
  #series: Deno.KvEntryMaybe<IdSeries> | null = null;
  #permutation: IdPermutation | null = null;
  #free: string[] = [];
  #block = 32;

  constructor(store: Store, alphabet: Alphabet) {
    this.#store = store;
    this.#alphabet = alphabet;
  }

  /** Takes at least one id and at most `count`; null when none is free. */
  async take(count: number): Promise<TakenIds | null> {
    if (this.#free.length === 0) await this.#refill();
    if (this.#series === null || this.#free.length === 0) return null;
    return { shorts: this.#free.splice(0, count), check: this.#series };
  }

  /** Forgets the ids of a series that has ended. */
  forget(): void {
    this.#free = [];
    this.#series = null;
  }

  /** Takes blocks until one has a free id, or until so many had none that the space counts as full. */
  async #refill(): Promise<void> {
    let searched = 0;
    // The rest of one series and all of the next one.
    const most = 2 * Math.min(countShorts(this.#alphabet), MAX_SEARCHED);
    for (let failed = 0; searched < most; failed++) {
      if (failed > 1) await backOff(Math.min(failed, 6));
      const shorts = await this.#takeBlock();
      if (shorts === null) continue;
      failed = -1;
      searched += shorts.length;
      this.#free = await this.#listFree(shorts);
      if (this.#free.length > 0) return;
    }
  }

  /** Takes the ids of a block of numbers; null when it started a series, or another process was faster. */
  async #takeBlock(): Promise<string[] | null> {
    const { kv } = this.#store;
    const [stored, taken] = await kv.getMany<[IdSeries, number]>([linkKeys.idSeries, linkKeys.idsTaken]);
    const permutation = this.#enter(stored);
    if (permutation === null || (taken.value ?? 0) >= permutation.size) {
      await this.#startSeries(stored, taken);
      return null;
    }
    const first = taken.value ?? 0;
    const count = Math.min(this.#block, Math.ceil(permutation.size / BLOCKS), permutation.size - first);
    const isTaken = await durably(this.#store, async () => {
      const atomic = kv.atomic().check(stored, taken).set(linkKeys.idsTaken, first + count);
      return (await atomic.commit()).ok;
    });
    if (!isTaken) return null;
    this.#block = Math.min(MAX_BLOCK, 2 * this.#block);
    return permutation.idsOf(first, count);
  }

  /** Returns the permutation of the stored series; null without one and for one of another alphabet. */
  #enter(stored: Deno.KvEntryMaybe<IdSeries>): IdPermutation | null {
    const { value, versionstamp } = stored;
    if (versionstamp !== null && versionstamp === this.#series?.versionstamp) return this.#permutation;
    if (value === null || !isSameAlphabet(value.alphabet, this.#alphabet)) return null;
    this.forget();
    this.#series = stored;
    return this.#permutation = createIdPermutation(value.key, value.alphabet);
  }

  /** Starts a series, unless another process does so meanwhile. */
  async #startSeries(...before: readonly Deno.AtomicCheck[]): Promise<void> {
    const { kv } = this.#store;
    const series: IdSeries = {
      key: crypto.getRandomValues(new Uint8Array(32)),
      alphabet: this.#alphabet,
      isOnly: before.every(({ versionstamp }) => versionstamp === null) && await hasNoLink(kv),
    };
    await durably(
      this.#store,
      () => kv.atomic().check(...before).set(linkKeys.idSeries, series).delete(linkKeys.idsTaken).commit(),
    );
  }

  async #listFree(shorts: readonly string[]): Promise<string[]> {
    const usable = shorts.filter(isUsableShort);
    if (this.#series?.value?.isOnly === true) return usable;
    const links = await readMany(this.#store.kv, usable.map((short) => linkKeys.link(short)));
    return usable.filter((_, at) => links[at]?.versionstamp === null);
  }
}

function isSameAlphabet(one: Alphabet, other: Alphabet): boolean {
  return one.length === other.length && one.characters.length === other.characters.length &&
    one.characters.every((character, at) => character === other.characters[at]);
}

async function hasNoLink(kv: Kv): Promise<boolean> {
  for await (const _ of kv.list({ prefix: linkKeys.links }, { limit: 1 })) return false;
  return true;
}
