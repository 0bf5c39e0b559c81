import assert from "node:assert/strict";
import { createMemoryCounters, createSharedCounters } from "@/lib/services/limit_counts.ts";
import { createRateLimiter, LimitHit } from "@/lib/services/rate_limit.ts";
import { DEFAULT_RATE_LIMITS } from "@/lib/rate_limit_rules.ts";
import { createFakeClock } from "@/tests/helpers/app.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const RULE = { points: 5, seconds: 60 };
const rules = { ...DEFAULT_RATE_LIMITS, shorten: RULE };
const REQUESTS = 40;

Deno.test("counters of several processes count each request once", async () => {
  using store = await openTestStore();
  const clock = createFakeClock();
  const counters = [1, 2, 3].map(() => createSharedCounters({ store, clock, rules })(["shorten"]));
  const clients = Array.from({ length: 20 }, (_, at) => `10.0.0.${at}`);
  const requests = counters.flatMap((counter) =>
    clients.flatMap((client) =>
      [1, 2].map(async () => ({ client, used: (await counter.add(client))[0]?.used ?? 0 }))
    )
  );
  const counts = Map.groupBy(await Promise.all(requests), ({ client }) => client);
  for (const client of clients) {
    const used = counts.get(client)?.map((count) => count.used).sort((one, other) => one - other);
    assert.deepEqual(used, [1, 2, 3, 4, 5, 6]);
  }
});

Deno.test("a period begins with the first request, and ends by itself or when it is reset", async () => {
  using store = await openTestStore();
  const clock = createFakeClock();
  const counter = createSharedCounters({ store, clock, rules })(["shorten"]);
  assert.equal(await counter.read("client"), null);
  assert.deepEqual(await counter.add("client"), [{ used: 1, resetMs: 60_000 }]);
  clock.time += 20_000;
  assert.deepEqual(await counter.add("client"), [{ used: 2, resetMs: 40_000 }]);
  assert.deepEqual(await counter.read("client"), { used: 2, resetMs: 40_000 });
  await counter.reset("client");
  assert.equal(await counter.read("client"), null);
  assert.deepEqual(await counter.add("client"), [{ used: 1, resetMs: 60_000 }]);
  clock.time += 60_000;
  assert.equal(await counter.read("client"), null);
  assert.deepEqual(await counter.add("client"), [{ used: 1, resetMs: 60_000 }]);
});

Deno.test("limits are the same in memory and in the store", async () => {
  using store = await openTestStore();
  const clock = createFakeClock();
  for (const createCounter of [createMemoryCounters(rules), createSharedCounters({ store, clock, rules })]) {
    const limiter = createRateLimiter(rules, createCounter);
    assert.ok(limiter !== null);
    const consume = () =>
      limiter.consume("shorten", "10.0.0.1").then(({ remaining }) => remaining, refusalOf);
    const outcomes = await Promise.all(Array.from({ length: REQUESTS }, consume));
    const expected = [4, 3, 2, 1, 0, ...Array.from({ length: REQUESTS - RULE.points }, () => "refused")];
    assert.deepEqual(outcomes, expected);
    await assert.rejects(limiter.requireLeft("shorten", "10.0.0.1"), LimitHit);
    await limiter.requireLeft("shorten", "10.0.0.2");
    assert.equal(limiter.hits, REQUESTS - RULE.points + 1);
    await limiter.forget("shorten", "10.0.0.1");
    await limiter.requireLeft("shorten", "10.0.0.1");
  }
});

Deno.test("a request that one limit refuses does not count towards the limits after it", async () => {
  using store = await openTestStore();
  const clock = createFakeClock();
  const both = { ...rules, api_user: RULE, api_user_hour: { points: 8, seconds: 3600 } };
  for (
    const createCounter of [createMemoryCounters(both), createSharedCounters({ store, clock, rules: both })]
  ) {
    const limiter = createRateLimiter(both, createCounter);
    assert.ok(limiter !== null);
    const consume = () =>
      limiter.consumeAll(["api_user", "api_user_hour"], "1 7").then(
        ({ limit, remaining }) => [limit, remaining],
        refusalOf,
      );
    const outcomes = await Promise.all(Array.from({ length: 6 }, consume));
    assert.deepEqual(outcomes, [[5, 4], [5, 3], [5, 2], [5, 1], [5, 0], "refused"]);
    await limiter.forget("api_user", "1 7");
    assert.deepEqual(await Promise.all(Array.from({ length: 4 }, consume)), [
      [8, 2],
      [8, 1],
      [8, 0],
      "refused",
    ]);
    // Five of the first six requests and the last four counted per hour, the last one in excess.
    await assert.rejects(limiter.requireLeft("api_user_hour", "1 7"), LimitHit);
    assert.equal((await limiter.consume("api_user", "1 7")).remaining, 0);
  }
});

function refusalOf(error: unknown): string {
  if (error instanceof LimitHit) return "refused";
  throw error;
}
