import assert from "node:assert/strict";
import { EventHub, MAX_WAITING, MAX_WAITING_PER_USER } from "@/lib/chat/register/events/hub.ts";
import { AppError } from "@/lib/core/errors.ts";
import { startTestApp } from "@/tests/helpers/app.ts";

Deno.test("enter() refuses an account's requests beyond its limit, not those of others", async () => {
  await using app = await startTestApp();
  const hub = new EventHub(app.services.chat);
  const enter = (userId: number, at: number) =>
    hub.enter({ realmId: 1, userId, queueId: `${userId} ${at}`, client: new AbortController().signal });
  using other = enter(2, 0);
  const own = Array.from({ length: MAX_WAITING_PER_USER }, (_, at) => enter(1, at));
  assert.ok(own.every(({ signal }) => !signal.aborted));
  const isTooMany = (error: unknown) => error instanceof AppError && error.code === "RATE_LIMIT_HIT";
  assert.throws(() => enter(1, own.length), isTooMany);
  assert.ok(own.every(({ signal }) => !signal.aborted));
  assert.equal(hub.waiting, MAX_WAITING_PER_USER + 1);
  for (const waiter of own) waiter[Symbol.dispose]();
  assert.deepEqual([hub.waiting, other.signal.aborted], [1, false]);
});

Deno.test("enter() refuses requests beyond the limit of the process", async () => {
  await using app = await startTestApp();
  const hub = new EventHub(app.services.chat);
  const enter = (userId: number) =>
    hub.enter({ realmId: 1, userId, queueId: `${userId}`, client: new AbortController().signal });
  const waiters = Array.from({ length: MAX_WAITING }, (_, userId) => enter(userId));
  const isTooMany = (error: unknown) => error instanceof AppError && error.code === "UNAVAILABLE";
  assert.throws(() => enter(MAX_WAITING), isTooMany);
  waiters.pop()?.[Symbol.dispose]();
  waiters.push(enter(MAX_WAITING));
  hub.stop();
  assert.ok(waiters.every(({ signal }) => signal.reason === "stopping"));
  for (const waiter of waiters) waiter[Symbol.dispose]();
  using late = enter(1);
  assert.equal(late.signal.reason, "stopping");
});
