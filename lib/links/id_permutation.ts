import { createCipheriv } from "node:crypto";
import { type Alphabet, shortAt } from "./alphabet.ts";

/** Ids of an alphabet by number, in an order that nobody can guess without the key. */
export interface IdPermutation {
  /** Number of ids; each number below it has one, and no two have the same. */
  readonly size: number;
  /** Returns the ids of `count` numbers from `first` on. */
  idsOf(first: number, count: number): string[];
}

/** Rounds of the Feistel network. */
const ROUNDS = 8;
/** Maximum number of numbered ids: larger numbers would not be exact with the additions of a round. */
const MAX_SIZE = 2 ** 52;
/** Words of 32 bits in a block of the cipher. */
const BLOCK_WORDS = 4;
/** Digits of an id that a block of the cipher gives: 16 bits each. */
const BLOCK_DIGITS = 8;
/** First word of the blocks that digits are drawn from, which differs from every round. */
const DIGITS = 0xffff_ffff;

/**
 * Creates the permutation of an alphabet's ids for a key of 32 bytes: a Feistel network over pairs of numbers, the
 * rounds of which are AES. A number that leaves the space is permuted again until it is back. Of ids with
 * more characters than `MAX_SIZE` has room for, the first ones are permuted and the others drawn from them.
 */
export function createIdPermutation(key: Uint8Array, { characters, length }: Alphabet): IdPermutation {
  const numbered = Math.min(length, Math.floor(Math.log(MAX_SIZE) / Math.log(characters.length)));
  const size = characters.length ** numbered;
  const side = Math.ceil(Math.sqrt(size));
  const encrypt = createBlockCipher(key);

  const permute = (numbers: readonly number[]): number[] => {
    let left = numbers.map((number) => Math.floor(number / side));
    let right = numbers.map((number) => number % side);
    for (let round = 0; round < ROUNDS; round++) {
      const words = encrypt(right.map((half) => [round, half]));
      const mixed = left.map((half, at) => (half + wide(words, BLOCK_WORDS * at) % side) % side);
      [left, right] = [right, mixed];
    }
    return left.map((half, at) => half * side + (right[at] ?? 0));
  };

  const walk = (numbers: readonly number[]): number[] => {
    const permuted = permute(numbers);
    const outside = permuted.flatMap((number, at) => number < size ? [] : [at]);
    if (outside.length === 0) return permuted;
    const back = walk(outside.map((at) => permuted[at] ?? 0));
    outside.forEach((at, number) => permuted[at] = back[number] ?? 0);
    return permuted;
  };

  const drawRest = (number: number): string => {
    const digits = length - numbered;
    const blocks = Array.from({ length: Math.ceil(digits / BLOCK_DIGITS) }, (_, block) => block);
    const words = encrypt(
      blocks.map((block) => [DIGITS, block, Math.floor(number / 2 ** 32), number % 2 ** 32]),
    );
    const drawn = new Uint16Array(words.buffer, words.byteOffset, digits);
    return Array.from(drawn, (digit) => characters[digit % characters.length]).join("");
  };

  return {
    size,
    idsOf(first, count) {
      return walk(Array.from({ length: count }, (_, at) => first + at)).map((number) => {
        const short = shortAt({ characters, length: numbered }, number);
        return numbered === length ? short : short + drawRest(number);
      });
    },
  };
}

/** Returns a function that encrypts blocks of four words at once; missing words are 0. */
function createBlockCipher(key: Uint8Array): (blocks: readonly (readonly number[])[]) => Uint32Array {
  const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  return (blocks) => {
    const words = new Uint32Array(BLOCK_WORDS * blocks.length);
    blocks.forEach((block, at) => words.set(block, BLOCK_WORDS * at));
    const bytes = cipher.update(new Uint8Array(words.buffer));
    // A copy, because the words of the result have to be aligned.
    return new Uint32Array(Uint8Array.from(bytes).buffer);
  };
}

/** Returns a number of 48 bits. */
function wide(words: Uint32Array, at: number): number {
  return ((words[at] ?? 0) & 0xffff) * 2 ** 32 + (words[at + 1] ?? 0);
}
