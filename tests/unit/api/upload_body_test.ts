import assert from "node:assert/strict";
import { receiveFile, type UploadRules } from "@/lib/api/files/upload_body.ts";
import { AppError } from "@/lib/core/errors.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { createBody, createBytes } from "@/tests/helpers/network_body.ts";
import { toBodySource } from "@/tests/helpers/body_source.ts";

const KIB = 1024;
const BOUNDARY = "boundary-of-the-form";

function field(name: string, value: string): string {
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/** Returns a form whose file is between fields that are longer than what is read at a time. */
async function createForm(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const long = "value ".repeat(20 * KIB);
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
  const tail = `\r\n${field("after", long)}--${BOUNDARY}--\r\n`;
  return await new Blob([field("before", long), head, file, tail]).bytes();
}

function createRequest(body: ReadableStream<Uint8Array<ArrayBuffer>>): Request {
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
  return new Request("http://localhost/", { method: "POST", headers, body });
}

function createRules<T>(store: UploadRules<T>["store"], ignored: string[] = []): UploadRules<T> {
  const refuse = (message: string) => () => new AppError("BAD_REQUEST", message);
  return {
    maxBytes: 100 * KIB * KIB,
    tooLarge: refuse("too large"),
    noFile: refuse("no file"),
    tooMany: refuse("too many"),
    ignore: (name) => void ignored.push(name),
    store,
    undo: () => Promise.resolve(),
  };
}

for (
  const [how, sizes] of [
    ["as much as is read at a time", [Infinity]],
    ["a packet at a time", [1400]],
    ["in pieces of all sizes", [1, 5, 40 * KIB, 7, 1400, 32 * KIB, 2]],
  ] as const
) {
  Deno.test(`a file that arrives ${how} is stored as it was sent, however slowly it is stored`, async () => {
    const file = createBytes(600 * KIB + 3);
    const ignored: string[] = [];
    const rules = createRules(async ({ content }) => {
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      for await (const piece of content) {
        for (let turns = 0; turns < 5; turns++) await yieldToEventLoop();
        pieces.push(new Uint8Array(piece));
      }
      return await new Blob(pieces).bytes();
    }, ignored);
    const stored = await receiveFile(
      toBodySource(createRequest(createBody(await createForm(file), sizes))),
      rules,
    );
    assert.ok(Buffer.from(stored).equals(file));
    assert.deepEqual(ignored, ["before", "after"]);
  });
}

Deno.test("a file whose storing fails ends the reading of the body", async () => {
  const ended = Promise.withResolvers<void>();
  const body = createBody(await createForm(createBytes(600 * KIB)), [1400], ended.resolve);
  const rules = createRules(async ({ content }) => {
    for await (const _ of content) throw new AppError("UNAVAILABLE", "The disk is full.");
  });
  await assert.rejects(receiveFile(toBodySource(createRequest(body)), rules), { code: "UNAVAILABLE" });
  await ended.promise;
});

Deno.test("a file whose storing fails before its first byte is read ends the reading of the body", async () => {
  const ended = Promise.withResolvers<void>();
  const body = createBody(await createForm(createBytes(600 * KIB)), [1400], ended.resolve);
  const rules = createRules(() => Promise.reject(new AppError("UNAVAILABLE", "The disk is full.")));
  await assert.rejects(receiveFile(toBodySource(createRequest(body)), rules), { code: "UNAVAILABLE" });
  await ended.promise;
});

Deno.test("the reader of a file whose body breaks off gets an error", async () => {
  const form = await createForm(createBytes(600 * KIB));
  const reading = Promise.withResolvers<unknown>();
  const rules = createRules(async ({ content }) => {
    try {
      for await (const _ of content) await yieldToEventLoop();
      reading.resolve(null);
    } catch (error) {
      reading.resolve(error);
      throw error;
    }
  });
  const body = createBody(form.slice(0, 400 * KIB), [Infinity]);
  await assert.rejects(receiveFile(toBodySource(createRequest(body)), rules), { code: "BAD_REQUEST" });
  assert.ok(await reading.promise instanceof Error);
});
