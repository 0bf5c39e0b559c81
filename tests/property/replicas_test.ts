import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { createBatchedReads } from "@/lib/store/reads.ts";
import { type Key, keyText, readRecord, toValue } from "@/lib/store/key.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import { Replicas } from "@/lib/store/replicas.ts";
import { placeOf } from "@/lib/store/resident.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

/** Rows that each process may have in memory; small numbers remove rows again and again. */
const MAX_ROWS = [600_000, 40, 14] as const;
const REALMS = [1, 2] as const;
const IDS = [1, 2, 3] as const;
/** A value of this size fits a row, and three of them are a change of several pieces. */
const LONG = "x".repeat(48_000);

const clockKey = (realmId: number): Key => [realmId, "settings_defaults"];
const mirrorKey = (realmId: number): Key => [realmId, "linkifiers"];
const countKey = (realmId: number): Key => [realmId, "owner_count"];
const logKey = (realmId: number, n: number): Key => [realmId, "log_of_test", n];

/** Rows that transactions set and delete. */
function plainKeys(realmId: number): Key[] {
  return [
    ["realm", realmId],
    [realmId, "group_by_name", "staff"],
    ...IDS.flatMap((id) => [
      [realmId, "user", id],
      [realmId, "group", id],
      [realmId, "profile_values", id],
      [realmId, "push_devices", id, "token"],
      ...IDS.flatMap((other) => [[realmId, "subscription", id, other], [realmId, "subscriber", id, other]]),
    ]),
  ];
}

function sumKeys(realmId: number): Key[] {
  return [countKey(realmId), ...IDS.map((id) => [realmId, "subscriber_count", id])];
}

function allKeys(realmId: number): Key[] {
  return [clockKey(realmId), mirrorKey(realmId), ...plainKeys(realmId), ...sumKeys(realmId)];
}

type State = ReadonlyMap<string, unknown>;

/** Writes of one run of a transaction to an organization. */
interface Attempt {
  readonly rows: readonly (readonly [Key, unknown])[];
  readonly sums: readonly Key[];
}

const realms = fc.constantFrom([1], [2], [1, 2], [2, 1]);
const process = fc.nat({ max: MAX_ROWS.length - 1 });
const at = fc.nat({ max: 100 });
const change = fc.record({
  ...{ kind: fc.constant("change" as const), process, realms },
  set: fc.array(at, { maxLength: 4 }),
  remove: fc.array(at, { maxLength: 2 }),
  /** Number of long rows: two are recorded in pieces, five are too large to be recorded. */
  long: fc.constantFrom(0, 0, 0, 0, 2, 5),
  sums: fc.array(at, { maxLength: 2 }),
  reads: fc.array(at, { maxLength: 3 }),
});
const read = fc.record({
  kind: fc.constant("read" as const),
  process,
  realm: fc.constantFrom(...REALMS),
  at,
});
const look = fc.record({
  ...{ kind: fc.constant("look" as const), process, realm: fc.constantFrom(...REALMS) },
  keys: fc.array(at, { maxLength: 4 }),
  isCommitted: fc.boolean(),
});
const refuse = fc.record({
  kind: fc.constant("refuse" as const),
  process,
  realm: fc.constantFrom(...REALMS),
});
const expire = fc.record({
  ...{ kind: fc.constant("expire" as const), realm: fc.constantFrom(...REALMS) },
  /** Whether only the first piece of each record is gone. */
  isPartly: fc.boolean(),
});
const reopen = fc.record({ kind: fc.constant("reopen" as const), process });
const command = fc.oneof(
  { weight: 6, arbitrary: change },
  { weight: 3, arbitrary: read },
  { weight: 3, arbitrary: look },
  { weight: 1, arbitrary: refuse },
  { weight: 1, arbitrary: expire },
  { weight: 1, arbitrary: reopen },
);
type Of<T> = T extends fc.Arbitrary<infer V> ? V : never;
type Command = Of<typeof command>;

/** Rows that a read returned, and the last change that was acknowledged when it began. */
interface Observation {
  readonly realmId: number;
  readonly acknowledged: number;
  readonly rows: readonly (readonly [Key, unknown])[];
  /** Whether an odd state was the reason of a refusal. */
  readonly isRefusal?: boolean;
}

function plain(value: unknown): unknown {
  return value instanceof Deno.KvU64 ? value.value : value;
}

/** Several processes on one file, and the truth about what they did. */
class Stage {
  readonly #path: string;
  readonly #stores: Store[] = [];
  readonly #attempts = new Map<string, Attempt>();
  readonly #acknowledged = new Map<number, number>();
  readonly #committed: { readonly realmId: number; readonly n: number; readonly id: string }[] = [];
  readonly #observations: Observation[] = [];
  readonly #killed = new Set<Store>();
  #nextId = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async open(process: number): Promise<void> {
    const store = await openStore(this.#path);
    this.#stores[process] = { ...store, replicas: new Replicas(store.kv, MAX_ROWS[process]) };
  }

  close(): void {
    for (const store of this.#stores) store[Symbol.dispose]();
  }

  #store(process: number): Store {
    const store = this.#stores[process];
    assert.ok(store);
    return store;
  }

  #acked(realmId: number): number {
    return this.#acknowledged.get(realmId) ?? 0;
  }

  async run(command: Command): Promise<void> {
    if (command.kind === "expire") return await this.#expire(command.realm, command.isPartly);
    const store = this.#store(command.process);
    try {
      if (command.kind === "change") await this.#change(store, command);
      else if (command.kind === "read") await this.#read(store, command.realm, command.at);
      else if (command.kind === "look") await this.#look(store, command);
      else if (command.kind === "refuse") await this.#refuse(store, command.realm);
      else await this.#reopen(command.process);
    } catch (error) {
      // A process that was killed answers nobody.
      if (!this.#killed.has(store)) throw error;
    }
  }

  /** Kills a process, whatever it is doing, and starts it again. */
  async #reopen(process: number): Promise<void> {
    const store = this.#store(process);
    this.#killed.add(store);
    store[Symbol.dispose]();
    await this.open(process);
  }

  async #change(store: Store, command: Of<typeof change>): Promise<void> {
    const ran = await transact(store, async (tx) => {
      const done = [];
      for (const realmId of command.realms) done.push(await this.#write(tx, realmId, command));
      return done;
    });
    for (const one of ran) {
      this.#committed.push(one);
      this.#acknowledged.set(one.realmId, Math.max(this.#acked(one.realmId), one.n));
    }
  }

  async #write(tx: Tx, realmId: number, { set, remove, long, sums, reads }: Of<typeof change>) {
    const n = (await tx.get<{ n: number }>(clockKey(realmId)))?.n ?? 0;
    const mirrored = (await tx.get<{ n: number }>(mirrorKey(realmId)))?.n ?? 0;
    if (n !== mirrored) throw new AppError("BAD_REQUEST", `${n} and ${mirrored} were never true together`);
    const keys = plainKeys(realmId);
    const pick = (at: number) => keys[at % keys.length] ?? [];
    for (const at of reads) await tx.get(pick(at));
    const id = String(this.#nextId++);
    const value = { n: n + 1, id };
    const rows = new Map<string, readonly [Key, unknown]>();
    const put = (key: Key, row: unknown) => rows.set(keyText(key), [key, row]);
    for (const at of remove) put(pick(at), null);
    for (const at of set) put(pick(at), value);
    for (let at = 0; at < long; at++) put(pick(at), { ...value, text: LONG });
    put(clockKey(realmId), value);
    put(mirrorKey(realmId), value);
    for (const [key, row] of rows.values()) {
      if (row === null) tx.delete(key);
      else tx.set(key, row);
    }
    const counted = sums.map((at) => sumKeys(realmId)[at % sumKeys(realmId).length] ?? []);
    for (const key of counted) tx.sum(key, 1n);
    tx.set(logKey(realmId, n + 1), id);
    this.#attempts.set(`${realmId} ${id}`, { rows: [...rows.values()], sums: counted });
    return { realmId, n: n + 1, id };
  }

  async #read(store: Store, realmId: number, at: number): Promise<void> {
    const acknowledged = this.#acked(realmId);
    const keys = allKeys(realmId);
    const key = keys[at % keys.length] ?? [];
    const value = await createBatchedReads(store).read(key);
    this.#observations.push({ realmId, acknowledged, rows: [[key, plain(value)]] });
  }

  /** Reads several rows of one moment, from a snapshot or in a transaction that changes nothing. */
  async #look(store: Store, { realm, keys, isCommitted }: Of<typeof look>): Promise<void> {
    const acknowledged = this.#acked(realm);
    const all = allKeys(realm);
    const chosen = [clockKey(realm), ...keys.map((at) => all[at % all.length] ?? [])];
    const rows = isCommitted
      ? await transact(store, (tx) => readAll(tx, chosen))
      : await readSnapshot(store, realm, chosen);
    this.#observations.push({ realmId: realm, acknowledged, rows });
  }

  async #refuse(store: Store, realmId: number): Promise<void> {
    const acknowledged = this.#acked(realmId);
    let seen: readonly (readonly [Key, unknown])[] = [];
    try {
      await transact(store, async (tx) => {
        const clock = await tx.get<{ n: number }>(clockKey(realmId));
        seen = [[clockKey(realmId), clock]];
        if ((clock?.n ?? 0) % 2 === 1) throw new AppError("BAD_REQUEST", "It is odd");
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "BAD_REQUEST") throw error;
    }
    this.#observations.push({ realmId, acknowledged, rows: seen });
  }

  async #expire(realmId: number, isPartly: boolean): Promise<void> {
    using kv = await Deno.openKv(this.#path);
    for await (const { key } of kv.list({ prefix: [realmId, "change"] })) {
      if (!isPartly || key[3] === 0) await kv.delete(key);
    }
  }

  /** Asserts that all that was seen was true, and that all processes now see what is stored. */
  async check(): Promise<void> {
    using kv = await Deno.openKv(this.#path);
    for (const realmId of REALMS) {
      const states = await this.#listStates(kv, realmId);
      for (const observation of this.#observations.filter((one) => one.realmId === realmId)) {
        assertTrue(observation, states);
      }
      const stored = states.at(-1) ?? new Map();
      for (const key of allKeys(realmId)) {
        const value = plain((await kv.get(key)).value);
        assert.deepEqual(value, stored.get(keyText(key)) ?? null, `stored ${keyText(key)}`);
        for (const store of this.#stores) {
          const seen = await createBatchedReads(store).read(key);
          assert.deepEqual(plain(seen), value, `read ${keyText(key)}`);
        }
      }
    }
    this.#observations.length = 0;
  }

  /** Returns the state of an organization after each of its changes. */
  async #listStates(kv: Deno.Kv, realmId: number): Promise<State[]> {
    const ids: string[] = [];
    for await (const { value } of kv.list<string>({ prefix: [realmId, "log_of_test"] })) ids.push(value);
    for (const one of this.#committed) {
      if (one.realmId === realmId) assert.equal(ids[one.n - 1], one.id, "an acknowledged change is lost");
    }
    const states: Map<string, unknown>[] = [new Map()];
    for (const id of ids) {
      const state = new Map(states.at(-1));
      const { rows, sums } = this.#attempts.get(`${realmId} ${id}`) ?? { rows: [], sums: [] };
      for (const [key, row] of rows) state.set(keyText(key), row);
      for (const key of sums) state.set(keyText(key), (toValue<bigint>(state.get(keyText(key))) ?? 0n) + 1n);
      states.push(state);
    }
    return states;
  }
}

async function readAll(tx: Tx, keys: readonly Key[]): Promise<(readonly [Key, unknown])[]> {
  const rows: (readonly [Key, unknown])[] = [];
  for (const key of keys) rows.push([key, plain(await tx.get(key))]);
  return rows;
}

async function readSnapshot(
  { replicas }: Store,
  realmId: number,
  keys: readonly Key[],
): Promise<(readonly [Key, unknown])[]> {
  let snapshot = await replicas.current(realmId);
  for (;;) {
    const missing = keys.map(placeOf).find((place) => place !== null && snapshot.find(place) === null);
    if (missing === undefined || missing === null) break;
    snapshot = await replicas.withRows(snapshot, missing);
  }
  return keys.map((key) => [key, plain(snapshot.get(key))]);
}

function assertTrue({ rows, acknowledged }: Observation, states: readonly State[]): void {
  const wasTrue = states.some((state, n) =>
    n >= acknowledged && rows.every(([key, seen]) => {
      const row = state.get(keyText(key)) ?? null;
      return JSON.stringify(toText(row)) === JSON.stringify(toText(seen));
    })
  );
  const text = rows.map(([key, seen]) => `${keyText(key)} = ${JSON.stringify(toText(seen))}`).join(", ");
  assert.ok(wasTrue, `was never true from ${acknowledged} to ${states.length - 1}: ${text.slice(0, 500)}`);
}

function toText(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

Deno.test("processes on one file see only what is true, and lose nothing", async () => {
  await using folder = await createTestFolder();
  let runs = 0;
  const batches = fc.array(fc.array(command, { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const stage = new Stage(`${folder.path}/${runs++}.kv`);
      for (const process of MAX_ROWS.keys()) await stage.open(process);
      try {
        for (const batch of all) {
          await Promise.all(batch.map((one) => stage.run(one)));
          await stage.check();
        }
      } finally {
        stage.close();
      }
    }),
    numberOfRuns(15),
  );
});

Deno.test("changes of all processes at once count up exactly", async () => {
  await using folder = await createTestFolder();
  const stores = await Promise.all(MAX_ROWS.map(() => openStore(`${folder.path}/sotto.kv`)));
  try {
    const add = (store: Store) =>
      transact(store, async (tx) => {
        const { n } = await tx.get<{ n: number }>(clockKey(1)) ?? { n: 0 };
        tx.set(clockKey(1), { n: n + 1 });
        tx.sum(countKey(1), 1n);
      });
    await Promise.all(stores.flatMap((store) => Array.from({ length: 25 }, () => add(store))));
    for (const store of stores) {
      assert.deepEqual(await readRecord(store.kv, clockKey(1)), { n: 75 });
      assert.deepEqual(await createBatchedReads(store).read(clockKey(1)), { n: 75 });
      assert.deepEqual(plain(await createBatchedReads(store).read(countKey(1))), 75n);
    }
  } finally {
    for (const store of stores) store[Symbol.dispose]();
  }
});
