import assert from "node:assert/strict";
import { MAX_IN_FLIGHT } from "@/lib/server/guard.ts";
import { MAX_PER_ACCOUNT } from "@/lib/services/account_quotas.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { basic, startChat, type TestUser } from "@/tests/helpers/chat.ts";
import { admin } from "@/tests/helpers/command_line.ts";
import { RawConnection } from "@/tests/helpers/raw_http.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

/** One client may have a quarter of all requests in flight. */
const SHARE = MAX_IN_FLIGHT / 4;
const SOCKETS = 1030;
/** Uploads that an address may send at the same time. */
const UPLOAD_SHARE = 32;
/** Requests beyond a share. */
const EXCESS = 20;
const ATTACKER = "198.51.100.1";
const OTHER = "203.0.113.1";
const MORE_FILES = "ulimit -n 4000";
const FORM = "POST /login HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n";

/** Returns the head of a sign-in form of a thousand bytes and its first byte; null for no forwarded address. */
function slowForm(from: string | null): string {
  const forwarded = from === null ? "" : `X-Forwarded-For: ${from}\r\n`;
  return `${FORM}${forwarded}Content-Length: 1000\r\n\r\nu`;
}

/** Creates the organization, without which no form is read, and returns the owner's credentials. */
async function createRealm({ store }: TestServer): Promise<string> {
  const owner = ["--owner-email", "ada@example.com", "--owner-name", "Ada"];
  const { email, api_key } = await admin(store, "create-realm", "--name", "Gardeners", ...owner);
  return basic(email, api_key);
}

/** Opens sockets that send a slow form. */
async function openSlow(server: TestServer, from: string | null, sockets: DisposableStack): Promise<void> {
  for (let at = 0; at < SOCKETS; at++) {
    const socket = sockets.use(await RawConnection.open(server));
    await socket.send(slowForm(from));
    // Faster than they are accepted, connections would wait for the system's next try.
    if (at % 64 === 0) await (await server.fetch("/health")).body?.cancel();
  }
}

async function statusOf(server: TestServer, path: string, init: RequestInit = {}): Promise<number> {
  const response = await server.fetch(path, init);
  await response.body?.cancel();
  return response.status;
}

Deno.test("C4 1,030 slow forms from one address leave every page and endpoint to others", async () => {
  await using server = await TestServer.start({ env: { TRUSTED_PROXIES: "127.0.0.1" }, shell: MORE_FILES });
  await createRealm(server);
  using sockets = new DisposableStack();
  await openSlow(server, ATTACKER, sockets);
  const inFlight = await server.metric("sotto_requests_in_flight");
  assert.ok(inFlight > SHARE / 2 && inFlight <= SHARE + 1, `${inFlight} requests in flight`);
  const headers = { "x-forwarded-for": OTHER };
  const json = { ...headers, "content-type": "application/json" };
  const body = '{"url":"https://example.com/"}';
  assert.equal(await statusOf(server, "/", { method: "POST", headers: json, body }), 201);
  for (const path of ["/stats", "/ready", "/health", "/api/v1/server_settings"]) {
    assert.equal(await statusOf(server, path, { headers }), 200, path);
  }
  await server.waitFor(
    "the forms are given up",
    () => server.metric("sotto_requests_in_flight"),
    (count) => count === 1,
  );
});

Deno.test("C4 slow forms that look local, as behind a proxy without addresses, give way to others", async () => {
  await using server = await TestServer.start({ shell: MORE_FILES });
  await createRealm(server);
  using sockets = new DisposableStack();
  await openSlow(server, null, sockets);
  await server.waitFor("a page is shown", () => statusOf(server, "/stats"), (status) => status === 200);
  for (let at = 0; at < 5; at++) assert.equal(await statusOf(server, "/stats"), 200);
});

Deno.test("C4 forms have five seconds, and JSON and uploads a lowest rate", async () => {
  await using server = await TestServer.start();
  const authorization = `Authorization: ${await createRealm(server)}\r\n`;
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const multipart = "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n";
  const tus =
    "Tus-Resumable: 1.0.0\r\nUpload-Length: 100000\r\nContent-Type: application/offset+octet-stream\r\n";
  const heads = [
    slowForm(null),
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n",
    `POST /api/v1/user_uploads HTTP/1.1\r\nHost: a\r\n${authorization}${multipart}${part}`,
    `POST /api/v1/tus HTTP/1.1\r\nHost: a\r\n${authorization}${tus}Content-Length: 100000\r\n\r\n`,
  ];
  using sockets = new DisposableStack();
  const statuses: (number | null)[] = heads.map(() => null);
  const connections: RawConnection[] = [];
  const order: number[] = [];
  for (const [at, head] of heads.entries()) {
    const connection = sockets.use(await RawConnection.open(server));
    connections.push(connection);
    await connection.send(head);
    connection.readAnswer().then(({ status }) => {
      statuses[at] = status;
      order.push(at);
    }, () => {});
  }
  await server.waitFor("all are refused", async () => {
    for (const connection of connections) await connection.send("x");
    return statuses.every((status) => status !== null);
  });
  // The library for resumable uploads reports a body that fails as 400.
  assert.deepEqual(statuses, [408, 408, 408, 400]);
  assert.equal(order[0], 0, "the form is refused first");
});

/** Returns a body that ends when `over` does and holds nothing. */
function stuckBody(over: Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await over;
      controller.close();
    },
  }, { highWaterMark: 0 });
}

Deno.test("C4 addresses of one IPv6 network have one share, and refusals say when to try again", async () => {
  await using app = await startTestApp({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
  const { status } = app.services;
  const over = Promise.withResolvers<void>();
  const held = Array.from({ length: SHARE }, (_, at) => {
    const address = `2001:db8:1:1::${(at + 1).toString(16)}`;
    const headers = { "content-type": "application/json", "x-forwarded-for": address };
    return app.request("/", { method: "POST", body: stuckBody(over.promise), headers });
  });
  await waitFor("all are in flight", () => status.inFlight === SHARE);
  const from = (address: string) => app.request("/stats", { headers: { "x-forwarded-for": address } });
  const refused = await from("2001:db8:1:1:ffff::1");
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  assert.equal((await from("2001:db8:1:2::1")).status, 200);
  over.resolve();
  for (const response of await Promise.all(held)) assert.equal(response.status, 400);
  assert.equal((await from("2001:db8:1:1:ffff::1")).status, 200);
});

Deno.test("C4 uploads of one address leave room for those of others, and for its other requests", async () => {
  await using chat = await startChat({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
  const { status } = chat.services;
  const over = Promise.withResolvers<void>();
  const headers = { authorization: basic(chat.member.email, chat.member.apiKey) };
  const upload = (from: string) => {
    const type = { "content-type": "multipart/form-data; boundary=x", "x-forwarded-for": from };
    const init = { method: "POST", body: stuckBody(over.promise), headers: { ...headers, ...type } };
    return chat.request("/api/v1/user_uploads", init);
  };
  const held = Array.from({ length: UPLOAD_SHARE }, () => upload(ATTACKER));
  const refused = await upload(ATTACKER);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  held.push(upload(OTHER));
  await waitFor("all are in flight", () => status.inFlight === UPLOAD_SHARE + 1);
  const own = await chat.request("/api/v1/users/me", {
    headers: { ...headers, "x-forwarded-for": ATTACKER },
  });
  assert.equal(own.status, 200);
  over.resolve();
  for (const response of await Promise.all(held)) assert.equal(response.status, 400);
});

Deno.test("C4 an account has one share of the requests, from however many addresses they come", async () => {
  await using chat = await startChat({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
  const heading = (user: TestUser, at: number) => ({
    authorization: basic(user.email, user.apiKey),
    "x-forwarded-for": `10.1.${at >> 8}.${at & 255}`,
  });
  const over = Promise.withResolvers<void>();
  const statuses: number[] = [];
  const requests = Array.from({ length: MAX_PER_ACCOUNT + EXCESS }, async (_, at) => {
    const headers = { ...heading(chat.member, at), "content-type": "multipart/form-data; boundary=x" };
    const init = { method: "POST", body: stuckBody(over.promise), headers };
    const response = await chat.request("/api/v1/saved_snippets", init);
    await response.body?.cancel();
    statuses.push(response.status);
  });
  const read = async (user: TestUser) => {
    const response = await chat.request("/api/v1/users/me", { headers: heading(user, 60_000) });
    await response.body?.cancel();
    return [response.status, response.headers.get("retry-after")];
  };
  await waitFor("the account's share is used up", () => statuses.length === EXCESS);
  assert.deepEqual(await read(chat.member), [503, "1"]);
  assert.deepEqual(await read(chat.owner), [200, null]);
  over.resolve();
  await Promise.all(requests);
  assert.deepEqual(statuses.slice(0, EXCESS), Array.from({ length: EXCESS }, () => 503));
  assert.ok(statuses.slice(EXCESS).every((status) => status === 400));
  assert.deepEqual(await read(chat.member), [200, null]);
});
