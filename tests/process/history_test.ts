import assert from "node:assert/strict";
import { History } from "./history.ts";

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
