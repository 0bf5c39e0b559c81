import assert from "node:assert/strict";
import type { Kv } from "@/lib/store/kv.ts";
import type { Key } from "@/lib/store/key.ts";
import { listRows, openCopy } from "@/tests/helpers/copied_store.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { cacheReads } from "@/tests/helpers/read_cache.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

/** Keys of which a copied store has every second one. */
const KEYS: readonly Key[] = [["a"], ["a", 0], ["a", 1], ["a", 1, "x"], ["b"], ["b", 2n], ["b", true], ["c"]];

const keys = fc.uniqueArray(fc.nat({ max: KEYS.length - 1 }), { minLength: 1, maxLength: 4 });
const steps = fc.array(fc.tuple(keys, fc.constantFrom("read", "list", "set", "delete")), {
  minLength: 20,
  maxLength: 40,
});

/** Reads keys, or lists all keys whose first part is that of the first one. */
async function read(
  kv: Kv,
  kind: "read" | "list",
  named: readonly Key[],
): Promise<readonly Deno.KvEntryMaybe<unknown>[]> {
  if (kind === "read") return await kv.getMany<unknown[]>([...named]);
  return await Array.fromAsync(kv.list({ prefix: named[0]?.slice(0, 1) ?? [] }));
}

/** Returns entries without their versions, which differ between stores. */
function toValues(entries: readonly Deno.KvEntryMaybe<unknown>[]) {
  return entries.map(({ key, value }) => ({ key, value }));
}

/** Sets keys to a number, or deletes them, in one commit. */
async function write(
  kv: Kv,
  kind: "set" | "delete",
  { named, nth }: { named: readonly Key[]; nth: number },
): Promise<void> {
  const operation = kv.atomic();
  for (const key of named) {
    if (kind === "set") operation.set(key, { nth });
    else operation.delete(key);
  }
  assert.ok((await operation.commit()).ok);
}

Deno.test("a copied store answers reads as its database does, after any writes", async () => {
  using original = await openTestStore();
  for (const [at, key] of KEYS.entries()) if (at % 2 === 0) await original.kv.set(key, { at });
  const rows = await listRows(original);
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      using copy = await openCopy(rows);
      using other = await openTestStore();
      for (const { key, value } of rows) await other.kv.set(key, value);
      for (const [nth, [chosen, kind]] of steps.entries()) {
        const named = chosen.map((at) => KEYS[at] ?? []);
        if (kind === "read" || kind === "list") {
          const entries = await read(copy.kv, kind, named);
          const expected = await read(other.kv, kind, named);
          assert.deepEqual(toValues(entries), toValues(expected));
          // The checks fail where an entry is not the current one.
          assert.ok((await copy.kv.atomic().check(...entries).commit()).ok);
        } else await Promise.all([copy, other].map(({ kv }) => write(kv, kind, { named, nth })));
      }
    }),
    numberOfRuns(30),
  );
});

Deno.test("a listing that is answered from memory continues at the cursor of its database", async () => {
  using original = await openTestStore();
  for (const key of KEYS) await original.kv.set(["page", ...key], true);
  using copy = await openCopy(await listRows(original));
  const list = async (cursor?: string) => {
    const options = { limit: 3, ...(cursor === undefined ? {} : { cursor }) };
    const listing = copy.kv.list({ prefix: ["page"] }, options);
    const keys = await Array.fromAsync(listing, ({ key }) => key.slice(1));
    return { keys, cursor: listing.cursor };
  };
  const first = await list();
  assert.deepEqual(await list(), first);
  assert.deepEqual(first.keys, KEYS.slice(0, 3));
  assert.deepEqual((await list(first.cursor)).keys, KEYS.slice(3, 6));
});

Deno.test("a copied store refuses keys that its database refuses", async () => {
  using original = await openTestStore();
  using copy = await openCopy(await listRows(original));
  await assert.rejects(copy.kv.get(["x".repeat(3000)]), TypeError);
  await assert.rejects(copy.kv.getMany(Array.from({ length: 11 }, () => ["a"])), TypeError);
});

Deno.test("a read that a write falls into returns the entries of one moment", async () => {
  using store = await openTestStore();
  const { kv } = store;
  const getMany = kv.getMany.bind(kv);
  let before = (): Promise<unknown> => Promise.resolve();
  Object.assign(kv, {
    async getMany(keys: readonly Key[]) {
      await before();
      return await getMany<unknown[]>([...keys]);
    },
  });
  cacheReads(kv);
  await kv.set(["a"], "old");
  assert.equal((await kv.get(["a"])).value, "old");
  before = () => {
    before = () => Promise.resolve();
    return kv.atomic().set(["a"], "new").set(["b"], "new").commit();
  };
  const entries = await kv.getMany([["a"], ["b"]]);
  assert.deepEqual(entries.map(({ value }) => value), ["new", "new"]);
});
