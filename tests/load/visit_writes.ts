import type { AtomicOperation } from "@/lib/store/kv.ts";
import { openStore } from "@/lib/store/open.ts";
import { createVisitProcess } from "../helpers/visits.ts";
import { shortOf } from "./seeding.ts";
import { type Row, toPlainRow } from "./table.ts";

/** Visits that arrive during a round of compaction, and during a commit. */
const ROUND_VISITS = 15_000;
const COMMIT_VISITS = 50;
const ROUNDS = 3;

/** Counts the writes of the store for each visit: those of its commit, and those of the compaction. */
export async function measureVisitWrites(): Promise<Row[]> {
  const loads: Readonly<Record<string, () => number>> = {
    "one URL": () => 0,
    "500 URLs": () => Math.floor(500 * Math.random()),
    "100,000 URLs by Zipf": () => Math.floor(100_000 ** Math.random()) - 1,
    "1,000,000 URLs": () => Math.floor(1_000_000 * Math.random()),
  };
  const rows: Row[] = [];
  for (const [name, pick] of Object.entries(loads)) {
    const { committed, compacted } = await countWrites(pick);
    const value = `${committed.toFixed(2)} + ${compacted.toFixed(2)}`;
    rows.push(toPlainRow(`writes a visit, ${name}: commit + compaction`, value, ""));
  }
  return rows;
}

async function countWrites(pick: () => number): Promise<{ committed: number; compacted: number }> {
  using store = await openStore(":memory:");
  let writes = 0;
  const begin = store.kv.atomic.bind(store.kv);
  const atomic = () => countingWrites(begin(), () => void writes++);
  Object.assign(store.kv, { atomic });
  const { visits, compactor } = createVisitProcess(store);
  let committed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = writes;
    for (let at = 0; at < ROUND_VISITS; at += COMMIT_VISITS) {
      const group = Array.from({ length: COMMIT_VISITS }, () => ({ short: shortOf(pick()), at: Date.now() }));
      await Promise.all(group.map((visit) => visits.submit(visit)));
    }
    committed += writes - before;
    await compactor.catchUp();
  }
  await compactor.stop();
  const total = ROUNDS * ROUND_VISITS;
  return { committed: committed / total, compacted: (writes - committed) / total };
}

/** Makes an operation report each of its writes. */
function countingWrites(operation: AtomicOperation, count: () => void): AtomicOperation {
  const { set, sum, delete: remove } = operation;
  return Object.assign(operation, {
    set: (...args: Parameters<typeof set>) => (count(), set.apply(operation, args)),
    sum: (...args: Parameters<typeof sum>) => (count(), sum.apply(operation, args)),
    delete: (...args: Parameters<typeof remove>) => (count(), remove.apply(operation, args)),
  });
}
