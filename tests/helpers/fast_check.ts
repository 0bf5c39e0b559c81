import fc from "fast-check";

// The same cases in every run; TEST_SEED selects others.
fc.configureGlobal({ seed: Number(Deno.env.get("TEST_SEED") ?? 1) });

/** The property testing library with a fixed seed. */
export default fc;
