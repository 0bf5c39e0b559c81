import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import {
  comesBack,
  isAway,
  isRecent,
  KEPT_MS,
  STATUSES,
  statusOf,
  type Times,
  withReport,
} from "@/lib/chat/presence/rules.ts";

const NOW = Date.UTC(2026, 10, 21, 11);
const JOINED = NOW - 1_000_000_000;
const ago = (seconds: number) => NOW - seconds * 1000;
const active = { status: "active", now: NOW } as const;
const idle = { status: "idle", now: NOW } as const;

Deno.test("withReport() keeps the first report, and no activity of who is idle", () => {
  assert.deepEqual(withReport(null, active), { last_active: NOW, last_connected: NOW });
  assert.deepEqual(withReport(null, idle), { last_active: null, last_connected: NOW });
});

Deno.test("withReport() gives the very same for 55 seconds, and not a millisecond longer", () => {
  for (const report of [active, idle]) {
    const fresh = { last_active: ago(55), last_connected: ago(55) };
    assert.equal(withReport(fresh, report), fresh);
  }
  const old = { last_active: ago(55) - 1, last_connected: ago(55) - 1 };
  assert.deepEqual(withReport(old, active), { last_active: NOW, last_connected: NOW });
  assert.deepEqual(withReport(old, idle), { last_active: old.last_active, last_connected: NOW });
});

Deno.test("withReport() takes it at once that somebody idle is active", () => {
  const connected = { last_active: null, last_connected: ago(1) };
  assert.deepEqual(withReport(connected, active), { last_active: NOW, last_connected: NOW });
  const before = { last_active: ago(100), last_connected: ago(1) };
  assert.deepEqual(withReport(before, active), { last_active: NOW, last_connected: NOW });
  assert.equal(withReport(before, idle), before);
});

Deno.test("withReport() never goes back in time", () => {
  const later = { last_active: NOW + 5000, last_connected: NOW + 5000 };
  assert.equal(withReport(later, active), later);
  const connectedLater = { last_active: ago(100), last_connected: NOW + 5000 };
  assert.deepEqual(withReport(connectedLater, active), { last_active: NOW, last_connected: NOW + 5000 });
});

Deno.test("comesBack() is true for the first report, and for activity after more than 140 seconds without", () => {
  assert.equal(comesBack(null, idle), true);
  assert.equal(comesBack({ last_active: ago(140), last_connected: ago(1) }, active), false);
  assert.equal(comesBack({ last_active: ago(140) - 1, last_connected: ago(1) }, active), true);
  assert.equal(comesBack({ last_active: null, last_connected: ago(1) }, active), true);
  assert.equal(comesBack({ last_active: ago(1000), last_connected: ago(1000) }, idle), false);
});

Deno.test("statusOf() is active while the activity is 70 seconds older than the connection at most", () => {
  assert.deepEqual(statusOf({ last_active: ago(70), last_connected: NOW }, JOINED), {
    status: "active",
    at: ago(70),
  });
  assert.deepEqual(statusOf({ last_active: ago(70) - 1, last_connected: NOW }, JOINED), {
    status: "idle",
    at: NOW,
  });
});

Deno.test("statusOf() takes the day of joining for an activity that never was", () => {
  assert.deepEqual(statusOf({ last_active: null, last_connected: NOW }, JOINED), { status: "idle", at: NOW });
  assert.deepEqual(statusOf({ last_active: null, last_connected: NOW }, ago(70)), {
    status: "active",
    at: ago(70),
  });
});

Deno.test("isAway() is true after more than 200 seconds", () => {
  assert.deepEqual([isAway(ago(200), NOW), isAway(ago(200) - 1, NOW)], [false, true]);
});

Deno.test("isRecent() counts whole days, and never holds for none", () => {
  const at = (last_connected: number) => ({ last_active: null, last_connected });
  const day = 24 * 60 * 60;
  assert.equal(isRecent(at(ago(14 * day)), NOW, 14), true);
  assert.equal(isRecent(at(ago(14 * day) - 1), NOW, 14), false);
  assert.equal(isRecent(at(NOW), NOW, 0), false);
});

Deno.test("however reports come, times never go back, and a connection is never older than an activity", () => {
  const steps = fc.array(
    fc.record({ status: fc.constantFrom(...STATUSES), wait: fc.integer({ min: -100_000, max: 300_000 }) }),
    { maxLength: 50 },
  );
  fc.assert(fc.property(steps, (reports) => {
    let now = NOW;
    const kept: { times: Times | null } = { times: null };
    for (const { status, wait } of reports) {
      now += wait;
      const { times } = kept;
      const after: Times = withReport(times, { status, now });
      assert.ok(after.last_connected >= (after.last_active ?? 0));
      assert.ok(after.last_connected >= (times?.last_connected ?? 0));
      assert.ok((after.last_active ?? 0) >= (times?.last_active ?? 0));
      // Nobody is kept for idle who said a moment ago that he is active.
      if (status === "active") assert.ok(now - (after.last_active ?? 0) <= KEPT_MS);
      kept.times = after;
    }
  }));
});
