import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { createBatchedReads } from "@/lib/store/reads.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import type { Key } from "@/lib/store/key.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import { placeOf } from "@/lib/store/resident.ts";
import { transact } from "@/lib/store/transact.ts";
import { measureLongestTurn } from "@/tests/helpers/event_loop.ts";
import { measureMs, median } from "@/tests/helpers/measure.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { printLine, toPlainRow, toTable } from "./table.ts";

const REALM = 1;
const USERS = 10_000;
const CHANNELS = 1000;
const SUBSCRIPTIONS = 16;
const CHANGES = 200;
const MIB = 1024 * 1024;

/** Measures the snapshot of a large organization in memory: `deno run -A --v8-flags=--expose-gc` with this file. */
async function main(): Promise<void> {
  await using folder = await createTestFolder();
  const path = `${folder.path}/sotto.kv`;
  {
    using seeding = await openStore(path);
    await seed(seeding);
  }
  using store = await openStore(path);
  const idle = await readMemory();
  let loadMs = 0;
  const coreTurn = await measureLongestTurn(async () => {
    loadMs = await measureMs(() => store.replicas.current(REALM));
  });
  let partsMs = 0;
  const partsTurn = await measureLongestTurn(async () => {
    partsMs = await measureMs(() => loadSubscriptions(store));
  });
  const loaded = await readMemory();
  using other = await openStore(path);
  await other.replicas.current(REALM);
  const own = await measureChanges(store, null);
  const foreign = await measureChanges(other, () => store.replicas.current(REALM));
  const applied = await measureApplication(store, await store.replicas.current(REALM));
  printLine(toTable([
    toPlainRow("memory over idle: heap", `${((loaded.heap - idle.heap) / MIB).toFixed(0)} MiB`, "≤ 150 MiB"),
    toPlainRow(
      "memory over idle: resident",
      `${((loaded.rss - idle.rss) / MIB).toFixed(0)} MiB`,
      "≤ 150 MiB",
    ),
    toPlainRow("first load", `${loadMs.toFixed(0)} ms`, "≤ 1500 ms"),
    toPlainRow("first load, longest turn", `${coreTurn.toFixed(0)} ms`, "≤ 20 ms"),
    toPlainRow(`${USERS} parts`, `${partsMs.toFixed(0)} ms`, "for information"),
    toPlainRow(`${USERS} parts, longest turn`, `${partsTurn.toFixed(0)} ms`, "for information"),
    toPlainRow("own change with its commit, median", `${own.median.toFixed(2)} ms`, "for information"),
    toPlainRow("change of another process, median", `${foreign.median.toFixed(2)} ms`, "≤ 1 ms"),
    toPlainRow("change of another process, longest", `${foreign.longest.toFixed(2)} ms`, "for information"),
    toPlainRow("applying a change, mean", `${applied.mean.toFixed(3)} ms`, "≤ 1 ms"),
    toPlainRow("applying a change, longest", `${applied.longest.toFixed(2)} ms`, "for information"),
  ]));
}

async function seed(store: Store): Promise<void> {
  const writer = new BulkWriter(store.kv);
  const text = "x".repeat(120);
  for (let id = 1; id <= USERS; id++) {
    const user = { id, delivery_email: `user${id}@example.com`, full_name: `User ${id}`, role: 400, text };
    await writer.set([REALM, "user", id], user, 400);
    await writer.set([REALM, "user_by_email", `user${id}@example.com`], id);
    for (let at = 0; at < SUBSCRIPTIONS; at++) {
      const channel = (id * 7 + at * 61) % CHANNELS + 1;
      await writer.set([REALM, "subscription", id, channel], toSubscription(channel), 200);
    }
  }
  for (let id = 1; id <= CHANNELS; id++) {
    await writer.set([REALM, "channel", id], { id, name: `channel ${id}`, description: text, text }, 500);
    await writer.set([REALM, "channel_by_name", `channel ${id}`], id);
    await writer.set([REALM, "subscriber_count", id], new Deno.KvU64(160n));
  }
  await writer.flush();
}

function toSubscription(channel: number) {
  return {
    channel_id: channel,
    color: "#76ce90",
    is_muted: false,
    pin_to_top: false,
    notify: null,
    since: 1,
  };
}

async function loadSubscriptions(store: Store): Promise<void> {
  let snapshot = await store.replicas.current(REALM);
  for (let id = 1; id <= USERS; id++) {
    const place = placeOf([REALM, "subscription", id, 1]);
    if (place !== null) snapshot = await store.replicas.withRows(snapshot, place);
  }
}

/** Changes users and subscriptions in turn, and measures what follows, or the change itself. */
async function measureChanges(store: Store, after: (() => Promise<unknown>) | null) {
  const times: number[] = [];
  const reads = createBatchedReads(store);
  for (let at = 0; at < CHANGES; at++) {
    const id = at % USERS + 1;
    const key: Key = at % 2 === 0 ? [REALM, "user", id] : [REALM, "subscription", id, 1];
    const value = { ...await reads.read<object>(key), at };
    const changeMs = await measureMs(() => transact(store, (tx) => Promise.resolve(tx.set(key, value))));
    times.push(after === null ? changeMs : await measureMs(after));
  }
  return { median: median(times), longest: Math.max(...times) };
}

/** Applies changes to a snapshot, without the store. */
async function measureApplication(store: Store, first: Awaited<ReturnType<typeof store.replicas.current>>) {
  let snapshot = first;
  const times: number[] = [];
  for (let at = 1; at <= 2000; at++) {
    const key: Key = at % 2 === 0 ? [REALM, "user", at] : [REALM, "subscription", at, 1];
    times.push(
      await measureMs(() => {
        snapshot = snapshot.after({ version: at, stamp: String(at) }, [{ key, value: { at } }]);
      }),
    );
  }
  return { mean: times.reduce((sum, ms) => sum + ms, 0) / times.length, longest: Math.max(...times) };
}

async function readMemory(): Promise<{ readonly heap: number; readonly rss: number }> {
  for (let round = 0; round < 3; round++) {
    Reflect.get(globalThis, "gc")?.();
    await yieldToEventLoop();
  }
  const { heapUsed, rss } = Deno.memoryUsage();
  return { heap: heapUsed, rss };
}

if (import.meta.main) await main();
