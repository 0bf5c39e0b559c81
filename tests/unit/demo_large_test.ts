import assert from "node:assert/strict";
import { DAY_MS } from "@/lib/core/clock.ts";
import { createTimeline } from "@/tests/tools/demo/agenda.ts";
import { MAX_CROWD } from "@/tests/tools/demo/content/crowd.ts";
import { createDraw } from "@/tests/tools/demo/draw.ts";
import { toChannel, toPerson } from "@/tests/tools/demo/large/crowd.ts";
import {
  createVisitTimes,
  divideVisits,
  isEvergreen,
  shuffledNumbers,
} from "@/tests/tools/demo/large/draw_visits.ts";
import { drawMessageTimes } from "@/tests/tools/demo/large/message_stream.ts";
import {
  DEFAULT_VOLUMES,
  LARGE_VOLUMES,
  readOptions,
  splitVolumes,
  UsageError,
} from "@/tests/tools/demo/options.ts";

const NOW = Date.UTC(2026, 10, 21, 11);

Deno.test("a large demo has its own volumes, and people and channels only then", () => {
  assert.deepEqual(readOptions(["--large"]), { volumes: LARGE_VOLUMES, isLarge: true, password: null });
  const { volumes } = readOptions(["--large", "--people=200", "--channels", "40", "--links=9"]);
  assert.deepEqual(volumes, { ...LARGE_VOLUMES, people: 200, channels: 40, links: 9 });
  assert.throws(() => readOptions(["--people", "200"]), new UsageError("--people needs --large."));
  assert.throws(() => readOptions(["--large", "--people", "60"]), /accepts a whole number from/);
});

Deno.test("large volumes are divided without a rest, and a small part goes through the API", () => {
  for (
    const changes of [{}, { messages: 200, links: 30, visits: 40 }, { links: 1, visits: 7, messages: 0 }]
  ) {
    const volumes = { ...LARGE_VOLUMES, ...changes };
    const { usual, bulk } = splitVolumes(volumes);
    for (const name of ["people", "channels", "messages", "links", "visits"] as const) {
      assert.equal(usual[name] + bulk[name], volumes[name], name);
      assert.ok(usual[name] <= DEFAULT_VOLUMES[name] && bulk[name] >= 0, name);
    }
  }
});

Deno.test("names and addresses of all people and channels of a crowd differ", () => {
  const people = Array.from({ length: MAX_CROWD.people }, (_, number) => toPerson(number));
  assert.equal(new Set(people.map(({ fullName }) => fullName)).size, MAX_CROWD.people);
  assert.equal(new Set(people.map(({ deliveryEmail }) => deliveryEmail)).size, MAX_CROWD.people);
  const channels = Array.from({ length: MAX_CROWD.channels }, (_, number) => toChannel(number).name);
  assert.equal(new Set(channels).size, MAX_CROWD.channels);
});

Deno.test("visits are divided exactly, and never increase with the rank by more than rounding", () => {
  for (const [links, visits] of [[1, 5], [7, 0], [1000, 12_345]] as const) {
    const counts = divideVisits(links, visits);
    assert.deepEqual([counts.length, counts.reduce((sum, count) => sum + count, 0)], [links, visits]);
    const isFalling = counts.every((count, rank) => rank === 0 || count <= (counts[rank - 1] ?? 0) + 1);
    assert.ok(isFalling);
  }
  assert.deepEqual([...shuffledNumbers(createDraw("numbers"), 50)].sort((one, other) => one - other), [
    ...Array(50).keys(),
  ]);
});

Deno.test("visits follow the creation of their link in order, and come before the end", () => {
  const drawTimes = createVisitTimes(createDraw("times"), NOW);
  for (const isFresh of [true, false]) {
    const createdAt = NOW - (isFresh ? 5000 : 200 * DAY_MS);
    for (const isAlways of [isEvergreen(0, 1000), isEvergreen(1, 1000)]) {
      const times = drawTimes({ createdAt, count: 500, isEvergreen: isAlways });
      assert.deepEqual(times.toSorted(), times);
      assert.ok((times[0] ?? 0) >= createdAt && (times.at(-1) ?? Infinity) < NOW);
    }
  }
});

Deno.test("the times of messages are drawn the same each time, in order, within their days", () => {
  const draw = () => drawMessageTimes(createDraw("messages"), createTimeline(NOW), { count: 2000, days: 10 });
  const times = draw();
  assert.deepEqual(draw(), times);
  assert.deepEqual(times.toSorted(), times);
  assert.ok((times[0] ?? 0) > NOW - 10 * DAY_MS && (times.at(-1) ?? Infinity) < NOW);
});
