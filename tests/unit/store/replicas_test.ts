import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { createBatchedReads } from "@/lib/store/reads.ts";
import { createChangeQueue } from "@/lib/store/change_queue.ts";
import type { Key } from "@/lib/store/key.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import { Replicas } from "@/lib/store/replicas.ts";
import { readWithin, transact } from "@/lib/store/transact.ts";
import { createTestFolder, openTestStore } from "@/tests/helpers/store.ts";
import { settled } from "@/tests/helpers/wait.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

const REALM = 1;
const ORGANIZATION: Key = [REALM, "settings_defaults"];

/** Opens two processes on one file. */
async function openTwo() {
  const folder = await createTestFolder();
  const path = `${folder.path}/sotto.kv`;
  const [one, other] = [await openStore(path), await openStore(path)];
  return {
    one,
    other,
    [Symbol.asyncDispose]: async () => {
      one[Symbol.dispose]();
      other[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function countUp(store: Store): Promise<void> {
  await transact(store, async (tx) => tx.set(ORGANIZATION, (await tx.get<number>(ORGANIZATION) ?? 0) + 1));
}

Deno.test("a change in pieces, and one that is too large for a record, arrive in another process", async () => {
  await using two = await openTwo();
  const { one, other } = two;
  for (const count of [1, 3, 5]) {
    const text = `${count}`.repeat(60_000);
    const keys = Array.from({ length: count }, (_, at): Key => [REALM, "user", at]);
    await createBatchedReads(other).read(ORGANIZATION);
    await writeRows(one, keys.map((key) => [key, text]));
    for (const key of keys) {
      assert.equal(await createBatchedReads(other).read(key), text);
      assert.equal(await createBatchedReads(one).read(key), text);
    }
  }
});

Deno.test("a transaction that loads many parts ends although another process changes during each load", async () => {
  await using two = await openTwo();
  const { one, other } = two;
  const people = Array.from({ length: 60 }, (_, id) => id);
  await writeRows(one, people.map((id) => [[REALM, "subscription", id, 1], id]));
  const begun = new Set<number>();
  const sum = await transact(other, async (tx) => {
    let sum = await tx.get<number>(ORGANIZATION) ?? 0;
    for (const id of people) {
      if (!begun.has(id)) await countUp(one);
      begun.add(id);
      sum += await tx.get<number>([REALM, "subscription", id, 1]) ?? 0;
    }
    tx.set(["sum"], sum);
    return sum;
  });
  assert.equal(sum, 1770 + people.length);
});

Deno.test("readWithin() reads parts while the organization changes", async () => {
  await using two = await openTwo();
  const { one, other } = two;
  await writeRows(one, [[[REALM, "subscription", 7, 1], "seven"]]);
  let runs = 0;
  const read = await readWithin(other, async (tx) => {
    await tx.get(ORGANIZATION);
    if (++runs === 1) await countUp(one);
    return await tx.get([REALM, "subscription", 7, 1]);
  });
  assert.deepEqual([read, runs], ["seven", 2]);
});

Deno.test("a load that fails fails for all who wait for it, and the next one succeeds", async () => {
  using store = await openTestStore();
  await writeRows(store, [[[REALM, "user", 1], "Rose"]]);
  let isBroken = true;
  const broken = new Error("disk I/O error");
  const kv = {
    getMany: store.kv.getMany.bind(store.kv),
    list: <T>(selector: Deno.KvListSelector, options?: Deno.KvListOptions): Deno.KvListIterator<T> => {
      if (isBroken) throw broken;
      return store.kv.list<T>(selector, options);
    },
  };
  const replicas = new Replicas(kv);
  const reads = createBatchedReads({ kv: store.kv, replicas });
  const read = () => reads.read([REALM, "user", 1]);
  const results = await Promise.allSettled([read(), read(), read()]);
  assert.deepEqual(results.map(({ status }) => status), ["rejected", "rejected", "rejected"]);
  isBroken = false;
  assert.equal(await read(), "Rose");
});

Deno.test("the first change of an organization is not forgotten by a read that began before it", async () => {
  using store = await openTestStore();
  const { replicas, kv } = store;
  await createBatchedReads(store).read(ORGANIZATION);
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const getMany = kv.getMany.bind(kv);
  kv.getMany = async (keys) => {
    const entries = await getMany(keys);
    begun.resolve();
    await held.promise;
    return entries;
  };
  const early = replicas.current(REALM);
  await begun.promise;
  kv.getMany = getMany;
  await countUp(store);
  const after = await replicas.current(REALM);
  held.resolve();
  assert.equal(await early, after);
  assert.equal(await replicas.known(REALM), after);
});

Deno.test("a store that was put back to an earlier state is loaded anew", async () => {
  using earlier = await openTestStore();
  using later = await openTestStore();
  await countUp(earlier);
  for (let change = 0; change < 9; change++) await countUp(later);
  let { kv } = later;
  const replicas = new Replicas({
    getMany: (keys) => kv.getMany(keys),
    list: (selector, options) => kv.list(selector, options),
  });
  const reads = createBatchedReads({ kv, replicas });
  assert.equal(await reads.read(ORGANIZATION), 9);
  kv = earlier.kv;
  assert.equal(await reads.read(ORGANIZATION), 1);
});

Deno.test("a refusal that a later change contradicts is not answered", async () => {
  await using two = await openTwo();
  const { one, other } = two;
  await createBatchedReads(other).read(ORGANIZATION);
  await countUp(one);
  const work = transact(other, async (tx) => {
    if (await tx.get(ORGANIZATION) === null) throw new AppError("NOT_FOUND", "No organization.");
    return "found";
  });
  assert.equal(await work, "found");
});

Deno.test("changes of two organizations at once do not wait for each other", async () => {
  using store = await openTestStore();
  const change = (...realmIds: number[]) =>
    transact(store, async (tx) => {
      for (const realmId of realmIds) {
        const key = [realmId, "settings_defaults"];
        tx.set(key, (await tx.get<number>(key) ?? 0) + 1);
      }
    });
  const queue = createChangeQueue<number>(store);
  const joint = (...realmIds: number[]) =>
    queue.submit(async (tx) => {
      for (const realmId of realmIds) await tx.get([realmId, "settings_defaults"]);
      return tx.takeId("head");
    });
  const orders = [[1, 2], [2, 1], [1], [2], [3, 1, 2], [2, 3]];
  const all = orders.flatMap((order) =>
    Array.from({ length: 6 }, () => [change(...order), joint(...order)]).flat()
  );
  await settled("all changes", Promise.all(all));
  const counts = [1, 2, 3].map((realmId) => createBatchedReads(store).read([realmId, "settings_defaults"]));
  assert.deepEqual(await Promise.all(counts), [24, 30, 12]);
});

Deno.test("a change beside as much other data as a commit takes is stored", async () => {
  using store = await openTestStore();
  await transact(store, (tx) => {
    for (let at = 0; at < 3; at++) tx.set([REALM, "user", at], "u".repeat(60_000));
    for (let at = 0; at < 10; at++) tx.set(["other", at], "o".repeat(60_000));
    return Promise.resolve();
  });
  assert.equal(await createBatchedReads(store).read<string>([REALM, "user", 2]), "u".repeat(60_000));
});

/** Replicas of a store that count the listings which load rows. */
function countLoads(store: Store, maxRows: number) {
  const { kv } = store;
  const counted = { ...store, loads: 0 };
  const list = <T>(selector: Deno.KvListSelector, options?: Deno.KvListOptions): Deno.KvListIterator<T> => {
    if ("start" in selector && selector.start[1] !== "change") counted.loads++;
    return kv.list<T>(selector, options);
  };
  return Object.assign(counted, { replicas: new Replicas({ getMany: kv.getMany.bind(kv), list }, maxRows) });
}

async function isLoaded(store: ReturnType<typeof countLoads>, key: Key): Promise<boolean> {
  const before = store.loads;
  await createBatchedReads(store).read(key);
  return store.loads === before;
}

function users(realmId: number, count: number): [Key, unknown][] {
  return Array.from({ length: count }, (_, id) => [[realmId, "user", id], "user"]);
}

Deno.test("an organization that grows in memory makes others leave it", async () => {
  using store = await openTestStore();
  const counting = countLoads(store, 100);
  await createBatchedReads(counting).read([1, "user", 0]);
  await createBatchedReads(counting).read([2, "user", 0]);
  assert.deepEqual([await isLoaded(counting, [1, "user", 0]), await isLoaded(counting, [2, "user", 0])], [
    true,
    true,
  ]);
  await writeRows(counting, users(1, 60));
  await writeRows(store, users(2, 60));
  assert.equal(await isLoaded(counting, [2, "user", 0]), true);
  assert.equal(await isLoaded(counting, [1, "user", 0]), false);
});

Deno.test("a part that grows in memory makes others leave it", async () => {
  using store = await openTestStore();
  const counting = countLoads(store, 100);
  const part = (id: number): Key => [1, "subscription", id, 0];
  for (const id of [1, 2]) await createBatchedReads(counting).read(part(id));
  for (const id of [1, 2]) {
    assert.equal(await isLoaded(counting, part(id)), true);
    const rows = Array.from({ length: 60 }, (_, at): [Key, unknown] => [[1, "subscription", id, at], "row"]);
    await writeRows(counting, rows);
  }
  assert.equal(await isLoaded(counting, part(2)), true);
  assert.equal(await isLoaded(counting, part(1)), false);
});
