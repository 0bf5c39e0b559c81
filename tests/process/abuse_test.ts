import { strict as assert } from "node:assert";
import { MAX_IN_FLIGHT } from "@/lib/server/guard.ts";
import { compareMedians } from "../helpers/measure.ts";
import { measurePeakGrowth } from "../helpers/peak_memory.ts";
import { RawConnection, sendRaw } from "../helpers/raw_http.ts";
import { TestServer } from "../helpers/server.ts";

const MIB = 1024 * 1024;
const BODY = JSON.stringify({ url: "https://example.com/" });
const POST_HEAD = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${BODY.length}\r\n\r\n`;
const SLOW_SOCKETS = 200;
/** Clients that go away in the middle of a body, and as many in the middle of an answer. */
const LEAVING_CLIENTS = 50;

Deno.test("200 slow connections, half in the headers and half in the body, do not block other requests", async () => {
  await using server = await TestServer.start();
  await using idleServer = await TestServer.start();
  using sockets = new DisposableStack();
  const [head, bodyStart] = ["POST / HTTP/1.1\r\nHost: 127", '{"url'];
  const slow: { socket: RawConnection; rest: string }[] = [];
  for (let at = 0; at < SLOW_SOCKETS; at++) {
    const [start, whole] = [at % 2 === 0 ? head : POST_HEAD + bodyStart, POST_HEAD + BODY];
    const socket = sockets.use(await RawConnection.open(server));
    await socket.send(start);
    slow.push({ socket, rest: whole.slice(start.length) });
  }
  await untilInFlight(server, (count) => count >= SLOW_SOCKETS / 2);
  const shortenAt = (where: TestServer) => async () => assert.equal(await shorten(where), 201);
  const accept = (ratio: number) => ratio < 3;
  await compareMedians(shortenAt(server), shortenAt(idleServer), { samples: 20, accept });
  await untilInFlight(server, (count) => count >= SLOW_SOCKETS / 2);
  for (const { socket, rest } of slow) {
    await socket.send(rest);
    assert.equal((await socket.readAnswer()).status, 201);
  }
});

Deno.test("the server survives running out of file descriptors and recovers when connections close", async () => {
  await using server = await TestServer.start({ shell: "ulimit -n 300" });
  {
    using sockets = new DisposableStack();
    for (let at = 0; at < 400; at++) {
      const socket = await RawConnection.open(server).catch(() => null);
      if (socket === null) continue;
      sockets.use(socket);
      await socket.send("GET /health HTTP/1.1\r\n");
    }
    await server.waitFor("the limit is reached", () => server.output.includes("Too many open files"));
  }
  await server.waitFor("a new connection is answered", () => isHealthy(server));
  assert.equal(await shorten(server), 201);
  assert.equal(await server.stop(), 0);
});

async function refuseHugeBody(server: TestServer, isChunked: boolean): Promise<void> {
  await shorten(server);
  const growth = await measurePeakGrowth(server.pid, async () => {
    assert.equal(await sendHugeBody(server, isChunked), 413);
  });
  assert.ok(growth < 30 * MIB, `memory grew by ${Math.round(growth / MIB)} MiB`);
  assert.equal(await shorten(server), 201);
}

async function exceedConcurrency(server: TestServer): Promise<void> {
  const read = async () => {
    const response = await server.fetch("/stats");
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  {
    using sockets = new DisposableStack();
    const addSockets = async (count: number) => {
      for (let at = 0; at < count; at++) {
        const socket = sockets.use(await RawConnection.open(server));
        await socket.send(POST_HEAD);
        // Faster than it accepts, connections would wait for the system's next try, which may take seconds.
        if (at % 64 === 0) await (await server.fetch("/health")).body?.cancel();
      }
    };
    await addSockets(MAX_IN_FLIGHT);
    // Where the machine is so slow that the first bodies are given up already, others take their place.
    const addAndRead = async () => {
      await addSockets(16);
      return await read();
    };
    const refused = await server.waitFor("a request is refused", addAndRead, ({ status }) => status === 503);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    const { statusCode, error }: { statusCode: number; error: string } = refused.body;
    assert.deepEqual([statusCode, error], [503, "Service Unavailable"]);
    await server.waitFor("/health answers 200", () => isHealthy(server));
  }
  await server.waitFor("requests are answered again", read, ({ status }) => status === 200);
  assert.equal(await shorten(server), 201);
}

Deno.test("a server survives abusive requests, and stops with status 0", async (t) => {
  await using server = await TestServer.start();
  for (const way of ["with Content-Length", "chunked"]) {
    await t.step(
      `a body of 100 MB ${way} is refused with 413, uses no memory and does not block other requests`,
      () => refuseHugeBody(server, way === "chunked"),
    );
  }
  await t.step(
    "requests beyond the concurrency limit get 503 with Retry-After, /health works, and the server recovers",
    () => exceedConcurrency(server),
  );
  await t.step(
    "malformed requests never cause a 5xx and do not stop the server",
    (step) => sendMalformed(server, step),
  );
  await t.step(
    "a short id with raw characters in the request line is resolved",
    () => resolveRawShort(server),
  );
  await t.step(
    "a client that disconnects during a response or a body leaves nothing behind",
    () => disconnect(server),
  );
  assert.equal(await server.stop(), 0);
});

const MALFORMED: readonly [title: string, request: string | Uint8Array][] = [
  [
    "Content-Length with Transfer-Encoding",
    POST_HEAD.slice(0, -2) + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
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
  ["a Host that is none, and a final slash", "GET /a/ HTTP/1.1\r\nHost: [::\r\nConnection: close\r\n\r\n"],
  ["a Host with a path", "GET /stats HTTP/1.1\r\nHost: a/b?c#d@e:99999\r\nConnection: close\r\n\r\n"],
  ["HTTP/1.0", "GET /stats HTTP/1.0\r\n\r\n"],
  ["an absolute target", "GET http://elsewhere/stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["the target *", "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["PROPFIND", "PROPFIND / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["a method in lower case", "get /stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  [
    "a method in lower case and a slash at the end",
    "get /api/v1/messages/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  ],
  [
    "a method in lower case with a body",
    "head /api/v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
  ],
  [
    "a method in lower case, and a final slash",
    "get /stats/ HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
  ],
  ["TRACE, and a final slash", "TRACE /stats/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
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

async function sendMalformed(server: TestServer, t: Deno.TestContext): Promise<void> {
  for (const [title, request] of MALFORMED) {
    await t.step(title, async () => {
      const { status } = await sendRaw(server, request);
      assert.ok(status < 500, `answered ${status}`);
      assert.equal(await shorten(server), 201);
    });
  }
  assert.equal(server.errors, "");
}

async function resolveRawShort(server: TestServer): Promise<void> {
  const { short }: { short: string } = await (await post(server)).json();
  const { status, body } = await sendRaw(
    server,
    `GET /${short} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  assert.deepEqual([status, body], [200, '{"url":"https://example.com/"}']);
}

async function disconnect(server: TestServer): Promise<void> {
  {
    using sockets = new DisposableStack();
    for (let at = 0; at < LEAVING_CLIENTS; at++) {
      const socket = sockets.use(await RawConnection.open(server));
      await socket.send(POST_HEAD + '{"url');
    }
    await untilInFlight(server, (count) => count > LEAVING_CLIENTS);
  }
  for (let at = 0; at < LEAVING_CLIENTS; at++) {
    using socket = await RawConnection.open(server);
    await socket.send("GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n");
    assert.ok(await socket.readSome());
  }
  await untilInFlight(server, (count) => count === 1);
  assert.equal(server.errors, "");
}

/** Whether `/health` answers on a new connection; one that was open before proves little. */
async function isHealthy(server: TestServer): Promise<boolean> {
  const request = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  return (await sendRaw(server, request)).status === 200;
}

/** Waits until the number of requests in flight is as it should be; reading it is one of them. */
async function untilInFlight(server: TestServer, isExpected: (count: number) => boolean): Promise<void> {
  const read = () => server.metric("sotto_requests_in_flight");
  await server.waitFor("the number of requests in flight is as it should be", read, isExpected);
}

function post(server: TestServer): Promise<Response> {
  return server.fetch("/", { method: "POST", body: BODY, headers: { "content-type": "application/json" } });
}

async function shorten(server: TestServer): Promise<number> {
  const response = await post(server);
  await response.body?.cancel();
  return response.status;
}

/** Sends 100 MB, or as much as the server takes, and returns the status of the response. */
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

function bytes(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, (character) => character.charCodeAt(0));
}
