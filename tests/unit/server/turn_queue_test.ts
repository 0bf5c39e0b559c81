import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import type { CapacityClient } from "@/lib/server/capacity.ts";
import { TurnQueue } from "@/lib/server/turn_queue.ts";

/** Requests that start in one turn of the event loop. */
const PER_TURN = 8;
/** Requests that a client starts in a period while others are active. */
const PER_PERIOD = 50;

function clientOf(group: string, isLocal = false): CapacityClient {
  return { group, isLocal };
}

/** Returns a queue that a client has used just before. */
function usedQueue(): TurnQueue {
  const queue = new TurnQueue(true);
  queue.wait(clientOf("first"), "");
  return queue;
}

/** Sends requests to a queue and returns the names of those that have started, in order. */
function createSender(queue: TurnQueue) {
  const started: string[] = [];
  const send = async (client: CapacityClient, credentials: string) => {
    await queue.wait(client, credentials);
    started.push(`${client.group}${credentials}`);
  };
  return { started, send };
}

Deno.test("requests start at once until a turn of the event loop is full", () => {
  const queue = usedQueue();
  const waits = Array.from({ length: PER_TURN + 1 }, () => queue.wait(clientOf("a"), ""));
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
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(started.filter((name) => name === "a").length < count);
  await send(clientOf("b"), "");
  assert.ok(started.length < count, "the other client does not wait for the first one's requests");
  await Promise.all(own);
});

Deno.test("a client alone takes no turns, until another one comes", () => {
  const queue = new TurnQueue(true);
  const alone = Array.from({ length: 4 * PER_TURN }, () => queue.wait(clientOf("a"), "1"));
  assert.ok(alone.every((wait) => wait === null));
  const beside = Array.from({ length: 4 * PER_TURN }, () => queue.wait(clientOf("a"), "2"));
  assert.ok(beside.some((wait) => wait instanceof Promise));
});

Deno.test("a client alone, and this machine, start as many requests as there are", async () => {
  for (const isLocal of [false, true]) {
    const { started, send } = createSender(new TurnQueue(true));
    const sent = Array.from({ length: 4 * PER_PERIOD }, () => send(clientOf("a", isLocal), ""));
    if (isLocal) sent.push(send(clientOf("b"), ""));
    await Promise.all(sent);
    assert.equal(started.filter((name) => name === "a").length, 4 * PER_PERIOD);
  }
});
