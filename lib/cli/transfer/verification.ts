import { createHash } from "node:crypto";
import type { Kv } from "@/lib/store/kv.ts";
import { listAll } from "@/lib/store/reads.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { isStoreBound } from "./expiring_entries.ts";
import { type ExportedEntry, formatEntry } from "./export_format.ts";

/**
 * Expected content of a store after an import: the count and checksum of the entries without an expiry, and the
 * digests of the others, each of which may be missing once it has expired.
 */
export class Expectation {
  readonly #hash = createHash("sha256");
  #count = 0;
  /** Expiries of the entries that have one, by their digest. */
  readonly #expiring = new Map<string, number>();

  add({ text, expiresAt }: ExportedEntry): void {
    if (expiresAt === null) {
      this.#hash.update(text).update("\n");
      this.#count++;
    } else {
      this.#expiring.set(digest(text), expiresAt);
    }
  }

  /**
   * Reads the whole store and returns what is wrong with it in a sentence; null when it contains exactly what is
   * expected. Call it once. `onEntry` is called after each entry.
   */
  async findProblem(kv: Kv, onEntry: () => void = () => {}): Promise<string | null> {
    const hash = createHash("sha256");
    let count = 0;
    for await (const entry of listAll(kv)) {
      if (isStoreBound(entry.key)) continue;
      const text = formatEntry(entry);
      if (this.#expiring.size === 0 || !this.#expiring.delete(digest(text))) {
        hash.update(text).update("\n");
        count++;
      }
      onEntry();
    }
    if (count !== this.#count) {
      return `The store has ${count} lasting entries; the export has ${this.#count}.`;
    }
    if (hash.digest("hex") !== this.#hash.digest("hex")) {
      return "The checksum of the store's entries is not that of the export.";
    }
    const now = systemClock.now();
    const missing = this.#expiring.values().filter((expiresAt) => expiresAt > now).toArray().length;
    return missing === 0 ? null : `${missing} entries that have not expired are missing.`;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64").slice(0, 22);
}
