import fc from "fast-check";

// The same cases in every run; TEST_SEED selects others.
fc.configureGlobal({ seed: Number(Deno.env.get("TEST_SEED") ?? 1) });

/** Factor by which TEST_RUNS multiplies the cases, as new seeds find more than many cases of one seed. */
const FACTOR = Number(Deno.env.get("TEST_RUNS") ?? 1);

/** The property testing library with a fixed seed. */
export default fc;

/** Any code point, also half of a surrogate pair. fast-check's own unit "binary" takes a second to build. */
export const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));

/** Returns the option for this number of random cases, multiplied by TEST_RUNS. */
export function numberOfRuns(count: number): { readonly numRuns: number } {
  return { numRuns: count * FACTOR };
}
