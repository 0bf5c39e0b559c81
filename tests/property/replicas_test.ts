import assert from "node:assert/strict";
import { createJointCommitter } from "@/lib/store/joint_commit.ts";
import { type Key, keyText } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { Replicas } from "@/lib/store/replicas.ts";
import { placeOf } from "@/lib/store/resident.ts";
import { transact } from "@/lib/store/transact.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const REALMS = [1, 2];
/** Rows that fit into memory: fewer than there are, so that organizations and parts leave it. */
const MAX_ROWS = 12;

/** Rows of an organization that the properties change and compare. */
function rowsOf(realmId: number): Key[] {
  return [
    ["realm", realmId],
    [realmId, "linkifiers"],
    ...[1, 2, 3].map((id) => [realmId, "user", id]),
    [realmId, "user_by_email", "a@example.com"],
    ...[1, 2].flatMap((user) => [1, 2].map((channel) => [realmId, "subscription", user, channel])),
    ...[1, 2].map((channel) => [realmId, "subscriber", channel, 1]),
    [realmId, "profile_values", 1],
    [realmId, "subscriber_count", 1, "joined"],
  ];
}

/** A step of one of three processes. */
type Step =
  | { readonly kind: "write"; readonly rows: readonly (readonly [at: number, value: number | null])[] }
  | { readonly kind: "count" | "large" | "expire" | "restart" | "rely" };

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      rows: fc.array(fc.tuple(fc.nat({ max: 12 }), fc.option(fc.nat())), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("count" as const, "rely" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("large" as const, "expire" as const, "restart" as const),
    }),
  },
);
const command = fc.record({
  at: fc.nat({ max: 2 }),
  realmId: fc.constantFrom(...REALMS),
  step,
});

/** Three processes on one store, and how often each organization was counted up. */
class Processes {
  readonly #stores: Store[];
  readonly counted = new Map<number, number>();

  constructor(readonly store: Store) {
    this.#stores = [0, 1, 2].map(() => this.#start());
  }

  #start(): Store {
    return { ...this.store, replicas: new Replicas(this.store.kv, MAX_ROWS) };
  }

  async run({ at, realmId, step }: { at: number; realmId: number; step: Step }): Promise<void> {
    const store = this.#stores[at];
    assert.ok(store !== undefined);
    switch (step.kind) {
      case "restart":
        this.#stores[at] = this.#start();
        return;
      case "expire":
        for await (const { key } of this.store.kv.list({ prefix: [realmId, "change"] })) {
          await this.store.kv.delete(key);
        }
        return;
      case "count":
        await transact(store, async (tx) => {
          const key = [realmId, "owner_count"];
          tx.set(key, (await tx.get<number>(key) ?? 0) + 1);
          tx.sum([realmId, "subscriber_count", 1, "joined"], 1n);
        });
        this.counted.set(realmId, (this.counted.get(realmId) ?? 0) + 1);
        return;
      case "rely":
        return await rely(store, realmId);
      case "large":
        return await transact(store, (tx) => {
          for (let id = 1; id <= 8; id++) tx.set([realmId, "user", id], "x".repeat(30_000));
          return Promise.resolve();
        });
      case "write":
        return await transact(store, (tx) => {
          const rows = rowsOf(realmId);
          for (const [nth, value] of step.rows) {
            const key = rows[nth];
            assert.ok(key !== undefined);
            if (value === null) tx.delete(key);
            else tx.set(key, { value });
          }
          return Promise.resolve();
        });
    }
  }

  /** Every process reads of every row what the store has. */
  async requireExact(): Promise<void> {
    for (const key of REALMS.flatMap(rowsOf)) {
      const stored = (await this.store.kv.get<unknown>(key)).value;
      const place = placeOf(key);
      assert.ok(place !== null);
      for (const { replicas } of this.#stores) {
        assert.deepEqual(await replicas.read(key, place), stored, keyText(key));
      }
    }
  }
}

/** Commits a row that names the version of the organization that it relies on; it must be the one before the commit. */
async function rely(store: Store, realmId: number): Promise<void> {
  await transact(store, async (tx) => {
    const { version } = await tx.organization(realmId);
    const stored = await tx.get<number>([realmId, "version"]);
    tx.set(["relied", realmId], { version, stored: stored ?? 0 });
  });
  const relied = (await store.kv.get<{ version: number; stored: number }>(["relied", realmId])).value;
  assert.equal(relied?.version, relied?.stored);
}

Deno.test("three processes have each acknowledged change of an organization, whatever happens to them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
      using store = await openTestStore();
      const processes = new Processes(store);
      for (const one of commands) {
        await processes.run(one);
        await processes.requireExact();
      }
    }),
    numberOfRuns(25),
  );
});

Deno.test("changes of three processes at once lose nothing and end in the same state everywhere", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(command, { maxLength: 8 }), { maxLength: 4 }), async (rounds) => {
      using store = await openTestStore();
      const processes = new Processes(store);
      for (const round of rounds) {
        await Promise.all(round.map((one) => processes.run(one)));
        await processes.requireExact();
      }
      for (const realmId of REALMS) {
        const { value } = await store.kv.get<number>([realmId, "owner_count"]);
        assert.equal(value ?? 0, processes.counted.get(realmId) ?? 0);
      }
    }),
    numberOfRuns(25),
  );
});

Deno.test("a torrent of changes keeps neither senders nor readers of any process out", async () => {
  using own = await openTestStore();
  const other: Store = { ...own, replicas: new Replicas(own.kv) };
  const committer = createJointCommitter<number>(own, ["seq", "test"]);
  const foreign = createJointCommitter<number>(other, ["seq", "test"]);
  let isOver = false;
  const torrent = (async () => {
    for (let nth = 0; nth < 600; nth++) {
      await transact(own, (tx) => Promise.resolve(tx.set([1, "user", nth % 50], { nth })));
    }
    isOver = true;
  })();
  let sent = 0;
  const send = async (through: typeof committer) => {
    while (!isOver) {
      await through.run(async (tx) => {
        await tx.organization(1);
        return tx.takeId();
      });
      sent++;
    }
  };
  await Promise.all([torrent, send(committer), send(foreign)]);
  assert.ok(sent >= 20, `${sent} sent beside 600 changes`);
  assert.equal((await own.kv.get(["seq", "test"])).value, sent);
});
