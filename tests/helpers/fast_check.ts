import fc from "fast-check";

// The same cases in every run; TEST_SEED selects others.
fc.configureGlobal({ seed: Number(Deno.env.get("TEST_SEED") ?? 1) });

/** The property testing library with a fixed seed. */
export default fc;

/** Any code point, also half of a surrogate pair. fast-check's own unit "binary" takes a second to build. */
export const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));
