import assert from "node:assert/strict";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";

const STRETCH_BITS = 8;

/** Returns bytes of which no two stretches of 64 KiB are the same. */
export function createBytes(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    { length: size },
    (_, at) => (at ^ (at >> STRETCH_BITS) ^ (at >> (2 * STRETCH_BITS))) & 0xff,
  );
}

/**
 * Returns a stream as that of a request from the network, which fills the memory of its reader. It arrives in pieces of
 * the given sizes, again and again; `cancel` is called when its reader ends it.
 */
export function createBody(
  bytes: Uint8Array<ArrayBuffer>,
  sizes: readonly number[],
  cancel: () => void = () => {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      await yieldToEventLoop();
      const request = controller.byobRequest;
      const view = request?.view ?? null;
      assert.ok(request !== null && view !== null, "the body is read into given memory");
      const size = Math.min(sizes[turn++ % sizes.length] ?? 0, view.byteLength, bytes.length - at);
      new Uint8Array(view.buffer, view.byteOffset).set(bytes.subarray(at, at + size));
      at += size;
      if (size === 0) controller.close();
      request.respond(size);
    },
    cancel,
  });
}
