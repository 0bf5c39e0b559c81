import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { TestServer } from "../helpers/server.ts";

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
  const statusOf = async (response: Promise<Response>) => {
    const { status, body } = await response;
    await body?.cancel();
    return status;
  };
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
