import assert from "node:assert/strict";
import { ConfigError, readConfig } from "@/lib/config.ts";
import { withAliases } from "@/lib/api/methods.ts";

const read = (text: string) => readConfig({ COMPATIBILITY_ALIASES: text }).compatibilityAliases;

Deno.test("readConfig() has no field aliases by default", () => {
  assert.deepEqual(readConfig({}).compatibilityAliases, {});
  assert.deepEqual(read("{}"), {});
  assert.deepEqual(read('{"service_version":"x_version"}'), { service_version: "x_version" });
  const own = { service_version: { name: "x_version", value: "10.0" }, one: { name: "x_one", value: 1 } };
  assert.deepEqual(read(JSON.stringify(own)), own);
  const long = "x".repeat(60);
  assert.deepEqual(read(JSON.stringify({ [long]: "y2_" })), { [long]: "y2_" });
});

Deno.test("readConfig() refuses invalid aliases and describes the valid form", () => {
  const refused = [
    "yes",
    "[]",
    '"a"',
    '{"a":1}',
    '{"a":["b"]}',
    '{"a":{"name":"b"}}',
    '{"a":{"value":"b"}}',
    '{"a":{"name":"B","value":1}}',
    '{"a":{"name":"b","value":null}}',
    '{"a":{"name":"b","value":{}}}',
    '{"a":{"name":"b","value":1,"more":2}}',
    JSON.stringify({ a: { name: "b", value: "x".repeat(101) } }),
    '{"a":{"name":"c","value":1},"b":"c"}',
    '{"a":""}',
    '{"":"a"}',
    '{"A":"b"}',
    '{"a":"B"}',
    '{"a":"1b"}',
    '{"a":"b-c"}',
    '{"_a":"b"}',
    '{"a":"__proto__"}',
    JSON.stringify({ a: "x".repeat(61) }),
    JSON.stringify({ ["x".repeat(61)]: "a" }),
    '{"a":"c","b":"c"}',
  ];
  for (const text of refused) {
    assert.throws(() => read(text), (error) => {
      assert.ok(error instanceof ConfigError, text);
      assert.match(error.lines.join("\n"), /^COMPATIBILITY_ALIASES accepts a JSON object of fields/);
      return true;
    }, text);
  }
});

Deno.test("withAliases() adds names and never replaces a field", () => {
  const fields = { one: 1, two: null, three: { deep: 1 } };
  assert.deepEqual(withAliases(fields, {}), fields);
  assert.deepEqual(withAliases(fields, { one: "uno", two: "dos", deep: "abajo", four: "cuatro" }), {
    ...fields,
    uno: 1,
    dos: null,
  });
  assert.deepEqual(withAliases(fields, { one: "two", two: "one", three: "three" }), fields);
  // What every object has is neither a field nor in the way of one.
  assert.deepEqual(withAliases(fields, { constructor: "maker", one: "constructor" }), {
    ...fields,
    constructor: 1,
  });
  const own = {
    one: { name: "uno", value: "10.0" },
    two: { name: "three", value: 3 },
    five: { name: "x", value: 5 },
  };
  assert.deepEqual(withAliases(fields, own), { ...fields, uno: "10.0" });
  // An alias has no alias.
  assert.deepEqual(withAliases(fields, { one: "uno", uno: "un" }), { ...fields, uno: 1 });
});
