import assert from "node:assert/strict";
import { readBytes } from "@/lib/api/body.ts";
import { arriving } from "@/lib/api/files/upload_body.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { Capacity, createClientReader, type Slot } from "@/lib/server/capacity.ts";
import { BodyArrivals } from "@/lib/core/body_arrival.ts";
import { SlowBodies } from "@/lib/server/slow_bodies.ts";
import { createFakeClock } from "@/tests/helpers/app.ts";
import { toBodySource } from "@/tests/helpers/body_source.ts";

const SECOND_MS = 1000;
const readClient = createClientReader();
const arrivals = new BodyArrivals();
const client = readClient("198.51.100.1");

/** Returns a request with a body that is sent by the returned function. */
function createRequest() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) });
  return {
    request: new Request("http://localhost/", { method: "POST", body }),
    send: (bytes: number) => controller?.enqueue(new Uint8Array(bytes)),
    end: () => controller?.close(),
  };
}

/** Watches a request and begins to read its body; `outcome` settles when the reading ends. */
function startReading(bodies: SlowBodies, slot: Slot) {
  const { request, send, end } = createRequest();
  bodies.watch(request, slot);
  const outcome = Promise.allSettled([readBytes(toBodySource(request, arrivals), { maxBytes: 100 * 1024 })]);
  return { outcome, send, end };
}

Deno.test("the slowest body of a client gives its place to another request", async () => {
  const clock = createFakeClock();
  const bodies = new SlowBodies(clock, arrivals);
  const places = new Capacity(12);
  const open = async (bytes: number) => {
    const slot = places.enter(client);
    assert.ok(slot !== null);
    const body = startReading(bodies, slot);
    body.send(bytes);
    await yieldToEventLoop();
    return body;
  };
  const slow = await open(100);
  const slower = await open(10);
  assert.equal(bodies.giveUpSlowest(client), false, "a body has two seconds");
  clock.time += 3 * SECOND_MS;
  assert.equal(bodies.giveUpSlowest(readClient("198.51.100.2")), false, "it is another client's");
  assert.equal(places.countOf(client), 2);
  assert.equal(bodies.giveUpSlowest(client), true);
  assert.equal(places.countOf(client), 1);
  slow.end();
  const [kept] = await slow.outcome;
  const [givenUp] = await slower.outcome;
  assert.equal(kept?.status === "fulfilled" && kept.value.length, 100);
  assert.equal(givenUp?.status === "rejected" && givenUp.reason.code, "REQUEST_TIMEOUT");
  assert.equal(bodies.giveUpSlowest(null), false, "a body that has arrived is not given up");
});

Deno.test("a body that arrives fast enough is never given up", async () => {
  const clock = createFakeClock();
  const bodies = new SlowBodies(clock, arrivals);
  const slot = new Capacity(4).enter(client);
  assert.ok(slot !== null);
  const fast = startReading(bodies, slot);
  fast.send(64 * 1024);
  await yieldToEventLoop();
  clock.time += 3 * SECOND_MS;
  assert.equal(bodies.giveUpSlowest(null), false);
  clock.time += 3 * SECOND_MS;
  assert.equal(bodies.giveUpSlowest(null), true);
  const [outcome] = await fast.outcome;
  assert.equal(outcome?.status, "rejected");
});

Deno.test("a body that was given up before it was read cannot be read, and a forgotten one is not given up", async () => {
  const clock = createFakeClock();
  const bodies = new SlowBodies(clock, arrivals);
  const places = new Capacity(8);
  const [slot, other] = [places.enter(client), places.enter(client)];
  assert.ok(slot !== null && other !== null);
  const { request } = createRequest();
  bodies.watch(request, slot);
  bodies.watch(createRequest().request, other)[Symbol.dispose]();
  clock.time += 3 * SECOND_MS;
  assert.equal(bodies.giveUpSlowest(client), true);
  assert.equal(bodies.giveUpSlowest(client), false);
  await assert.rejects(readBytes(toBodySource(request, arrivals), { maxBytes: 1024 }), {
    code: "REQUEST_TIMEOUT",
  });
});

Deno.test("an upload that is given up while it waits for bytes ends with an error", async () => {
  const clock = createFakeClock();
  const bodies = new SlowBodies(clock, arrivals);
  const slot = new Capacity(4).enter(client);
  assert.ok(slot !== null);
  const { request, send } = createRequest();
  bodies.watch(request, slot);
  const pieces = arriving(toBodySource(request, arrivals));
  send(1000);
  assert.equal((await pieces.next()).value?.length, 1000);
  const waiting = pieces.next();
  clock.time += 3 * SECOND_MS;
  assert.equal(bodies.giveUpSlowest(client), true);
  await assert.rejects(waiting, { code: "REQUEST_TIMEOUT" });
});

Deno.test("a client has a quarter of all places, and this machine nearly all of them", () => {
  const places = new Capacity(64);
  const take = (address: string) => {
    const ofAddress = readClient(address);
    while (places.enter(ofAddress) !== null);
    return places.countOf(ofAddress);
  };
  assert.deepEqual(["198.51.100.1", "2001:db8::1", "2001:db8::2", "127.0.0.1"].map(take), [16, 16, 16, 32]);
  const alone = new Capacity(64);
  while (alone.enter(readClient("::1")) !== null);
  assert.equal(alone.countOf(readClient("::1")), 56);
});

Deno.test("a place is left once, however often it is disposed of", () => {
  const places = new Capacity(8);
  const slots = [places.enter(client), places.enter(client)];
  slots[0]?.[Symbol.dispose]();
  slots[0]?.[Symbol.dispose]();
  assert.equal(places.countOf(client), 1);
});
