import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import type { CapacityClient } from "@/lib/server/capacity.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { type Turn, TurnQueue } from "@/lib/server/turn_queue.ts";
import { settled, waitFor } from "@/tests/helpers/wait.ts";

/** Requests that start in one turn of the event loop. */
const PER_TURN = 8;
/** Requests that a client starts in a period while others are active. */
const PER_PERIOD = 50;
/** Probes that a client starts in a period before all requests. */
const PROBES = 5;
/** Requests that take too long at a few in a period. */
const WAITING = 300;

const UNLIMITED = { isRateLimited: true, maxRunning: Infinity };

function clientOf(group: string, isLocal = false): CapacityClient {
  return { group, isLocal };
}

/** Returns a queue that a client has used just before. */
function usedQueue(): TurnQueue {
  const queue = new TurnQueue(UNLIMITED, systemClock);
  queue.take(clientOf("first"), "");
  return queue;
}

/** Sends requests to a queue and returns the names of those that have started, in order. */
function createSender(queue: TurnQueue) {
  const started: string[] = [];
  const send = async (client: CapacityClient, credentials: string) => {
    await queue.take(client, credentials).start;
    started.push(`${client.group}${credentials}`);
  };
  return { started, send };
}

Deno.test("requests start at once until a turn of the event loop is full", () => {
  const queue = usedQueue();
  const waits = Array.from({ length: PER_TURN + 1 }, () => queue.take(clientOf("a"), "").start);
  assert.deepEqual(waits.slice(0, PER_TURN), Array.from({ length: PER_TURN }, () => null));
  assert.ok(waits[PER_TURN] instanceof Promise);
});

Deno.test("clients take turns, however many requests one of them has sent before", async () => {
  const { started, send } = createSender(usedQueue());
  const sent = Array.from({ length: 40 }, () => send(clientOf("a"), ""));
  sent.push(send(clientOf("b"), ""), send(clientOf("c"), ""));
  await Promise.all(sent);
  const places = ["b", "c"].map((name) => started.indexOf(name));
  assert.ok(places.every((place) => place < PER_TURN + 4), `b and c started as numbers ${places}`);
});

Deno.test("the credentials of one client take turns, too", async () => {
  const { started, send } = createSender(usedQueue());
  const sent = Array.from({ length: 40 }, () => send(clientOf("a"), "1"));
  sent.push(send(clientOf("a"), "2"));
  await Promise.all(sent);
  assert.ok(started.indexOf("a2") < PER_TURN + 3);
});

Deno.test("a client starts a limited number of requests in a period while another is active", async () => {
  const { started, send } = createSender(usedQueue());
  const count = 20 * PER_PERIOD;
  const own = Array.from({ length: count }, () => send(clientOf("a"), ""));
  await send(clientOf("b"), "");
  // Enough turns for all of them, and far fewer than pass in twenty periods.
  for (let turn = 0; turn < count / PER_TURN * 2; turn++) {
    await nextTurn();
  }
  assert.ok(started.filter((name) => name === "a").length < count);
  await send(clientOf("b"), "");
  assert.ok(started.length < count, "the other client does not wait for the first one's requests");
  await Promise.all(own);
});

Deno.test("a client alone takes no turns, until another one comes", () => {
  const queue = new TurnQueue(UNLIMITED, systemClock);
  const alone = Array.from({ length: 4 * PER_TURN }, () => queue.take(clientOf("a"), "1").start);
  assert.ok(alone.every((wait) => wait === null));
  const beside = Array.from({ length: 4 * PER_TURN }, () => queue.take(clientOf("a"), "2").start);
  assert.ok(beside.some((wait) => wait instanceof Promise));
});

Deno.test("a client alone, and this machine, start as many requests as there are", async () => {
  for (const isLocal of [false, true]) {
    const { started, send } = createSender(
      new TurnQueue(UNLIMITED, systemClock),
    );
    const sent = Array.from({ length: 4 * PER_PERIOD }, () => send(clientOf("a", isLocal), ""));
    if (isLocal) sent.push(send(clientOf("b"), ""));
    await Promise.all(sent);
    assert.equal(started.filter((name) => name === "a").length, 4 * PER_PERIOD);
  }
});

/** Returns a queue with as many requests of other clients as it works on, and a function that ends one of them. */
function fullQueue(maxRunning: number) {
  const queue = new TurnQueue({ isRateLimited: true, maxRunning }, systemClock);
  const running: Turn[] = Array.from(
    { length: maxRunning },
    (_, at) => queue.take(clientOf(`other${at}`), ""),
  );
  assert.ok(running.every(({ start }) => start === null));
  return { queue, running, endOne: () => running.shift()?.[Symbol.dispose]() };
}

Deno.test("a limited number of requests are worked on, and the next one starts when one of them ends", async () => {
  const { queue, endOne } = fullQueue(4);
  const { started, send } = createSender(queue);
  const sent = ["a", "b"].map((name) => send(clientOf(name), ""));
  await nextTurn();
  assert.deepEqual(started, []);
  endOne();
  await sent[0];
  assert.deepEqual(started, ["a"]);
  endOne();
  await Promise.all(sent);
});

Deno.test("requests count by their weight while they are worked on", async () => {
  const { queue, endOne } = fullQueue(4);
  const { start: ofHeavy } = queue.take(clientOf("heavy"), "", 4);
  const { start: ofLight } = queue.take(clientOf("light"), "");
  const started: string[] = [];
  const all = [ofHeavy?.then(() => started.push("heavy")), ofLight?.then(() => started.push("light"))];
  endOne();
  await ofHeavy;
  await nextTurn();
  assert.deepEqual(started, ["heavy"], "the heavy request takes the place of several");
  for (let at = 0; at < 3; at++) endOne();
  await nextTurn();
  assert.deepEqual(started, ["heavy"]);
  await Promise.all(all);
});

Deno.test("requests that wait for something else keep no others out", async () => {
  const { queue } = fullQueue(4);
  const { start } = queue.take(clientOf("a"), "");
  assert.notEqual(start, null);
  await settled("the request starts", start ?? Promise.resolve());
});

Deno.test("a request is refused when it would wait too long, except those of clients that have few", async () => {
  const { queue, running, endOne } = fullQueue(4);
  const [busy, other] = [clientOf("busy"), clientOf("other")];
  for (let at = 0; at < WAITING; at++) {
    const turn = queue.take(busy, "1");
    turn.start?.then(() => running.push(turn));
  }
  assert.equal(queue.isTooLong(busy, "1"), false, "the rate is not known yet");
  await waitFor("the rate is known", () => {
    endOne();
    return queue.isTooLong(busy, "1");
  });
  assert.equal(queue.isTooLong(busy, "2"), false, "other credentials take turns");
  assert.equal(queue.isTooLong(other, "1"), false, "other clients take turns");
  assert.equal(queue.isTooLong(clientOf("third"), ""), false);
  await waitFor("all have started", () => {
    while (running.length > 0) endOne();
    return !queue.isTooLong(busy, "1");
  });
});

Deno.test("a few probes of a client start before all requests that wait", () => {
  const { queue } = fullQueue(1);
  const started = Array.from({ length: PROBES + 1 }, () => queue.startProbe(clientOf("a")));
  assert.deepEqual(started, [...Array(PROBES).fill(true), false]);
  assert.ok(queue.startProbe(clientOf("b")));
});

Deno.test("a client has a quarter of the requests that are worked on while others are active", async () => {
  const queue = new TurnQueue({ isRateLimited: true, maxRunning: 8 }, systemClock);
  queue.take(clientOf("first"), "")[Symbol.dispose]();
  queue.take(clientOf("other"), "")[Symbol.dispose]();
  const { started, send } = createSender(queue);
  const sent = Array.from({ length: 4 }, () => send(clientOf("a"), ""));
  await send(clientOf("b"), "");
  await nextTurn();
  assert.equal(started.filter((name) => name === "a").length, 2);
  await Promise.all(sent);
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
