import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { TestServer } from "../helpers/server.ts";
import { makeGarden, makePeople } from "./polling_client.ts";

/** Requests of each kind that arrive together. */
const TOGETHER = 10;
/** Times that a commit is tried before it fails, unless another one has failed just before. */
const PATIENT_ATTEMPTS = 24;

Deno.test("while another process locks the store, reads go on and writes are refused in time", async () => {
  await using server = await TestServer.start();
  const shorten = () =>
    server.fetch("/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: "https://example.com/" }),
    });
  const created = await shorten();
  const { short } = await created.json();
  const sendAll = (send: () => Promise<Response>) =>
    Promise.all(Array.from({ length: TOGETHER }, () => statusOf(send())));
  const repeat = (status: number) => Array.from({ length: TOGETHER }, () => status);

  using other = new DatabaseSync(server.store);
  other.exec("BEGIN IMMEDIATE");
  const refused = sendAll(shorten);
  const visits = sendAll(() => server.fetch(`/${encodeURIComponent(short)}`));
  assert.deepEqual(
    await sendAll(() => server.fetch(`/${encodeURIComponent(short)}?visit=false`)),
    repeat(200),
  );
  assert.deepEqual(await sendAll(() => server.fetch("/health")), repeat(200));
  assert.deepEqual(await refused, repeat(503));
  assert.deepEqual(await visits, repeat(503));
  const before = await server.metric("sotto_store_locked_total");
  const late = await shorten();
  assert.deepEqual([await statusOf(Promise.resolve(late)), late.headers.has("retry-after")], [503, true]);
  const after = await server.metric("sotto_store_locked_total");
  assert.ok(
    after - before < PATIENT_ATTEMPTS,
    `${after - before} attempts of a commit after one that failed`,
  );

  other.exec("ROLLBACK");
  assert.equal(await statusOf(shorten()), 201);
});

Deno.test("while another process locks the store, the chat is read and its changes are refused in time", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [person] = await makePeople(folder);
    assert.ok(person);
    await using server = await TestServer.start({ folder });
    const { channelId } = await makeGarden(server.url, [person]);
    const headers = { authorization: person.authorization };
    const call = (method: string, path: string, fields?: Readonly<Record<string, string>>) => {
      const body = fields === undefined ? {} : { body: new URLSearchParams(fields) };
      return statusOf(server.fetch(`/api/v1${path}`, { method, headers, ...body }));
    };
    const message = { type: "stream", to: String(channelId), topic: "locked", content: "Hello" };
    const newest = { anchor: "newest", num_before: "5", num_after: "0", narrow: "[]" };
    const writes = [
      () => call("POST", "/messages", message),
      () => call("POST", "/register", {}),
      () => call("POST", "/users/me/presence", { status: "active" }),
      () => call("PATCH", "/settings", { twenty_four_hour_time: "true" }),
      () =>
        call("POST", "/messages/flags/narrow", {
          ...newest,
          include_anchor: "true",
          op: "add",
          flag: "starred",
        }),
    ];
    const reads = ["/users", "/streams", `/messages?${new URLSearchParams(newest)}`];

    using other = new DatabaseSync(server.store);
    other.exec("BEGIN IMMEDIATE");
    const written = Promise.all(writes.map((write) => write()));
    assert.deepEqual(await Promise.all(reads.map((path) => call("GET", path))), reads.map(() => 200));
    assert.deepEqual(await written, writes.map(() => 503));

    other.exec("ROLLBACK");
    assert.equal(await call("POST", "/messages", message), 200);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}
