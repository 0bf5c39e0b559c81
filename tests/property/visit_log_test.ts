import assert from "node:assert/strict";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { checkLinks } from "@/lib/links/check.ts";
import type { Store } from "@/lib/store/open.ts";
import { countVisitHours, listLatestVisits, readLinkDays } from "@/lib/links/stats.ts";
import { readInstanceCounts } from "@/lib/links/store.ts";
import { readRanks, readVisitCount } from "@/lib/links/visit_log.ts";
import { foldVisits, readVisits } from "@/lib/links/visit_pages.ts";
import { openTestStore } from "@/tests/helpers/store.ts";
import { createVisitProcess } from "@/tests/helpers/visits.ts";

const SHORTS = ["a", "b", "c"];
/** Visits of one step that go to as many other links, so that a round takes several commits. */
const OTHERS = 60;

/** Readers of the number of visits of a short URL, each of which has to be exact at every moment. */
const READERS: Readonly<Record<string, (store: Store, short: string) => Promise<number>>> = {
  list: listLength,
  count: ({ kv }, short) => readVisitCount(kv, short),
  rank: async ({ kv }, short) => (await readRanks(kv, [short])).get(short)?.count ?? 0,
  days: async ({ kv }, short) =>
    (await readLinkDays(kv, short, { from: -Infinity, to: 9 })).values().reduce(
      (total, count) => total + count,
      0,
    ),
  hours: async ({ kv }, short) => sum((await countVisitHours(kv, short, { from: 0, to: 9e9 })).hours),
};

function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

async function listLength({ kv }: Store, short: string): Promise<number> {
  let length = 0;
  let last = -1;
  for await (const run of readVisits(kv, short)) {
    for (const time of run) {
      assert.ok(time >= last, "the list is out of order");
      last = time;
    }
    length += run.length;
  }
  return length;
}

const short = fc.constantFrom(...SHORTS);
const step = fc.oneof(
  fc.record({ kind: fc.constant("visit" as const), short, count: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ kind: fc.constant("others" as const) }),
  fc.record({ kind: fc.constant("fold" as const), short }),
  fc.record({ kind: fc.constant("compact" as const), isWhole: fc.boolean() }),
  fc.record({ kind: fc.constant("read" as const), short, reader: fc.constantFrom(...Object.keys(READERS)) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two processes on one store, and what they acknowledged. */
class Stage {
  readonly #store: Store;
  readonly #committers;
  readonly compactors;
  readonly acknowledged = new Map<string, number>();
  readonly #submitted = new Map<string, number>();
  #time = 0;
  total = 0;

  constructor(store: Store) {
    this.#store = store;
    const [first, second] = [createVisitProcess(store), createVisitProcess(store)];
    this.compactors = [first.compactor, second.compactor] as const;
    this.#committers = [first.visits, second.visits];
  }

  async take(step: Step, at: number): Promise<void> {
    switch (step.kind) {
      case "visit":
        return await this.#visit(Array.from({ length: step.count }, () => step.short), at);
      case "others":
        return await this.#visit(Array.from({ length: OTHERS }, (_, number) => `z${number}`), at);
      case "fold":
        return await foldVisits(this.#store, step.short);
      case "compact":
        return void await this.compactors[at % 2 === 0 ? 0 : 1].catchUp(step.isWhole ? Infinity : 0);
      case "read": {
        const before = this.acknowledged.get(step.short) ?? 0;
        const read = await READERS[step.reader]?.(this.#store, step.short) ?? 0;
        assert.ok(read >= before, `${step.reader}: ${read} visits were read, ${before} acknowledged`);
        const after = this.#submitted.get(step.short) ?? 0;
        assert.ok(read <= after, `${step.reader}: ${read} visits were read, ${after} submitted`);
      }
    }
  }

  async #visit(shorts: readonly string[], at: number): Promise<void> {
    for (const short of shorts) this.#submitted.set(short, (this.#submitted.get(short) ?? 0) + 1);
    await Promise.all(shorts.map((short) => this.#committers[at % 2]?.submit({ short, at: this.#time++ })));
    for (const short of shorts) this.acknowledged.set(short, (this.acknowledged.get(short) ?? 0) + 1);
    this.total += shorts.length;
  }

  async verify(): Promise<void> {
    for (const short of SHORTS) {
      const expected = this.acknowledged.get(short) ?? 0;
      for (const [name, read] of Object.entries(READERS)) {
        assert.equal(await read(this.#store, short), expected, `${name} of ${short}`);
      }
      const latest = await listLatestVisits(this.#store.kv, short, null);
      assert.equal(latest.times.length, Math.min(25, expected));
    }
    assert.equal((await readInstanceCounts(this.#store.kv)).visits, this.total);
    // The test creates no links.
    const { problems } = await checkLinks(this.#store.kv);
    assert.deepEqual(problems.filter((problem) => !problem.includes("but not the short URL")), []);
  }
}

Deno.test("under any interleaving of visits, folds, two compactors and readers, every reader is exact", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.scheduler(), async (steps, scheduler) => {
      using store = await openTestStore();
      const stage = new Stage(store);
      const scheduled = scheduler.scheduleSequence(steps.map((step, at) => () => stage.take(step, at)));
      const parallel = steps.map((step, at) => stage.take(step, at + 1));
      await scheduler.waitFor(Promise.all([scheduled.task, ...parallel]));
      await stage.verify();
      await stage.compactors[0].catchUp();
      await stage.verify();
      for (const compactor of stage.compactors) await compactor.stop();
    }),
    numberOfRuns(30),
  );
});
