import config from "@/deno.json" with { type: "json" };

/** Compressed bytes that the published Fresh's client runtime has beyond that of `lib/fresh`. */
const PUBLISHED_SURPLUS_BYTES = 8_000;

/** Whether the project runs on `lib/fresh`; without the link it runs on the published package. */
const isLinked = "links" in config;

/** Returns the limit of a page's compressed scripts, given the one that holds with `lib/fresh`, in bytes. */
export function scriptLimit(bytes: number): number {
  return isLinked ? bytes : bytes + PUBLISHED_SURPLUS_BYTES;
}
