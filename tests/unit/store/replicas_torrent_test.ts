import assert from "node:assert/strict";
import { createBatchedReads } from "@/lib/store/reads.ts";
import { createChangeQueue } from "@/lib/store/change_queue.ts";
import { Database } from "@/lib/store/database.ts";
import type { Key } from "@/lib/store/key.ts";
import { type Store, toStore } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";
import { printLine } from "@/tests/load/table.ts";

const REALM = 1;
const CLOCK: Key = [REALM, "settings_defaults"];
const CHANGES = 3000;
/** Changes of the torrent that may be made while one request waits. */
const MOST = CHANGES / 2;

/** Requests of one kind, and how many changes of the torrent were made while each of them waited. */
interface Waits {
  readonly kind: string;
  readonly changes: number[];
}

/** Changes an organization without pause while other work goes on, each kind of it one after the other. */
async function flood(
  store: Store,
  kinds: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Waits[]> {
  let made = 0;
  const torrent = (async () => {
    for (; made < CHANGES; made++) await transact(store, (tx) => Promise.resolve(tx.set(CLOCK, made + 1)));
  })();
  const waits = Object.entries(kinds).map(async ([kind, request]) => {
    const changes: number[] = [];
    while (made < CHANGES) {
      const before = made;
      await request();
      changes.push(made - before);
    }
    return { kind, changes };
  });
  const [, ...all] = await Promise.all([torrent, ...waits]);
  return all;
}

function requests(store: Store) {
  const reads = createBatchedReads(store);
  const queue = createChangeQueue<number>(store);
  let last = 0;
  const watch = (made: number | null) => {
    assert.ok((made ?? 0) >= last, "a read returned an earlier state than the one before");
    last = made ?? 0;
  };
  return {
    read: async () => watch(await reads.read<number>(CLOCK)),
    check: () =>
      transact(store, async (tx) => {
        await tx.get(CLOCK);
        tx.set(["checked"], crypto.randomUUID());
      }),
    joint: () =>
      queue.submit(async (tx) => {
        await tx.get(CLOCK);
        return tx.takeId("head");
      }),
  };
}

function assertBounded(all: readonly Waits[]): void {
  const figures = all.map(({ kind, changes }) => {
    const sorted = changes.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    return { kind, requests: sorted.length, median: at(0.5), p99: at(0.99), longest: at(1) };
  });
  const text = JSON.stringify(figures);
  if (Deno.env.get("TEST_FIGURES") !== undefined) printLine(text);
  for (const { requests, longest } of figures) assert.ok(requests > 5 && longest <= MOST, text);
}

/** Opens a store of several processes that is in memory, as the disk of a busy machine may hold up any commit for seconds. */
function openInMemory(kv: Deno.Kv): Store {
  return toStore(new Database(kv), { location: ":memory:", path: null });
}

Deno.test("a torrent of changes refuses none of the same process's requests", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = openInMemory(kv);
  assertBounded(await flood(store, requests(store)));
});

Deno.test("a torrent of changes refuses none of another process's requests", async () => {
  using kv = await Deno.openKv(":memory:");
  assertBounded(await flood(openInMemory(kv), requests(openInMemory(kv))));
});
