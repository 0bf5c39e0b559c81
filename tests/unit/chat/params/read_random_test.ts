import assert from "node:assert/strict";
import { z } from "zod";
import { realmParams } from "@/lib/chat/organization/organizations/api.ts";
import {
  bool,
  choice,
  int,
  intChoice,
  intList,
  json,
  optional,
  type Params,
  text,
  textOrJson,
  trimmed,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { groupSettingUpdateParam } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { AppError } from "@/lib/core/errors.ts";
import fc, { codePoint, numberOfRuns } from "@/tests/helpers/fast_check.ts";

const PARAMS: Params = {
  text: optional(text({ max: 5, min: 1 })),
  trimmed: optional(trimmed({ max: 5 })),
  int: optional(int()),
  flag: withDefault(bool(), false),
  choice: optional(choice(["a", "b"])),
  number: optional(intChoice([1, 2])),
  list: optional(intList()),
  either: optional(textOrJson(z.union([z.int(), z.string()]))),
  nested: optional(json(z.strictObject({ ids: z.array(z.int()), more: z.record(z.string(), z.int()) }))),
  setting: groupSettingUpdateParam("Users."),
};

/** Returns the message of the refusal, or null when all fields are valid. Any other error fails the test. */
function attempt(params: Params, fields: ReadonlyMap<string, string>): string | null {
  try {
    readParams(params, fields);
    return null;
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, "BAD_REQUEST");
    return error.message;
  }
}

/** Generates fields with these values under known and unknown names. */
function fieldsWith(value: fc.Arbitrary<string>, params: Params): fc.Arbitrary<ReadonlyMap<string, string>> {
  const names = fc.constantFrom(...Object.keys(params), "__proto__", "toString");
  return fc.array(fc.tuple(names, value), { maxLength: 4 }).map((entries) => new Map(entries));
}

const bytes = fc.uint8Array({ maxLength: 60 }).map((raw) => new TextDecoder().decode(raw));
const jsonText = fc.json({ maxDepth: 4 });
const loneSurrogates = fc.string({ unit: codePoint, maxLength: 20 });

for (const [name, params] of [["every kind of parameter", PARAMS], ["PATCH /realm", realmParams]] as const) {
  Deno.test(`readParams() accepts random bytes, texts and JSON for ${name} or refuses them with a message`, () => {
    fc.assert(
      fc.property(fieldsWith(fc.oneof(bytes, jsonText, loneSurrogates), params), (fields) => {
        const message = attempt(params, fields);
        if (message === null) return;
        assert.match(message, /^(Invalid |Argument ".*" at )?[a-z_]+/s);
        assert.ok(Object.keys(params).some((param) => message.includes(param)), message);
      }),
      numberOfRuns(700),
    );
  });
}

Deno.test("readParams() refuses deeply nested and very long JSON with a message", () => {
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  const objects = '{"a":'.repeat(25_000) + "1" + "}".repeat(25_000);
  const long = `[${"1,".repeat(50_000)}"x"]`;
  for (const sent of [deep, objects, "[".repeat(50_000), "9".repeat(80_000)]) {
    for (const name of Object.keys(PARAMS).filter((param) => !/^(text|trimmed|choice|either)$/.test(param))) {
      assert.notEqual(attempt(PARAMS, new Map([[name, sent]])), null, `${name} took ${sent.slice(0, 10)}`);
    }
  }
  assert.equal(attempt(PARAMS, new Map([["list", long]])), "list[50000] is not an integer");
});

Deno.test("readParams() returns the sent values", () => {
  fc.assert(fc.property(fc.maxSafeInteger(), fc.boolean(), fc.array(fc.maxSafeInteger()), (n, flag, list) => {
    const params = { n: int(), flag: bool(), list: intList() };
    const sent = new Map(
      Object.entries({ n, flag, list }).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    assert.deepEqual(readParams(params, sent).values, { n: n + 0, flag, list: list.map((one) => one + 0) });
  }));
});
