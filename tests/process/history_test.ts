import assert from "node:assert/strict";
import { History } from "./history.ts";
import { MixedClient } from "./mixed_client.ts";
import { Ledger, runClient } from "./traffic.ts";

const OK = { status: 200, text: "" };

function record(history: History, kind: string, { name, value = "" }: { name: string; value?: string }) {
  return history.begin({ client: 0, kind, name, value });
}

Deno.test("a history accepts what was acknowledged once, and what was sent at most once", () => {
  const history = new History();
  history.end(record(history, "file", { name: "a" }), OK);
  record(history, "file", { name: "b" });
  for (const names of [["a"], ["b", "a"]]) history.verify({ items: { file: names }, values: {} });
  const verify = (file: string[]) => () => history.verify({ items: { file }, values: {} });
  assert.throws(verify([]), /acknowledged, and not stored/);
  assert.throws(verify(["a", "a"]), /stored twice/);
  assert.throws(verify(["a", "b", "b"]), /stored twice/);
  assert.throws(verify(["a", "c"]), /stored, and never sent/);
});

Deno.test("a history accepts the last acknowledged value, and those written after it", () => {
  const history = new History();
  for (const value of ["1", "2"]) history.end(record(history, "status", { name: "x", value }), OK);
  record(history, "status", { name: "x", value: "3" });
  const verify = (value: string) => () =>
    history.verify({ items: {}, values: { status: new Map([["x", value]]) } });
  for (const value of ["2", "3"]) verify(value)();
  assert.throws(verify("1"), /status of x is 1; it should be one of 2,3/);
});

Deno.test("a history refuses answers that are no success", () => {
  const history = new History();
  const operation = record(history, "file", { name: "a" });
  assert.throws(() => history.end(operation, { status: 500, text: "no" }), /500 no/);
});

Deno.test("clients go on after a 503, which acknowledges nothing, until their connection is lost", async () => {
  let answers = 0;
  const ending = new AbortController();
  await using server = Deno.serve({ port: 0, signal: ending.signal, onListen: () => {} }, () => {
    if (++answers === 41) ending.abort();
    return Response.json({ id: answers, short: String(answers) }, { status: answers % 2 === 0 ? 201 : 503 });
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const random = () => 0;
  const history = new History();
  const ledger = new Ledger({ allowsUnavailable: true });
  const client = new MixedClient(0, { id: 1, authorization: "" }, { history, random, channelId: 1 });
  await Promise.all([client.runUntilLost(url), runClient(ledger, [url], random, () => false)]);
  assert.deepEqual(ledger.surprises, []);
  const acknowledged = ledger.acknowledged + history.acknowledged;
  assert.ok(ledger.acknowledged > 0 && history.acknowledged > 0 && acknowledged <= 20);
  assert.ok(acknowledged > 10, "they went on");
  const unknown = history.operations.filter(({ end }) => end === null);
  assert.equal(history.acknowledged + unknown.length, history.operations.length);
});
