import assert from "node:assert/strict";
import { addDaySums } from "@/lib/chat/organization/statistics/migration.ts";
import type { Store } from "@/lib/store/open.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const DAY = 86_400_000;
const VERSION = 3;

/** Writes two organizations with more messages than one slice takes. */
async function fillStore({ kv }: Store): Promise<void> {
  await kv.set(["schema_version"], VERSION);
  for (const realmId of [1, 4]) {
    await kv.set(["realm", realmId], { id: realmId });
    await kv.set([realmId, "channel", 1], { id: 1, invite_only: false });
    for (let first = 1; first <= 900; first += 100) {
      const atomic = kv.atomic();
      for (let id = first; id < first + 100; id++) {
        atomic.set([realmId, "message", id], {
          channel_id: 1,
          conversation_id: null,
          sent_at: (20_000 + id % 3) * DAY + id,
        });
      }
      await atomic.commit();
    }
  }
}

async function readAll({ kv }: Store): Promise<Readonly<Record<string, number>>> {
  const sums: Record<string, number> = {};
  for (const realmId of [1, 4]) {
    for await (const { key, value } of kv.list<Deno.KvU64>({ prefix: [realmId, "day_sum"] })) {
      sums[key.join(" ")] = Number(value);
    }
  }
  return sums;
}

const EXPECTED = Object.fromEntries(
  [1, 4].flatMap((realmId) =>
    [20_000, 20_001, 20_002].flatMap((day) => [
      [`${realmId} day_sum channel_messages ${day} 1`, 300],
      [`${realmId} day_sum messages ${day} public`, 300],
    ])
  ),
);

Deno.test("processes that migrate at once count each record of each organization once", async () => {
  using store = await openTestStore();
  await fillStore(store);
  await Promise.all(Array.from({ length: 4 }, () => addDaySums(store)));
  assert.deepEqual(await readAll(store), EXPECTED);
  assert.equal((await store.kv.get(["schema_version"])).value, 17);
  assert.equal((await store.kv.get(["day_sum_progress"])).value, null);
});

Deno.test("an interrupted migration continues after the last slice", async () => {
  using store = await openTestStore();
  await fillStore(store);
  // As after two slices of the first organization: 800 of its messages are counted.
  await store.kv.set(["day_sum_progress"], { realmId: 1, source: 0, after: 800 });
  await addDaySums(store);
  const sums = await readAll(store);
  assert.deepEqual(
    [20_000, 20_001, 20_002].map((day) => sums[`1 day_sum messages ${day} public`]),
    [34, 33, 33],
  );
  assert.equal(sums["4 day_sum messages 20000 public"], 300);
});
