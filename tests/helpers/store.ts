import { openSottoStore } from "@/lib/services/sotto_store.ts";
import type { Store } from "@/lib/store/open.ts";

/** Opens an empty store in memory, closed at the end of its block. */
export function openTestStore(): Promise<Store> {
  return openSottoStore(":memory:");
}

/** Creates a temporary folder for a test, removed at the end of its block. */
export async function createTestFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "sotto-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Returns a store that fails from its commit with this number on. */
export function failingFrom(store: Store, number: number): Store {
  let commits = 0;
  const kv = new Proxy(store.kv, {
    get(target, name) {
      if (name === "atomic" && commits++ >= number) throw new Error("interrupted");
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { ...store, kv };
}
