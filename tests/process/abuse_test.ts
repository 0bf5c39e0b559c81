import { strict as assert } from "node:assert";
import { MAX_IN_FLIGHT } from "@/lib/http/guard.ts";
import { RawConnection, sendRaw } from "../helpers/raw_http.ts";
import { TestServer, within } from "../helpers/server.ts";

const MIB = 1024 * 1024;
const BODY = JSON.stringify({ url: "https://example.com/" });

for (const way of ["with Content-Length", "chunked"]) {
  Deno.test(`a body of 100 MB ${way} is refused with 413, takes no memory, and others are answered`, async () => {
    await using server = await TestServer.start();
    await shorten(server);
    const before = server.residentBytes();
    let peak = before;
    const sampler = setInterval(() => peak = Math.max(peak, server.residentBytes()), 5);
    try {
      assert.equal(await sendHugeBody(server, way === "chunked"), 413);
    } finally {
      clearInterval(sampler);
    }
    assert.ok(peak - before < 30 * MIB, `memory grew by ${Math.round((peak - before) / MIB)} MiB`);
    assert.equal(await shorten(server), 201);
  });
}

Deno.test("200 slow sockets, half of them in the head and half in the body, do not hold up others", async () => {
  await using server = await TestServer.start();
  using sockets = new DisposableStack();
  for (let at = 0; at < 200; at++) {
    const socket = sockets.use(await RawConnection.open(server));
    await socket.send(at % 2 === 0 ? "POST / HTTP/1.1\r\nHost: 127" : postHead("127.0.0.1") + '{"url');
  }
  const durations: number[] = [];
  for (let at = 0; at < 100; at++) {
    const started = performance.now();
    assert.equal(await shorten(server), 201);
    durations.push(performance.now() - started);
  }
  durations.sort((one, other) => one - other);
  assert.ok((durations[98] ?? Infinity) < 250, `the slowest but one took ${durations[98]} ms`);
});

Deno.test("more sockets than it may open: the server lives on, and answers when they are gone", async () => {
  await using server = await TestServer.start({ shell: "ulimit -n 300" });
  {
    using sockets = new DisposableStack();
    for (let at = 0; at < 400; at++) {
      const socket = await RawConnection.open(server).catch(() => null);
      if (socket === null) continue;
      sockets.use(socket);
      await socket.send("GET /health HTTP/1.1\r\n");
    }
  }
  await within(
    15_000,
    untilHealthy(server),
    () => `It does not come back:\n${server.output}${server.errors}`,
  );
  assert.equal(await shorten(server), 201);
  // Its log tells that the limit was really reached; lines leave the process some milliseconds later.
  await within(
    5000,
    untilWritten(server, "Too many open files"),
    () => `The limit was not reached:\n${server.output}`,
  );
  assert.equal(await server.stop(), 0);
});

Deno.test("more requests than it works on at once: 503 with Retry-After, /health answers, and it recovers", async () => {
  await using server = await TestServer.start();
  {
    using sockets = new DisposableStack();
    for (let at = 0; at < MAX_IN_FLIGHT + 16; at++) {
      const socket = sockets.use(await RawConnection.open(server));
      await socket.send(postHead("127.0.0.1"));
      // Faster than it accepts, connections would wait for the system's next try, which may take seconds.
      if (at % 64 === 0) await (await server.fetch("/health")).body?.cancel();
    }
    const refused = await within(10_000, untilStatus(server, 503), () => "It refuses nothing");
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    const { statusCode, error }: { statusCode: number; error: string } = await refused.json();
    assert.deepEqual([statusCode, error], [503, "Service Unavailable"]);
    assert.equal((await server.fetch("/health")).status, 200);
  }
  await (await within(10_000, untilStatus(server, 200), () => "It does not recover")).body?.cancel();
  assert.equal(await shorten(server), 201);
});

const MALFORMED: readonly [title: string, request: string | Uint8Array][] = [
  ["Content-Length with Transfer-Encoding", postHead("a") + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  [
    "two different Content-Lengths",
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}}`,
  ],
  ["a negative Content-Length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n{}"],
  ["a Content-Length that is no number", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1e3\r\n\r\n{}"],
  [
    "a chunk size that is no number",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
  ],
  ["a header of 1 MB", `GET /stats HTTP/1.1\r\nHost: a\r\nX-Huge: ${"x".repeat(MIB)}\r\n\r\n`],
  ["5,000 headers", `GET /stats HTTP/1.1\r\nHost: a\r\n${"X-Many: x\r\n".repeat(5000)}\r\n`],
  ["a path of 1 MB", `GET /${"x".repeat(MIB)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ["no Host", "GET /stats HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["a Host that is none", "GET /stats HTTP/1.1\r\nHost: [::\r\nConnection: close\r\n\r\n"],
  ["a Host with a path", "GET /stats HTTP/1.1\r\nHost: a/b?c#d@e:99999\r\nConnection: close\r\n\r\n"],
  ["HTTP/1.0", "GET /stats HTTP/1.0\r\n\r\n"],
  ["an absolute target", "GET http://elsewhere/stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["the target *", "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["PROPFIND", "PROPFIND / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["a method in lower case", "get /stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["TRACE", "TRACE /stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  [
    "raw UTF-8 in the path",
    "GET /\u{e0061}\u{e0062}é\u200c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  ],
  ["raw Latin-1 in the path", bytes("GET /\xe9\xff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")],
  [
    "raw Latin-1 in a header",
    bytes("GET /stats HTTP/1.1\r\nHost: a\r\nX-Request-Id: \xe9\r\nConnection: close\r\n\r\n"),
  ],
  ["NUL in the path", "GET /a\0b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["escapes of NUL and newline", "GET /%00%0d%0aX:%20y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["an escape that is no UTF-8", "GET /%ff%fe?%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["garbage", bytes("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")],
  ["nothing but newlines", "\r\n\r\n\r\n\r\nX\r\n\r\n"],
];

Deno.test("malformed requests never get a 5xx, and the server goes on", async (t) => {
  await using server = await TestServer.start();
  for (const [title, request] of MALFORMED) {
    await t.step(title, async () => {
      const { status } = await sendRaw(server, request);
      assert.ok(status < 500, `answered ${status}`);
      assert.equal(await shorten(server), 201);
    });
  }
  assert.equal(server.errors, "");
  assert.equal(await server.stop(), 0);
});

Deno.test("a short whose characters come raw in the request line is resolved", async () => {
  await using server = await TestServer.start();
  const { short }: { short: string } = await (await post(server)).json();
  const { status, body } = await sendRaw(
    server,
    `GET /${short} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  assert.deepEqual([status, body], [200, '{"url":"https://example.com/"}']);
});

Deno.test("a client that goes away in the middle of an answer or a body leaves nothing behind", async () => {
  await using server = await TestServer.start();
  for (let at = 0; at < 200; at++) {
    using socket = await RawConnection.open(server);
    await socket.send(
      at % 2 === 0 ? postHead("a") + '{"url' : "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n",
    );
  }
  const settled = async () => {
    for (;;) {
      const text = await (await server.fetch("/metrics")).text();
      if (/^sotto_requests_in_flight 1$/m.test(text)) return;
    }
  };
  await within(10_000, settled(), () => "Requests are still counted as in flight");
  assert.equal(server.errors, "");
});

function postHead(host: string): string {
  return `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
}

function post(server: TestServer): Promise<Response> {
  return server.fetch("/", { method: "POST", body: BODY, headers: { "content-type": "application/json" } });
}

async function shorten(server: TestServer): Promise<number> {
  const response = await post(server);
  await response.body?.cancel();
  return response.status;
}

/** Sends 100 MB, or as much as is taken, while it waits for the answer. */
async function sendHugeBody(server: TestServer, isChunked: boolean): Promise<number> {
  using connection = await RawConnection.open(server);
  const size = 100 * 1000 * 1000;
  const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${size}`;
  await connection.send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${length}\r\n\r\n`);
  const piece = new Uint8Array(100_000).fill(0x20);
  const send = async () => {
    for (let sent = 0; sent < size; sent += piece.length) {
      if (isChunked) await connection.send(piece.length.toString(16) + "\r\n");
      if (!await connection.send(piece)) return;
      if (isChunked) await connection.send("\r\n");
    }
  };
  const sending = send();
  const { status } = await connection.readAnswer();
  connection.close();
  await sending;
  return status;
}

async function untilStatus(server: TestServer, wanted: number): Promise<Response> {
  for (;;) {
    const response = await server.fetch("/stats");
    if (response.status === wanted) return response;
    await response.body?.cancel();
  }
}

async function untilHealthy(server: TestServer): Promise<void> {
  for (;;) {
    const response = await server.fetch("/health", {}, 1000).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function untilWritten(server: TestServer, text: string): Promise<void> {
  while (!server.output.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
}

function bytes(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, (character) => character.charCodeAt(0));
}
