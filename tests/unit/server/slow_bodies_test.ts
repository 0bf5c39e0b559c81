import assert from "node:assert/strict";
import { Capacity, createClientReader } from "@/lib/server/capacity.ts";
import { SlowBodies } from "@/lib/server/slow_bodies.ts";
import { createFakeClock } from "@/tests/helpers/app.ts";

const SECOND_MS = 1000;
const readClient = createClientReader();
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

Deno.test("the slowest body of a client gives its place to another request", async () => {
  const clock = createFakeClock();
  const bodies = new SlowBodies(clock);
  const places = new Capacity(12);
  const open = async (bytes: number) => {
    const { request, send, end } = createRequest();
    const slot = places.enter(client);
    assert.ok(slot !== null);
    const reader = bodies.watch(request, slot).body?.getReader();
    send(bytes);
    assert.equal((await reader?.read())?.value?.length, bytes);
    return { rest: Promise.allSettled([reader?.read()]), end };
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
  const [kept] = await slow.rest;
  const [givenUp] = await slower.rest;
  assert.deepEqual([kept?.status, givenUp?.status], ["fulfilled", "rejected"]);
  assert.equal(givenUp?.status === "rejected" && givenUp.reason.code, "REQUEST_TIMEOUT");
  assert.equal(bodies.giveUpSlowest(null), false, "a body that has arrived is not given up");
});

Deno.test("a body that arrives fast enough is never given up", async () => {
  const clock = createFakeClock();
  const bodies = new SlowBodies(clock);
  const slot = new Capacity(4).enter(client);
  assert.ok(slot !== null);
  const fast = createRequest();
  const size = 64 * 1024;
  const reader = bodies.watch(fast.request, slot).body?.getReader();
  fast.send(size);
  assert.equal((await reader?.read())?.value?.length, size);
  clock.time += 3 * SECOND_MS;
  assert.equal(bodies.giveUpSlowest(null), false);
  clock.time += 3 * SECOND_MS;
  assert.equal(bodies.giveUpSlowest(null), true);
  await reader?.cancel().catch(() => {});
});

/** Returns a request with a body as from the network: pieces are written into the memory of its reader. */
function createNetworkRequest(pieces: readonly Uint8Array<ArrayBuffer>[], atEnd: "end" | "wait"): Request {
  let next = 0;
  const body = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const piece = pieces[next++];
      if (piece === undefined && atEnd === "wait") await new Promise(() => {});
      const request = controller.byobRequest;
      const view = request?.view ?? null;
      assert.ok(request !== null && view !== null);
      if (piece === undefined) controller.close();
      else new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(piece);
      request.respond(piece?.length ?? 0);
    },
  });
  return new Request("http://localhost/", { method: "POST", body });
}

function watch(request: Request, clock = createFakeClock()) {
  const bodies = new SlowBodies(clock);
  const slot = new Capacity(4).enter(client);
  assert.ok(slot !== null);
  const { body } = bodies.watch(request, slot);
  assert.ok(body !== null);
  return { bodies, body };
}

const PIECES = [Uint8Array.of(1, 2, 3), Uint8Array.of(4), new Uint8Array(2000).fill(5)];

Deno.test("a body from the network is read into the memory of its reader", async () => {
  const reader = watch(createNetworkRequest(PIECES, "end")).body.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(4096);
  for (const piece of PIECES) {
    const { value } = await reader.read(new Uint8Array(buffer));
    assert.deepEqual(value, piece);
    assert.equal(value?.buffer.byteLength, 4096);
    if (value !== undefined) buffer = value.buffer;
  }
  assert.equal((await reader.read(new Uint8Array(buffer))).done, true);
});

Deno.test("a body from the network is read by readers without memory of their own", async () => {
  const { body } = watch(createNetworkRequest(PIECES, "end"));
  assert.deepEqual(await Array.fromAsync(body), PIECES);
});

Deno.test("the read of a body that is given up fails, also while it waits for bytes", async () => {
  const clock = createFakeClock();
  const { bodies, body } = watch(createNetworkRequest(PIECES, "wait"), clock);
  const reader = body.getReader({ mode: "byob" });
  for (const _ of PIECES) await reader.read(new Uint8Array(4096));
  const waiting = reader.read(new Uint8Array(4096));
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
