import assert from "node:assert/strict";
import { DAY_MS, dayOf } from "@/lib/core/clock.ts";
import { openStore } from "@/lib/store/open.ts";
import { createStoreSizeSampler, listStoreSizes, readStoreSize } from "@/lib/services/sotto_store.ts";
import { createFakeClock } from "@/tests/helpers/app.ts";

const report = (error: unknown) => {
  throw error;
};

Deno.test("the last size of the store's files on each day is kept, and days without one are missing", async () => {
  const folder = await Deno.makeTempDir();
  const clock = createFakeClock();
  {
    using store = await openStore(`${folder}/sotto.kv`);
    const sampler = createStoreSizeSampler(store, { clock, report });
    assert.equal(await sampler.sweep(), 1);
    clock.time += 2 * DAY_MS;
    await sampler.sweep();
    await store.kv.set(["leaf"], "x".repeat(50_000));
    const last = await readStoreSize(store);
    await sampler.sweep();
    const today = dayOf(clock.time);
    const sizes = await listStoreSizes(store, { from: today - 2, to: today });
    assert.deepEqual(sizes.map(({ day }) => day), [today - 2, today]);
    assert.equal(sizes[1]?.bytes, last);
    assert.ok((last ?? 0) > 50_000 + (await Deno.stat(`${folder}/sotto.kv`)).size, "with the -wal file");
    assert.equal((await listStoreSizes(store, { from: today + 1, to: today + 9 })).length, 0);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a store without a file has no size", async () => {
  using store = await openStore(":memory:");
  assert.equal(await readStoreSize(store), null);
  assert.equal(await createStoreSizeSampler(store, { clock: createFakeClock(), report }).sweep(), 0);
});
