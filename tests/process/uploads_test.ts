import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Upload } from "tus-js-client";
import { createGardeners } from "@/tests/helpers/command_calls.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { Gateway } from "@/tests/helpers/gateway.ts";
import { createBytes } from "@/tests/helpers/network_body.ts";
import { measurePeakGrowth } from "@/tests/helpers/peak_memory.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { settled } from "@/tests/helpers/wait.ts";

const MIB = 1024 * 1024;
/** Number of concurrent uploads. */
const FILES = 12;
/** Size of each file in MiB. */
const FILE_MIB = 20;
/** Delays before the client's attempts: enough of them for a server to start on any machine. */
const RETRY_DELAYS = Array.from({ length: 1000 }, () => 100);

async function createRealm({ store }: TestServer): Promise<string> {
  const { email, api_key } = await createGardeners(store, { email: "ada@example.com", name: "Ada" });
  return basic(email, api_key);
}

/** Returns bytes whose values depend on their position. */
function pattern(size: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(size / 4);
  for (let at = 0; at < words.length; at++) words[at] = at;
  return new Uint8Array(words.buffer);
}

Deno.test("a resumable upload of 20 MB by a third-party client survives an interruption and a killed server", async () => {
  await using folder = await createTestFolder();
  await using gateway = new Gateway();
  await using servers = new AsyncDisposableStack();
  const start = async () => {
    const server = servers.use(await TestServer.start({ folder: folder.path, baseUrl: gateway.url }));
    gateway.forwardTo(server.port);
    return server;
  };
  const first = await start();
  const authorization = await createRealm(first);
  const content = pattern(20 * MIB);
  const headers = { authorization };
  let second = first;
  const restart = async () => {
    gateway.forwardTo(null);
    await first.kill();
    second = await start();
  };
  let isCut = false;
  const uploaded = new Promise<string>((resolve, reject) => {
    const upload = new Upload(Buffer.from(content.buffer), {
      endpoint: `${gateway.url}/api/v1/tus`,
      headers,
      chunkSize: 4 * MIB,
      metadata: { filename: "garden plan.bin", filetype: "application/x-garden" },
      retryDelays: RETRY_DELAYS,
      onError: reject,
      onProgress: (sent) => {
        if (isCut || sent < 9 * MIB) return;
        isCut = true;
        // The connection breaks in the middle of a part, and the server is killed.
        restart().catch(reject);
      },
      onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
    });
    upload.start();
  });
  const answer = await settled("the upload ends", uploaded);
  assert.notEqual(second, first);
  const { url, filename } = JSON.parse(answer);
  assert.equal(filename, "garden plan.bin");
  assert.match(url, /\/garden-plan\.bin$/);
  const response = await second.fetch(url, { headers });
  assert.equal(response.headers.get("content-type"), "application/octet-stream");
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), content);
});

for (
  const [how, size, options] of [
    ["of no bytes", 0, {}],
    ["that is sent with its creation", 1000, { uploadDataDuringCreation: true }],
    ["of no bytes that is sent with its creation", 0, { uploadDataDuringCreation: true }],
    ["whose parts are sent by POST", 1000, { overridePatchMethod: true, chunkSize: 400 }],
  ] as const
) {
  Deno.test(`a third-party client uploads a file ${how} once`, async () => {
    await using server = await TestServer.start();
    const headers = { authorization: await createRealm(server) };
    const content = createBytes(size);
    const uploaded = new Promise<string | null>((resolve, reject) => {
      const upload = new Upload(Buffer.from(content), {
        endpoint: `${server.url}/api/v1/tus`,
        headers,
        metadata: { filename: "plan.bin" },
        retryDelays: [0, 0, 0],
        onError: reject,
        onSuccess: () => resolve(upload.url),
        ...options,
      });
      upload.start();
    });
    assert.match(await settled("the upload ends", uploaded) ?? "", /\/api\/v1\/tus\/[0-9a-f]{32}$/);
    const { attachments } = await (await server.fetch("/api/v1/attachments", { headers })).json();
    assert.deepEqual(attachments.map((file: { size: number }) => file.size), [size]);
    const file = await server.fetch(`/user_uploads/${attachments[0].path_id}`, { headers });
    assert.deepEqual(await file.bytes(), content);
  });
}

Deno.test("memory stays flat during concurrent uploads of large files", async () => {
  await using server = await TestServer.start();
  const authorization = await createRealm(server);
  const send = async (at: number) => {
    const boundary = "b";
    const partHead =
      `--${boundary}\r\ncontent-disposition: form-data; name="f"; filename="${at}.bin"\r\n\r\n`;
    const parts = [
      new TextEncoder().encode(partHead),
      ...Array.from({ length: FILE_MIB }, () => new Uint8Array(MIB)),
    ];
    const body = ReadableStream.from([...parts, new TextEncoder().encode(`\r\n--${boundary}--\r\n`)]);
    const headers = { authorization, "content-type": `multipart/form-data; boundary=${boundary}` };
    const response = await server.fetch("/api/v1/user_uploads", { method: "POST", body, headers });
    assert.equal(response.status, 200, await response.clone().text());
    await response.body?.cancel();
  };
  await send(0);
  const files = Array.from({ length: FILES }, (_, at) => at);
  const growth = await measurePeakGrowth(server.pid, () => Promise.all(files.map(send)));

  // The files have 240 MiB in total. The runtime's own buffers once held half of that.
  assert.ok(growth < 90 * MIB, `${growth / MIB} MiB for ${FILES * FILE_MIB} MiB`);
});
