import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Upload } from "tus-js-client";
import { admin } from "@/tests/helpers/command_line.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { TestServer } from "@/tests/helpers/server.ts";

const MIB = 1024 * 1024;
/** Files that come at once, and how large each of them is, in MiB. */
const FILES = 12;
const FILE_MIB = 10;

async function createRealm({ store }: TestServer): Promise<string> {
  const owner = ["--owner-email", "ada@example.com", "--owner-name", "Ada"];
  const { email, api_key } = await admin(store, "create-realm", "--name", "Gardeners", ...owner);
  return basic(email, api_key);
}

/** Bytes that tell where they belong. */
function pattern(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 4) bytes.set([at >> 24, at >> 16, at >> 8, at], at);
  return bytes;
}

Deno.test("a resumable upload of 20 MB outlives an interruption and a killed server, by a client that others wrote", async () => {
  let server = await TestServer.start();
  const { folder, port } = server;
  try {
    const authorization = await createRealm(server);
    const content = pattern(20 * MIB);
    const headers = { authorization };
    let isCut = false;
    const answer = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(Buffer.from(content.buffer), {
        endpoint: `${server.url}/api/v1/tus`,
        headers,
        chunkSize: 4 * MIB,
        metadata: { filename: "garden plan.bin", filetype: "application/x-garden" },
        retryDelays: [200, 500, 1000, 2000, 3000],
        onError: reject,
        onProgress: (sent) => {
          if (isCut || sent < 9 * MIB) return;
          isCut = true;
          // The connection breaks in the middle of a part, and the server with it.
          server.kill().then(() => TestServer.start({ folder, port })).then((next) => server = next, reject);
        },
        onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
      });
      upload.start();
    });
    assert.ok(isCut);
    const { url, filename } = JSON.parse(answer);
    assert.equal(filename, "garden plan.bin");
    assert.match(url, /\/garden-plan\.bin$/);
    const response = await server.fetch(url, { headers });
    assert.equal(response.headers.get("content-type"), "application/x-garden");
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), content);
  } finally {
    await server[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
});

Deno.test("memory stays flat while many large files come at once", async () => {
  await using server = await TestServer.start();
  const authorization = await createRealm(server);
  const send = async (at: number) => {
    const boundary = "b";
    const begun = `--${boundary}\r\ncontent-disposition: form-data; name="f"; filename="${at}.bin"\r\n\r\n`;
    const parts = [
      new TextEncoder().encode(begun),
      ...Array.from({ length: FILE_MIB }, () => new Uint8Array(MIB)),
    ];
    const body = ReadableStream.from([...parts, new TextEncoder().encode(`\r\n--${boundary}--\r\n`)]);
    const headers = { authorization, "content-type": `multipart/form-data; boundary=${boundary}` };
    const response = await server.fetch("/api/v1/user_uploads", { method: "POST", body, headers }, 120_000);
    assert.equal(response.status, 200, await response.clone().text());
    await response.body?.cancel();
  };
  await send(0);
  const before = server.residentBytes();
  let most = before;
  const timer = setInterval(() => most = Math.max(most, server.residentBytes()), 50);
  try {
    await Promise.all(Array.from({ length: FILES }, (_, at) => send(at)));
  } finally {
    clearInterval(timer);
  }
  // Whole, they would be 120 MiB; the half of that is what the runtime's own buffers once held.
  assert.ok(most - before < 55 * MIB, `${(most - before) / MIB} MiB for ${FILES * FILE_MIB} MiB`);
});
