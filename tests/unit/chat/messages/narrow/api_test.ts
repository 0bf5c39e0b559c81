import assert from "node:assert/strict";
import {
  changeFlagsByNarrowParams,
  fetchMessagesParams,
  matchesNarrowParams,
  parseFetchScope,
} from "@/lib/chat/messages/narrow/api.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";

function read(fields: Record<string, string>) {
  return readParams(fetchMessagesParams, new Map(Object.entries(fields))).values;
}

function scope(fields: Record<string, string>) {
  return parseFetchScope(read(fields));
}

function refuses(fields: Record<string, string>, message: string, code = "BAD_REQUEST"): void {
  assert.throws(() => scope(fields), { code, message }, JSON.stringify(fields));
}

Deno.test("parseFetchScope() parses a window around an anchor", () => {
  assert.deepEqual(scope({ anchor: "newest", num_before: "100", num_after: "0" }), {
    kind: "window",
    anchor: "newest",
    numBefore: 100,
    numAfter: 0,
    includesAnchor: true,
  });
  for (const anchor of ["oldest", "first_unread"]) {
    const found = scope({ anchor });
    assert.ok(found.kind === "window" && found.anchor === anchor && found.numBefore === 0);
  }
});

Deno.test("parseFetchScope() clamps an anchor beyond all ids to the nearest end", () => {
  const anchors = ["17", "-5", "9".repeat(40)].map((anchor) => {
    const found = scope({ anchor });
    return found.kind === "window" ? found.anchor : null;
  });
  assert.deepEqual(anchors, [17, 0, Number.MAX_SAFE_INTEGER]);
});

Deno.test("parseFetchScope() refuses an invalid anchor", () => {
  for (const anchor of ["", "newer", "1.5", "NaN", "1 "]) refuses({ anchor }, "Invalid anchor");
  refuses({ num_before: "1", num_after: "1" }, "Missing 'anchor' argument", "REQUEST_VARIABLE_MISSING");
});

Deno.test("parseFetchScope() refuses more than 5000 messages", () => {
  scope({ anchor: "newest", num_before: "2500", num_after: "2500" });
  const many = { anchor: "newest", num_before: "2500", num_after: "2501" };
  refuses(many, "Too many messages requested (maximum 5000).");
  refuses({ anchor: "newest", num_before: "-1" }, "num_before is too small");
  refuses({ anchor: "newest", num_after: "x" }, "num_after is not valid JSON");
});

Deno.test("parseFetchScope() refuses other parameters beside message ids", () => {
  assert.deepEqual(scope({ message_ids: "[3,1,3]" }), { kind: "ids", ids: [3, 1] });
  refuses(
    { message_ids: "[3]", anchor: "newest", num_before: "1" },
    "Unsupported parameter combination: message_ids, num_before, anchor",
  );
});

Deno.test("fetchMessagesParams has defaults for omitted parameters", () => {
  const values = read({ anchor: "newest" });
  assert.deepEqual(values.narrow, []);
  assert.ok(values.include_anchor && values.client_gravatar && values.apply_markdown);
  assert.ok(!values.allow_empty_topic_name);
});

Deno.test("fetchMessagesParams accepts a narrow of objects or pairs", () => {
  const narrow = '[["is","unread"],{"operator":"dm","operand":[2,"a@example.com"],"negated":true,"more":1}]';
  assert.deepEqual(read({ anchor: "newest", narrow }).narrow, [
    { operator: "is", operand: "unread", negated: false },
    { operator: "dm", operand: [2, "a@example.com"], negated: true },
  ]);
  const refusals = [
    ["is:unread", "narrow is not valid JSON"],
    ["{}", "narrow is not a list"],
    ['[{"operator":"is"}]', 'narrow[0]["operand"] field is missing: Field required'],
    ['[{"operator":1,"operand":"x"}]', 'narrow[0]["operator"] is not a string'],
    ['[["is","x"],[1,"x"]]', 'narrow[1]["operator"] is not a string'],
    ['[["is"]]', "narrow[0] is not a dict"],
    ['[["is",true]]', 'narrow[0]["operand"] is not an integer'],
    [JSON.stringify(new Array(101).fill(["is", "unread"])), "narrow is too large"],
  ];
  for (const [narrow = "", message = ""] of refusals) refuses({ anchor: "newest", narrow }, message);
});

Deno.test("changeFlagsByNarrowParams requires an anchor and counts", () => {
  const sent = { anchor: "oldest", num_before: "0", num_after: "10", op: "add", flag: "read" };
  const values = readParams(changeFlagsByNarrowParams, new Map(Object.entries(sent))).values;
  assert.equal(values.anchor, "oldest");
  for (const name of Object.keys(sent)) {
    const without = new Map(Object.entries(sent).filter(([each]) => each !== name));
    const refusal = { code: "REQUEST_VARIABLE_MISSING", message: `Missing '${name}' argument` };
    assert.throws(() => readParams(changeFlagsByNarrowParams, without), refusal);
  }
});

Deno.test("matchesNarrowParams accepts message ids and a narrow", () => {
  const sent = new Map([["msg_ids", "[1,2]"], ["narrow", '[["is","dm"]]']]);
  assert.deepEqual(readParams(matchesNarrowParams, sent).values, {
    msg_ids: [1, 2],
    narrow: [{ operator: "is", operand: "dm", negated: false }],
  });
});
