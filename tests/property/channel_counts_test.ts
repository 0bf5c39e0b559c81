import assert from "node:assert/strict";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import {
  type DayRange,
  listDaySums,
  rankChannels,
  statisticsKeys,
} from "@/lib/chat/organization/statistics/store.ts";
import { createBatchedReads } from "@/lib/store/reads.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { Cache } from "@/lib/store/cache.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const REALM = 1;
const DAYS = 9;

interface Sent {
  readonly day: number;
  readonly part: number;
  readonly kind: "public" | "private";
}

/** Starts a process on a store, with caches of its own. */
function startProcess(store: Store) {
  return { store, reads: createBatchedReads(store), cache: new Cache() };
}

/** Counts a message in the commit that takes its id. */
async function send({ kv }: Store, { day, part, kind }: Sent): Promise<void> {
  const head = await readRecord<number>(kv, channelKeys.messageHead) ?? 0;
  await kv.atomic().set(channelKeys.messageHead, head + 1)
    .sum(statisticsKeys.day(REALM, "messages", { day, part: kind }), 1n)
    .sum(statisticsKeys.day(REALM, "channel_messages", { day, part }), 1n)
    .commit();
}

/** Returns what counting finds that reads every sum: the newest whole days of at most `max` sums. */
async function rankFromStore({ kv }: Store, range: DayRange, max: number) {
  const sums = await Array.fromAsync(
    listDaySums(kv, { realmId: REALM, measure: "channel_messages" }, range),
  );
  const [last, next] = [sums[max - 1]?.day ?? NaN, sums[max]?.day ?? null];
  const since = next === null ? null : next === last ? next + 1 : last;
  const counts = new Map<number, number>();
  for (const { day, part, count } of sums) {
    if (day >= (since ?? range.from)) counts.set(part, (counts.get(part) ?? 0) + count);
  }
  return { ranked: [...counts].sort(([, one], [, other]) => other - one), since };
}

const day = fc.integer({ min: 0, max: DAYS - 1 });
const sent = fc.record<Sent>({
  day,
  part: fc.integer({ min: 1, max: 4 }),
  kind: fc.constantFrom("public", "private"),
});
const range = fc.tuple(day, day).map(([one, other]) => ({
  from: Math.min(one, other),
  to: Math.max(one, other),
}));

Deno.test("kept counts of channels are those of the store, whichever process counts messages", async () => {
  const steps = fc.array(fc.oneof(sent, range), { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 12 }), async (chosen, max) => {
      using store = await openTestStore();
      const processes = [startProcess(store), startProcess(store)];
      for (const [at, step] of chosen.entries()) {
        if ("kind" in step) {
          await send(store, step);
          continue;
        }
        const expected = await rankFromStore(store, step, max);
        // One process counts each time, the other one now and then.
        for (const app of at % 3 === 0 ? processes : processes.slice(0, 1)) {
          const { ranked, since } = await rankChannels(app, REALM, { ...step, max });
          assert.deepEqual({ ranked, since }, expected);
        }
      }
    }),
    numberOfRuns(40),
  );
});

Deno.test("counts of channels are read again only for days with new messages", async () => {
  using store = await openTestStore();
  for (let day = 0; day < DAYS; day++) await send(store, { day, part: 1, kind: "public" });
  const app = startProcess(store);
  const range = { from: 0, to: DAYS - 1 };
  await rankChannels(app, REALM, range);
  const list = store.kv.list.bind(store.kv);
  const selectors: Deno.KvListSelector[] = [];
  store.kv.list = (selector, options) => {
    selectors.push(selector);
    return list(selector, options);
  };
  await rankChannels(app, REALM, range);
  assert.deepEqual(selectors, []);
  await send(store, { day: 5, part: 2, kind: "private" });
  assert.deepEqual((await rankChannels(app, REALM, range)).ranked, [[1, DAYS], [2, 1]]);
  const days = (measure: "messages" | "channel_messages", from: number, to: number) => {
    const prefix = statisticsKeys.days(REALM, measure);
    return { start: [...prefix, from], end: [...prefix, to + 1] };
  };
  assert.deepEqual(selectors, [days("messages", 0, DAYS - 1), days("channel_messages", 5, 5)]);
});
