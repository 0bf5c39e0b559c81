import assert from "node:assert/strict";
import { z } from "zod";
import {
  bool,
  boundedString,
  choice,
  described,
  exact,
  int,
  intChoice,
  intList,
  json,
  optional,
  type Param,
  record,
  text,
  textOrJson,
  trimmed,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { groupSettingUpdateParam } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { AppError } from "@/lib/core/errors.ts";

/** Returns the value of one parameter `v`. */
function read<T>(param: Param<T>, sent: string): T {
  return readParams({ v: param }, new Map([["v", sent]])).values.v;
}

/** Returns the message of the refusal. */
function refusal(param: Param<unknown>, sent: string): string {
  try {
    read(param, sent);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, "BAD_REQUEST");
    return error.message;
  }
  assert.fail(`${sent} was taken`);
}

Deno.test("invalid JSON is refused as such", () => {
  for (const param of [int(), bool(), intList(), intChoice([1]), json(z.object({}))]) {
    for (const sent of ["True", "yes", "abc", "", " ", "[1,", "{a:1}", "01", "undefined", "NaN", "'1'"]) {
      assert.equal(refusal(param, sent), "v is not valid JSON", sent);
    }
  }
});

Deno.test("bool() accepts only true and false", () => {
  assert.deepEqual([read(bool(), "true"), read(bool(), " false ")], [true, false]);
  for (const sent of ["1", "0", '"true"', "null", "[]", "{}"]) {
    assert.equal(refusal(bool(), sent), "v is not a boolean", sent);
  }
});

Deno.test("int() refuses texts, fractions and booleans", () => {
  assert.deepEqual([read(int(), "0"), read(int(), "-5"), read(int(), "9007199254740991")], [
    0,
    -5,
    2 ** 53 - 1,
  ]);
  for (const sent of ['"5"', '"16"', "5.5", "5.0", "5e0", "true", "null", "[5]", "{}", "1e400"]) {
    assert.equal(refusal(int(), sent), "v is not an integer", sent);
  }
  assert.match(refusal(int(), "9007199254740993"), /^v is (not an integer|too large)$/);
});

Deno.test("the message names the expected list, object or text", () => {
  for (const sent of ["1", '"a"', "null", "{}", "true"]) {
    assert.equal(refusal(intList(), sent), "v is not a list", sent);
  }
  const dict = json(z.object({ key: z.string() }));
  for (const sent of ["1", '"a"', "null", "true", "[]"]) {
    assert.equal(refusal(dict, sent), "v is not a dict", sent);
    assert.equal(refusal(json(z.record(z.string(), z.string())), sent), "v is not a dict", sent);
  }
  for (const sent of ["1", "null", "[]", "{}", "true"]) {
    assert.equal(refusal(json(z.string()), sent), "v is not a string", sent);
  }
});

Deno.test("the message names the path of the first invalid element", () => {
  assert.equal(refusal(intList(), '[1,"2",true]'), "v[1] is not an integer");
  assert.equal(refusal(intList(), "[1,2.0]"), "v[1] is not an integer");
  const nested = json(z.object({ user_ids: z.array(z.int()), skip: z.boolean() }));
  assert.equal(refusal(nested, '{"user_ids":["x"],"skip":1}'), 'v["user_ids"][0] is not an integer');
  assert.equal(refusal(nested, '{"user_ids":[1]}'), 'v["skip"] field is missing: Field required');
  assert.equal(refusal(nested, '{"user_ids":5,"skip":true}'), 'v["user_ids"] is not a list');
});

Deno.test("an unexpected key is refused in strict objects and dropped elsewhere", () => {
  const strict = json(z.strictObject({ a: z.int() }));
  assert.equal(refusal(strict, '{"a":1,"b":2}'), 'Argument "b" at v is unexpected');
  const within = json(z.object({ inner: z.strictObject({}) }));
  assert.equal(refusal(within, '{"inner":{"b":2}}'), 'Argument "b" at v["inner"] is unexpected');
  assert.deepEqual(read(json(z.object({ a: z.int() })), '{"a":1,"b":2,"__proto__":{"c":3}}'), { a: 1 });
});

Deno.test("lengths are counted in code points; blank means empty", () => {
  const short = text({ max: 3, min: 1 });
  assert.equal(read(short, "🌱🌱🌱"), "🌱🌱🌱");
  assert.equal(refusal(short, "🌱🌱🌱🌱"), "v is too long (limit: 3 characters)");
  assert.equal(refusal(short, ""), "v cannot be blank");
  assert.equal(read(short, " "), " ");
  assert.equal(read(text(), ""), "");
  assert.equal(read(trimmed({ max: 3 }), "  abc \n"), "abc");
  assert.equal(refusal(trimmed({ max: 3, min: 1 }), "   "), "v cannot be blank");
  assert.equal(refusal(trimmed({ max: 3 }), " abcd "), "v is too long (limit: 3 characters)");
  const listed = json(z.array(boundedString({ max: 2 })));
  assert.equal(refusal(listed, '["ab","abc"]'), "v[1] is too long (limit: 2 characters)");
});

Deno.test("numbers out of bounds are refused as too small or too large", () => {
  const bounded = json(z.int().min(1).max(5));
  assert.equal(refusal(bounded, "0"), "v is too small");
  assert.equal(refusal(bounded, "6"), "v is too large");
  assert.equal(refusal(bounded, '"3"'), "v is not an integer");
});

Deno.test("choice() and intChoice() accept only the listed values", () => {
  const other = "Invalid v: Value error, Not in the list of possible values";
  assert.equal(read(choice(["inbox", "recent"]), "inbox"), "inbox");
  for (const sent of ["Inbox", "", " inbox", '"inbox"']) {
    assert.equal(refusal(choice(["inbox", "recent"]), sent), other, sent);
  }
  assert.equal(read(intChoice([1, 2, 4]), "4"), 4);
  assert.equal(refusal(intChoice([1, 2, 4]), "3"), other);
  assert.equal(refusal(intChoice([1, 2, 4]), '"4"'), "v is not an integer");
});

Deno.test("text() uses the text unchanged, even if it looks like JSON", () => {
  for (const sent of ['"quoted"', "null", "1", "[]", "  ", "a\r\nb"]) {
    assert.equal(read(text(), sent), sent);
  }
});

Deno.test("NUL characters and lone surrogates are removed from every text that is not exact", () => {
  assert.equal(read(text({ max: 2 }), "\0a\0\0b\0"), "ab");
  assert.equal(refusal(text({ min: 1 }), "\0\0"), "v cannot be blank");
  assert.equal(read(trimmed(), "\0 a \0"), "a");
  assert.equal(read(textOrJson(z.string()), "a\0b"), "ab");
  const texts = json(z.array(boundedString({ max: 3 })));
  const sent = String.raw`["a\u0000b", "\u0000", "\ud800", "\ud83c\udf31"]`;
  assert.deepEqual(read(texts, sent), ["ab", "", "\ufffd", "🌱"]);
  const maps = json(record(record(z.string())));
  assert.equal(
    JSON.stringify(read(maps, '{"a\\u0000":{"__proto__":"\\u0000c"}}')),
    '{"a":{"__proto__":"c"}}',
  );
  assert.equal(read(exact(text()), "a\0b"), "a\0b");
  assert.equal(read(exact(json(z.string())), '"a\\u0000b"'), "a\0b");
});

Deno.test("textOrJson() accepts plain text and JSON", () => {
  const either = textOrJson(z.literal(["inherit", "empty_topic_only"]));
  assert.deepEqual([read(either, "inherit"), read(either, '"inherit"')], ["inherit", "inherit"]);
  assert.equal(refusal(either, "null"), "Invalid v: Value error, Not in the list of possible values");
  const days = textOrJson(z.union([z.int(), z.string()]));
  assert.deepEqual([read(days, "7"), read(days, "unlimited"), read(days, '"unlimited"')], [
    7,
    "unlimited",
    "unlimited",
  ]);
});

Deno.test("a missing parameter is named in the message and in var_name", () => {
  assert.throws(() => readParams({ name: text(), other: int() }, new Map([["other", "x"]])), (error) => {
    assert.ok(error instanceof AppError);
    assert.deepEqual([error.code, error.message], [
      "REQUEST_VARIABLE_MISSING",
      "Missing 'name' argument",
    ]);
    assert.deepEqual(error.details.extra, { var_name: "name" });
    return true;
  });
});

Deno.test("an absent parameter has its default or is undefined; an empty one counts as sent", () => {
  const params = { a: optional(int()), b: withDefault(bool(), true), c: described(optional(text()), "C") };
  assert.deepEqual(readParams(params, new Map()).values, { a: undefined, b: true, c: undefined });
  const sent = new Map([["a", "1"], ["b", "false"], ["c", ""]]);
  assert.deepEqual(readParams(params, sent).values, { a: 1, b: false, c: "" });
  assert.throws(() => readParams(params, new Map([["a", ""]])), { message: "a is not valid JSON" });
});

Deno.test("parameters are validated in the order of their definitions", () => {
  const params = { first: int(), second: int() };
  const sent = new Map([["second", "x"], ["first", "y"]]);
  assert.throws(() => readParams(params, sent), { message: "first is not valid JSON" });
});

Deno.test("unknown names are returned sorted, including names of Object.prototype", () => {
  const names = ["zebra", "apple", "Ant", "toString", "__proto__", "constructor"];
  const { ignored } = readParams({ apple: text() }, new Map(names.map((name) => [name, "1"])));
  assert.deepEqual(ignored, ["Ant", "__proto__", "constructor", "toString", "zebra"]);
});

Deno.test("groupSettingUpdateParam() accepts an object with a new value in either form", () => {
  const change = groupSettingUpdateParam("Users.");
  assert.deepEqual(read(change, '{"new":5}'), { new: 5 });
  const users = { direct_members: [1], direct_subgroups: [] };
  assert.deepEqual(read(change, JSON.stringify({ new: users, old: 5 })), { new: users, old: 5 });
  assert.equal(refusal(change, "5"), "v is not a dict");
  assert.equal(refusal(change, '{"old":5}'), 'v["new"] field is missing: Field required');
  assert.equal(refusal(change, '{"new":"5"}'), 'v["new"] is not an integer');
  const member = '{"new":{"direct_members":["x"],"direct_subgroups":[]}}';
  assert.equal(refusal(change, member), 'v["new"]["direct_members"][0] is not an integer');
});
