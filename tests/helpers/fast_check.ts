import fc from "fast-check";

// The same cases in every run; TEST_SEED tries others.
fc.configureGlobal({ seed: Number(Deno.env.get("TEST_SEED") ?? 1) });

/** The library that makes cases up, with a seed. */
export default fc;
