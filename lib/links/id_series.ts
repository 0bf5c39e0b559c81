import { createCipheriv } from "node:crypto";
import { isEqual } from "es-toolkit/predicate/isEqual";
import { durably } from "@/lib/store/durably.ts";
import type { Store } from "@/lib/store/open.ts";
import { readMany } from "@/lib/store/reads.ts";
import { backOff } from "@/lib/store/retry.ts";
import { type Alphabet, countShorts, RESERVED_SEGMENTS, shortAt } from "./alphabet.ts";
import { linkKeys } from "./store.ts";

/**
 * An order of all ids of an alphabet. Processes take blocks of numbers from one counter, so that they never get the
 * same id. Every commit of new links checks this record: a new series makes the blocks of the one before void.
 */
interface IdSeries {
  readonly key: Uint8Array;
  readonly alphabet: Alphabet;
  /** Whether every id in the store is of this series, so that the others are free. */
  readonly isOnly: boolean;
}

/** Largest block of numbers: a process that is killed loses at most so many. */
const MAX_BLOCK = 1024;
/** A block is at most this part of all ids, so that several processes can share a small space. */
const BLOCKS = 16;
/** Number of ids that are looked up before the space counts as full; smaller ones are searched completely. */
const MAX_SEARCHED = 4096;

export class IdTaker {
  readonly #store: Store;
  readonly #alphabet: Alphabet;
  #series: Deno.KvEntryMaybe<IdSeries> | null = null;
  #free: string[] = [];
  #block = 32;

  constructor(store: Store, alphabet: Alphabet) {
    this.#store = store;
    this.#alphabet = alphabet;
  }

  /**
   * Takes at least one id and at most `count`, which no other caller gets, and the record that a commit with them has to
   * check; null when none is free.
   */
  async take(count: number): Promise<{ shorts: readonly string[]; check: Deno.AtomicCheck } | null> {
    // What is left of one series, and all of the next one.
    const most = 2 * Math.min(countShorts(this.#alphabet), MAX_SEARCHED);
    for (let [searched, failed] = [0, 0]; this.#free.length === 0 && searched < most; failed++) {
      if (failed > 1) await backOff(Math.min(failed, 6));
      const shorts = await this.#takeBlock();
      if (shorts === null) continue;
      failed = -1;
      searched += shorts.length;
      this.#free = await this.#listFree(shorts);
    }
    if (this.#series === null || this.#free.length === 0) return null;
    return { shorts: this.#free.splice(0, count), check: this.#series };
  }

  forget(): void {
    this.#free = [];
    this.#series = null;
  }

  /** Takes the ids of a block of numbers; null when it started a series, or another process was faster. */
  async #takeBlock(): Promise<string[] | null> {
    const { kv } = this.#store;
    const [stored, taken] = await kv.getMany<[IdSeries, number]>([linkKeys.idSeries, linkKeys.idsTaken]);
    const isOwn = isEqual(stored.value?.alphabet, this.#alphabet);
    const ids = isOwn && stored.value !== null ? createIdPermutation(stored.value.key, this.#alphabet) : null;
    const first = taken.value ?? 0;
    if (ids === null || first >= ids.size) {
      const isNew = stored.versionstamp === null && taken.versionstamp === null;
      const isOnly = isNew &&
        (await Array.fromAsync(kv.list({ prefix: linkKeys.link() }, { limit: 1 }))).length === 0;
      const key = crypto.getRandomValues(new Uint8Array(32));
      const series: IdSeries = { key, alphabet: this.#alphabet, isOnly };
      // Unless another process starts one meanwhile.
      await durably(this.#store, () => {
        const atomic = kv.atomic().check(stored, taken).set(linkKeys.idSeries, series);
        return atomic.delete(linkKeys.idsTaken).commit();
      });
      return null;
    }
    const count = Math.min(this.#block, Math.ceil(ids.size / BLOCKS), ids.size - first);
    const isTaken = await durably(this.#store, async () => {
      const atomic = kv.atomic().check(stored, taken).set(linkKeys.idsTaken, first + count);
      return (await atomic.commit()).ok;
    });
    if (!isTaken) return null;
    this.#series = stored;
    this.#block = Math.min(MAX_BLOCK, 2 * this.#block);
    return ids.idsOf(first, count);
  }

  async #listFree(shorts: readonly string[]): Promise<string[]> {
    const usable = shorts.filter((short) => !RESERVED_SEGMENTS.includes(short));
    if (this.#series?.value?.isOnly === true) return usable;
    const links = await readMany(this.#store.kv, usable.map((short) => linkKeys.link(short)));
    return usable.filter((_, at) => links[at]?.versionstamp === null);
  }
}

const ROUNDS = 8;
/** Maximum number of numbered ids: larger numbers would not be exact with the additions of a round. */
const MAX_SIZE = 2 ** 52;
/** Size of a block of the cipher in bytes, and in words of 32 bits. */
const BLOCK_BYTES = 16;
const BLOCK_WORDS = 4;

/**
 * Creates the order of an alphabet's ids for a key of 32 bytes, which nobody can guess without it: a Feistel network
 * over pairs of numbers, the rounds of which are AES. A number that leaves the space is permuted again until it is
 * back. Of ids with more characters than `MAX_SIZE` has room for, the first ones are permuted and the others drawn
 * from them. The permuted part must stay as it is, because a stored series continues after an update.
 */
export function createIdPermutation(key: Uint8Array, { characters, length }: Alphabet) {
  const numbered = Math.min(length, Math.floor(Math.log(MAX_SIZE) / Math.log(characters.length)));
  const size = characters.length ** numbered;
  const side = Math.ceil(Math.sqrt(size));
  const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);

  /** Returns 48 bits for each number and a round; of a larger number, its lowest 32 bits count. */
  const draw = (round: number, numbers: readonly number[]): number[] => {
    const words = new Uint32Array(BLOCK_WORDS * numbers.length);
    numbers.forEach((number, at) => words.set([round, number], BLOCK_WORDS * at));
    const bytes = cipher.update(new Uint8Array(words.buffer));
    return numbers.map((_, at) =>
      bytes.readUInt16LE(BLOCK_BYTES * at) * 2 ** 32 + bytes.readUInt32LE(BLOCK_BYTES * at + 4)
    );
  };

  const permute = (numbers: readonly number[]): number[] => {
    let left = numbers.map((number) => Math.floor(number / side));
    let right = numbers.map((number) => number % side);
    for (let round = 0; round < ROUNDS; round++) {
      const drawn = draw(round, right);
      [left, right] = [right, left.map((half, at) => (half + (drawn[at] ?? 0) % side) % side)];
    }
    const permuted = left.map((half, at) => half * side + (right[at] ?? 0));
    return permuted.flatMap((number) => number < size ? [number] : permute([number]));
  };

  return {
    /** Number of ids; each number below it has one, and no two have the same. */
    size,
    /** Returns the ids of `count` numbers from `first` on. */
    idsOf(first: number, count: number): string[] {
      const numbers = permute(Array.from({ length: count }, (_, at) => first + at));
      const others = Array.from({ length: length - numbered }, (_, at) => draw(ROUNDS + at, numbers));
      return numbers.map((number, at) => {
        const drawn = others.map((values) => characters[(values[at] ?? 0) % characters.length]);
        return shortAt({ characters, length: numbered }, number) + drawn.join("");
      });
    },
  };
}
