import assert from "node:assert/strict";
import { CommitQueue } from "@/lib/store/commit_queue.ts";

Deno.test("a queue returns each item's own result, in few commits", async () => {
  const batches: number[][] = [];
  const queue = new CommitQueue<number, number>({
    maxItems: 10,
    commit: (items) => {
      batches.push(items);
      return Promise.resolve(items.map((item) => item * 2));
    },
  });
  const results = await Promise.all(Array.from({ length: 25 }, (_, at) => queue.submit(at)));
  assert.deepEqual(results, Array.from({ length: 25 }, (_, at) => at * 2));
  assert.deepEqual(batches.map((batch) => batch.length), [10, 10, 5]);
});

Deno.test("a commit takes items up to a weight, and a heavier one alone", async () => {
  const batches: number[][] = [];
  const queue = new CommitQueue<number, null>({
    maxItems: 3,
    maxWeight: 10,
    weigh: (item) => item,
    commit: (items) => {
      batches.push(items);
      return Promise.resolve(items.map(() => null));
    },
  });
  await Promise.all([4, 6, 1, 12, 3, 0, 0, 0].map((item) => queue.submit(item)));
  assert.deepEqual(batches, [[4, 6], [1], [12], [3, 0, 0], [0]]);
});

Deno.test("items that arrive during a commit share the next one", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const started = Promise.withResolvers<void>();
  const sizes: number[] = [];
  const queue = new CommitQueue<number, undefined>({
    maxItems: 10,
    commit: async (items) => {
      sizes.push(items.length);
      started.resolve();
      await gates[sizes.length - 1]?.promise;
      return items.map(() => undefined);
    },
  });
  const first = queue.submit(1);
  await started.promise;
  const others = [queue.submit(2), queue.submit(3)];
  assert.equal(queue.depth, 3);
  gates.forEach(({ resolve }) => resolve());
  await Promise.all([first, ...others]);
  await queue.drain();
  assert.deepEqual(sizes, [1, 2]);
  assert.equal(queue.depth, 0);
});

Deno.test("a commit that fails fails only its own items", async () => {
  const queue = new CommitQueue<number, string>({
    maxItems: 2,
    commit: (items) =>
      items.includes(1) ? Promise.reject(new Error("disk full")) : Promise.resolve(items.map(String)),
  });
  const results = await Promise.allSettled([0, 1, 2, 3].map((item) => queue.submit(item)));
  assert.deepEqual(results.map(({ status }) => status), ["rejected", "rejected", "fulfilled", "fulfilled"]);
});

Deno.test("an Error among a commit's results fails only its item", async () => {
  const queue = new CommitQueue<number, string>({
    maxItems: 9,
    commit: (items) => Promise.resolve(items.map((item) => item === 1 ? new Error("taken") : String(item))),
  });
  const results = await Promise.allSettled([0, 1, 2].map((item) => queue.submit(item)));
  assert.deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
});

Deno.test("a commit that omits a result fails its items instead of leaving them waiting", async () => {
  const queue = new CommitQueue<number, string>({
    maxItems: 9,
    commit: () => Promise.resolve(["only one"]),
  });
  const results = await Promise.allSettled([0, 1].map((item) => queue.submit(item)));
  assert.deepEqual(results.map(({ status }) => status), ["rejected", "rejected"]);
});
