import { openSottoStore } from "@/lib/kv/sotto_store.ts";
import type { Store } from "@/lib/kv/open.ts";

/** An empty store in memory, closed at the end of its block. */
export function openTestStore(): Promise<Store> {
  return openSottoStore(":memory:");
}

/** A folder of its own for a test, removed at the end of its block. */
export async function makeTestFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "sotto-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
