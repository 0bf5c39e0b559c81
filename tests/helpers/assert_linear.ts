import assert from "node:assert/strict";
import { measureMs } from "./measure.ts";

/** Ratio of the lengths of the long and the short text. */
const FACTOR = 16;
/**
 * Maximum ratio of the long text's time to that of `FACTOR` short texts: linear work takes as long, quadratic
 * work `FACTOR` times as long.
 */
const MOST = 6;
/** Rounds before the comparison counts as failed: a busy machine interrupts many of them, but not all. */
const ROUNDS = 50;

/** Generates texts of any length, up to a longest one. */
export interface TextGenerator {
  /** Returns a text of about `length` characters. */
  readonly make: (length: number) => string;
  readonly longest: number;
}

/**
 * Asserts that reading a text takes time in proportion to its length: compares the least time of one long
 * text with the least time of short ones of the same total length.
 */
export async function assertLinear(
  read: (text: string) => unknown,
  { make, longest }: TextGenerator,
): Promise<void> {
  const [short, long] = [make(longest / FACTOR), make(longest)];
  const readShort = () => {
    for (let time = 0; time < FACTOR; time++) read(short);
  };
  // Compiles the function under test, so that the time counts for neither text.
  read(short);
  let [shortMs, longMs] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    // Alternates the order, as the second run is interrupted more often.
    if (round % 2 === 0) shortMs = Math.min(shortMs, await measureMs(readShort));
    longMs = Math.min(longMs, await measureMs(() => read(long)));
    if (round % 2 === 1) shortMs = Math.min(shortMs, await measureMs(readShort));
    if (longMs < MOST * shortMs) return;
  }
  const text = JSON.stringify(long.slice(0, 20));
  assert.fail(`${text}… takes ${longMs} ms in one text, ${shortMs} ms in ${FACTOR} short ones`);
}
