import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { createWorker, type Work, type WorkerParts } from "@/lib/core/worker.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

const HOUR_MS = 3_600_000;

/** Creates a worker whose work waits until it is released, and records its runs. */
function createTestWorker(parts: Partial<WorkerParts> = {}) {
  const going: PromiseWithResolvers<number>[] = [];
  const reported: unknown[] = [];
  const work: Work = (isStopped) => {
    if (isStopped()) return Promise.resolve(0);
    going.push(Promise.withResolvers<number>());
    return going.at(-1)?.promise ?? Promise.resolve(0);
  };
  const report = (error: unknown) => void reported.push(error);
  return { worker: createWorker(work, { everyMs: HOUR_MS, report, ...parts }), going, reported };
}

/** Lets everything run that waits only for its turn of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits until the work began `times` times. */
async function untilBegun(going: readonly unknown[], times: number): Promise<void> {
  await waitFor(`the work began ${times} times`, () => going.length, { isMet: (count) => count >= times });
}

/** Runs another worker until it has worked at its start and again `everyMs` later. */
async function untilOtherWorked(everyMs: number): Promise<void> {
  const { worker, going } = createTestWorker({ everyMs });
  worker.start();
  await untilBegun(going, 1);
  going[0]?.resolve(1);
  await untilBegun(going, 2);
  going[1]?.resolve(1);
  await worker.stop();
}

Deno.test("start() runs the worker immediately; wake() and the timer have no effect before it", async () => {
  const { worker, going } = createTestWorker({ everyMs: 5 });
  worker.wake();
  await untilOtherWorked(5);
  assert.equal(going.length, 0);
  worker.start();
  worker.start();
  await nextTurn();
  assert.equal(going.length, 1);
  going[0]?.resolve(1);
  await untilBegun(going, 2);
  going[1]?.resolve(1);
  await worker.stop();
});

Deno.test("a worker with an initial delay waits for it unless it is woken", async () => {
  const later = createTestWorker({ firstMs: HOUR_MS });
  later.worker.start();
  await untilOtherWorked(5);
  assert.equal(later.going.length, 0);
  later.worker.wake();
  await nextTurn();
  assert.equal(later.going.length, 1);
  later.going[0]?.resolve(1);
  await later.worker.stop();

  const { worker, going } = createTestWorker({ firstMs: 5 });
  worker.start();
  worker.wake();
  await nextTurn();
  going[0]?.resolve(1);
  await untilBegun(going, 2);
  going[1]?.resolve(1);
  await worker.stop();
});

Deno.test("a worker runs once at a time, and requests during a run share one further run", async () => {
  const { worker, going } = createTestWorker();
  const first = worker.sweep();
  await nextTurn();
  const others = [worker.sweep(), worker.sweep(), worker.sweep()];
  await nextTurn();
  assert.equal(going.length, 1);
  going[0]?.resolve(3);
  assert.equal(await first, 3);
  await nextTurn();
  assert.equal(going.length, 2);
  going[1]?.resolve(4);
  assert.deepEqual(await Promise.all(others), [4, 4, 4]);
});

Deno.test("a failure is reported, does not count as work, and does not stop the worker", async () => {
  const { worker, going, reported } = createTestWorker();
  const failing = worker.sweep();
  await nextTurn();
  going[0]?.reject(new Error("no store"));
  assert.equal(await failing, 0);
  assert.deepEqual(reported, [new Error("no store")]);
  const next = worker.sweep();
  await nextTurn();
  going[1]?.resolve(2);
  assert.equal(await next, 2);
});

Deno.test("stop() waits for the current run, and no run begins after it", async () => {
  const { worker, going } = createTestWorker({ everyMs: 5 });
  worker.start();
  await nextTurn();
  worker.wake();
  let isEnded = false;
  const stopped = worker.stop().then(() => isEnded = true);
  await untilOtherWorked(5);
  assert.equal(isEnded, false);
  going[0]?.resolve(1);
  await stopped;
  worker.start();
  worker.wake();
  assert.equal(await worker.sweep(), 0);
  await untilOtherWorked(5);
  assert.equal(going.length, 1);
});
