import assert from "node:assert/strict";
import { CommitGate, WideOperation } from "@/lib/store/connect/commit_gate.ts";
import { type Kv, MAX_MUTATIONS } from "@/lib/store/kv.ts";

/** Checks that a KV Connect server takes in an atomic operation. */
const MAX_STORE_CHECKS = 10;
const COUNTERS = 25;
const ROUNDS = 10;
const COUNTER_KEYS = Array.from({ length: COUNTERS }, (_, at) => ["counter", at]);

/** Returns an own view of a store that refuses atomic operations with more checks than a KV Connect server takes. */
function openView(kv: Deno.Kv): Pick<Kv, "get" | "atomic"> {
  const gate = new CommitGate(kv, () => {
    const operation = kv.atomic();
    const check = operation.check.bind(operation);
    let count = 0;
    return Object.assign(operation, {
      check: (...checks: Deno.AtomicCheck[]) => {
        count += checks.length;
        if (count > MAX_STORE_CHECKS) throw new Error("Too many checks included in atomic write.");
        return check(...checks);
      },
    });
  });
  return { get: kv.get.bind(kv), atomic: () => new WideOperation(gate) };
}

async function readCounters(kv: Pick<Kv, "get">): Promise<Deno.KvEntryMaybe<number>[]> {
  return await Promise.all(COUNTER_KEYS.map((key) => kv.get<number>(key)));
}

/** Increments some counters together; returns whether the commit succeeded. */
async function tryIncrement(kv: Pick<Kv, "get" | "atomic">, count: number): Promise<boolean> {
  const entries = (await readCounters(kv)).slice(0, count);
  const atomic = kv.atomic().check(...entries);
  for (const { key, value } of entries) atomic.set(key, (value ?? 0) + 1);
  return (await atomic.commit()).ok;
}

Deno.test("commits with more checks than the store takes lose no update, beside others and in other processes", async () => {
  using kv = await Deno.openKv(":memory:");
  const processes = [openView(kv), openView(kv)];
  const increment = async (view: Pick<Kv, "get" | "atomic">, count: number) => {
    for (let round = 0; round < ROUNDS; round++) while (!await tryIncrement(view, count));
  };
  await Promise.all(
    processes.flatMap((view) => [increment(view, COUNTERS), increment(view, 3), increment(view, 1)]),
  );
  const values = (await readCounters(kv)).map(({ value }) => value);
  const writers = processes.length * ROUNDS;
  const others = Array.from({ length: COUNTERS - 3 }, () => writers);
  assert.deepEqual(values, [3 * writers, 2 * writers, 2 * writers, ...others]);
});

Deno.test("a commit with many checks writes nothing when one of them fails", async () => {
  using kv = await Deno.openKv(":memory:");
  const [view, other] = [openView(kv), openView(kv)];
  const entries = await readCounters(view);
  await other.atomic().set(COUNTER_KEYS.at(-1) ?? [], 5).commit();
  const { ok } = await view.atomic().check(...entries).set(["written"], true).commit();
  assert.equal(ok, false);
  assert.equal((await kv.get(["written"])).value, null);
  // The gate is open again.
  assert.equal((await other.atomic().set(["written"], true).commit()).ok, true);
});

Deno.test("a gate that a process closed before it ended is opened by the next commit", async () => {
  using kv = await Deno.openKv(":memory:");
  await kv.set(["commit_gate"], true);
  await openView(kv).atomic().set(["written"], true).commit();
  assert.equal((await kv.get(["written"])).value, true);
});

Deno.test("a commit with as many mutations as the store takes leaves the gate open", async () => {
  using kv = await Deno.openKv(":memory:");
  const view = openView(kv);
  const entries = await readCounters(kv);
  const atomic = view.atomic().check(...entries);
  for (let at = 0; at < MAX_MUTATIONS; at++) atomic.set(["written", at], at);
  assert.equal((await atomic.commit()).ok, true);
  assert.equal((await kv.get(["commit_gate"])).value, false);
  assert.equal((await kv.get(["written", MAX_MUTATIONS - 1])).value, MAX_MUTATIONS - 1);
});
