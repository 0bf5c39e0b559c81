import type { Kv } from "@/lib/store/kv.ts";
import { Refusal } from "./errors.ts";

/** Keys that a new server writes when it starts, which alone do not count as data. */
const WRITTEN_AT_START = ["schema_version", "commit_gate"];

/**
 * Refuses a store with any data.
 * @throws Refusal.
 */
export async function requireEmpty(kv: Kv, location: string): Promise<void> {
  for await (const { key } of kv.list({ start: [], end: [true] }, { limit: WRITTEN_AT_START.length + 1 })) {
    if (!WRITTEN_AT_START.includes(String(key[0]))) {
      throw new Refusal(
        `The store ${location} is not empty. Move it away first. Neither a restore nor an import replaces data.`,
      );
    }
  }
}
