import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import {
  applyReport,
  deriveStatus,
  isArrival,
  isOffline,
  isRecent,
  MIN_STORE_INTERVAL_MS,
  PRESENCE_STATUSES,
  type PresenceTimes,
} from "@/lib/chat/people/presence/model.ts";

const NOW = Date.UTC(2026, 10, 21, 11);
const JOINED = NOW - 1_000_000_000;
const ago = (seconds: number) => NOW - seconds * 1000;
const active = { status: "active", now: NOW } as const;
const idle = { status: "idle", now: NOW } as const;

Deno.test("applyReport() stores the first report, without activity for an idle user", () => {
  assert.deepEqual(applyReport(null, active), { last_active: NOW, last_connected: NOW });
  assert.deepEqual(applyReport(null, idle), { last_active: null, last_connected: NOW });
});

Deno.test("applyReport() returns the same object for exactly 55 seconds", () => {
  for (const report of [active, idle]) {
    const fresh = { last_active: ago(55), last_connected: ago(55) };
    assert.equal(applyReport(fresh, report), fresh);
  }
  const old = { last_active: ago(55) - 1, last_connected: ago(55) - 1 };
  assert.deepEqual(applyReport(old, active), { last_active: NOW, last_connected: NOW });
  assert.deepEqual(applyReport(old, idle), { last_active: old.last_active, last_connected: NOW });
});

Deno.test("applyReport() updates an idle user who becomes active at once", () => {
  const connected = { last_active: null, last_connected: ago(1) };
  assert.deepEqual(applyReport(connected, active), { last_active: NOW, last_connected: NOW });
  const before = { last_active: ago(100), last_connected: ago(1) };
  assert.deepEqual(applyReport(before, active), { last_active: NOW, last_connected: NOW });
  assert.equal(applyReport(before, idle), before);
});

Deno.test("applyReport() never decreases a time", () => {
  const later = { last_active: NOW + 5000, last_connected: NOW + 5000 };
  assert.equal(applyReport(later, active), later);
  const connectedLater = { last_active: ago(100), last_connected: NOW + 5000 };
  assert.deepEqual(applyReport(connectedLater, active), { last_active: NOW, last_connected: NOW + 5000 });
});

Deno.test("isArrival() is true for the first report, and for activity after more than 140 seconds of inactivity", () => {
  assert.equal(isArrival(null, idle), true);
  assert.equal(isArrival({ last_active: ago(140), last_connected: ago(1) }, active), false);
  assert.equal(isArrival({ last_active: ago(140) - 1, last_connected: ago(1) }, active), true);
  assert.equal(isArrival({ last_active: null, last_connected: ago(1) }, active), true);
  assert.equal(isArrival({ last_active: ago(1000), last_connected: ago(1000) }, idle), false);
});

Deno.test("deriveStatus() returns active while the activity is at most 70 seconds older than the connection", () => {
  assert.deepEqual(deriveStatus({ last_active: ago(70), last_connected: NOW }, JOINED), {
    status: "active",
    at: ago(70),
  });
  assert.deepEqual(deriveStatus({ last_active: ago(70) - 1, last_connected: NOW }, JOINED), {
    status: "idle",
    at: NOW,
  });
});

Deno.test("deriveStatus() uses the time of joining when there was no activity", () => {
  assert.deepEqual(deriveStatus({ last_active: null, last_connected: NOW }, JOINED), {
    status: "idle",
    at: NOW,
  });
  assert.deepEqual(deriveStatus({ last_active: null, last_connected: NOW }, ago(70)), {
    status: "active",
    at: ago(70),
  });
});

Deno.test("isOffline() is true after more than 200 seconds", () => {
  assert.deepEqual([isOffline(ago(200), NOW), isOffline(ago(200) - 1, NOW)], [false, true]);
});

Deno.test("isRecent() counts whole days and is false for 0 days", () => {
  const at = (last_connected: number) => ({ last_active: null, last_connected });
  const day = 24 * 60 * 60;
  assert.equal(isRecent(at(ago(14 * day)), NOW, 14), true);
  assert.equal(isRecent(at(ago(14 * day) - 1), NOW, 14), false);
  assert.equal(isRecent(at(NOW), NOW, 0), false);
});

Deno.test("for any sequence of reports, times never decrease and the connection is never older than the activity", () => {
  const steps = fc.array(
    fc.record({
      status: fc.constantFrom(...PRESENCE_STATUSES),
      wait: fc.integer({ min: -100_000, max: 300_000 }),
    }),
    { maxLength: 50 },
  );
  fc.assert(fc.property(steps, (reports) => {
    let now = NOW;
    const kept: { times: PresenceTimes | null } = { times: null };
    for (const { status, wait } of reports) {
      now += wait;
      const { times } = kept;
      const after: PresenceTimes = applyReport(times, { status, now });
      assert.ok(after.last_connected >= (after.last_active ?? 0));
      assert.ok(after.last_connected >= (times?.last_connected ?? 0));
      assert.ok((after.last_active ?? 0) >= (times?.last_active ?? 0));
      // A user who just reported activity never counts as idle.
      if (status === "active") assert.ok(now - (after.last_active ?? 0) <= MIN_STORE_INTERVAL_MS);
      kept.times = after;
    }
  }));
});
