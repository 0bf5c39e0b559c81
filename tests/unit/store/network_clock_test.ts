import assert from "node:assert/strict";
import { NetworkClock } from "@/lib/store/connect/commit_gate.ts";
import { createFakeClock, type FakeClock } from "@/tests/helpers/app.ts";

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/** A machine, and a server whose clock is ahead of the machine's by some time. */
class Exchange {
  readonly machine: FakeClock = createFakeClock();
  readonly clock = new NetworkClock(this.machine);

  constructor(public aheadMs: number) {}

  /** Lets some time pass, then an answer arrive. */
  async observe(afterMs: number, tookMs = 0): Promise<void> {
    this.machine.time += afterMs;
    await this.clock.observe(() => {
      const date = new Date(this.machine.time + this.aheadMs).toUTCString();
      this.machine.time += tookMs;
      return Promise.resolve(new Response(null, { headers: { date } }));
    });
  }

  /** Milliseconds that the clock is ahead of the server's. */
  get error(): number {
    return this.clock.now() - (this.machine.time + this.aheadMs);
  }
}

Deno.test("the clock is the machine's without an answer, and where the server's may be the same", async () => {
  const { machine, clock } = new Exchange(0);
  assert.equal(clock.now(), machine.now());
  await clock.observe(() => Promise.resolve(new Response()));
  assert.equal(clock.now(), machine.now());
  for (const ahead of [0, 999, -200]) {
    const exchange = new Exchange(ahead);
    await exchange.observe(0, 300);
    assert.ok(Math.abs(exchange.error) <= SECOND_MS);
  }
  const same = new Exchange(0);
  for (const pause of [10, 345, 2200]) await same.observe(pause, 20);
  assert.equal(same.error, 0);
});

Deno.test("the clock follows the server's within a second, and more closely with each answer", async () => {
  for (const ahead of [5 * MINUTE_MS, -5 * MINUTE_MS]) {
    const exchange = new Exchange(ahead);
    await exchange.observe(0, 40);
    assert.ok(Math.abs(exchange.error) <= SECOND_MS + 40, String(exchange.error));
    for (let at = 0; at < 20; at++) await exchange.observe(1049, 40);
    assert.ok(Math.abs(exchange.error) <= 100, String(exchange.error));
  }
});

Deno.test("the clock follows a clock that is set", async () => {
  const exchange = new Exchange(5 * MINUTE_MS);
  for (let at = 0; at < 20; at++) await exchange.observe(1049);
  exchange.aheadMs = -MINUTE_MS;
  await exchange.observe(10);
  assert.ok(Math.abs(exchange.error) <= SECOND_MS, String(exchange.error));
  // A machine that is corrected agrees with the server again.
  exchange.aheadMs = 0;
  await exchange.observe(10);
  assert.equal(exchange.error, 0);
});
