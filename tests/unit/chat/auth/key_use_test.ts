import assert from "node:assert/strict";
import { createKeyUseRecorder, readKeyUseDay } from "@/lib/chat/people/auth/api_keys.ts";
import { createBatchedReads } from "@/lib/store/reads.ts";
import type { Store } from "@/lib/store/open.ts";
import { createFakeClock, type FakeClock } from "@/tests/helpers/app.ts";
import { type CommitFate, createFaultyKv } from "@/tests/helpers/faulty_kv.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const ADA = { id: 8, key_generation: 1 };
const DAY_MS = 86_400_000;

/** Starts a recorder as a process of its own does. */
function startRecorder(store: Store, clock: FakeClock) {
  return createKeyUseRecorder({ store, reads: createBatchedReads(store), clock });
}

/** Returns a view of a store that counts its commits. */
function countCommits(store: Store, draw: () => CommitFate = () => "succeeds") {
  const counted = { commits: 0 };
  const kv = createFaultyKv(store.kv, () => {
    counted.commits++;
    return draw();
  });
  return { counted, store: { ...store, kv } };
}

function dayIn(store: Store, user = ADA): Promise<number | null> {
  return readKeyUseDay({ reads: createBatchedReads(store) }, 1, user);
}

Deno.test("record() writes once a day, however many requests there are", async () => {
  using opened = await openTestStore();
  const { store, counted } = countCommits(opened);
  const clock = createFakeClock();
  const recorder = startRecorder(store, clock);
  const today = Math.floor(clock.time / DAY_MS);
  assert.equal(await dayIn(store), null);
  await Promise.all(Array.from({ length: 20 }, () => recorder.record(1, ADA)));
  await recorder.record(1, ADA);
  assert.deepEqual([await dayIn(store), counted.commits], [today, 1]);
  clock.time += DAY_MS;
  for (let at = 0; at < 3; at++) await recorder.record(1, ADA);
  assert.deepEqual([await dayIn(store), counted.commits], [today + 1, 2]);
});

Deno.test("record() writes the uses of many keys in few commits", async () => {
  using opened = await openTestStore();
  const { store, counted } = countCommits(opened);
  const recorder = startRecorder(store, createFakeClock());
  const ids = Array.from({ length: 100 }, (_, id) => id);
  await Promise.all(ids.map((id) => recorder.record(1, { id, key_generation: 0 })));
  assert.ok(counted.commits <= 4, `${counted.commits} commits`);
  for (const id of ids) assert.notEqual(await dayIn(store, { id, key_generation: 0 }), null);
});

Deno.test("record() in several processes stores the latest day, which no slower clock replaces", async () => {
  using opened = await openTestStore();
  const { store, counted } = countCommits(opened);
  const [clock, slow] = [createFakeClock(), createFakeClock()];
  const today = Math.floor(clock.time / DAY_MS);
  const processes = [startRecorder(store, clock), startRecorder(store, clock)];
  for (const recorder of processes) await recorder.record(1, ADA);
  assert.equal(counted.commits, 1);
  slow.time -= DAY_MS;
  await startRecorder(store, slow).record(1, ADA);
  assert.deepEqual([await dayIn(store), counted.commits], [today, 1]);
});

Deno.test("record() knows the uses of a replaced key from those of the new one", async () => {
  using store = await openTestStore();
  const clock = createFakeClock();
  const recorder = startRecorder(store, clock);
  const rotated = { ...ADA, key_generation: 2 };
  await recorder.record(1, ADA);
  assert.equal(await dayIn(store, rotated), null);
  await recorder.record(1, rotated);
  clock.time += DAY_MS;
  // A request with the former key that was under way when the key was replaced.
  await recorder.record(1, ADA);
  assert.equal(await dayIn(store, rotated), Math.floor(clock.time / DAY_MS) - 1);
});

Deno.test("record() does not fail when the store cannot be written, and tries again", async () => {
  using opened = await openTestStore();
  let fate: CommitFate = "refused";
  const { store, counted } = countCommits(opened, () => fate);
  const recorder = startRecorder(store, createFakeClock());
  await recorder.record(1, ADA);
  assert.equal(await dayIn(store), null);
  const failed = counted.commits;
  fate = "succeeds";
  await recorder.record(1, ADA);
  await recorder.record(1, ADA);
  assert.notEqual(await dayIn(store), null);
  assert.equal(counted.commits, failed + 1);
});
