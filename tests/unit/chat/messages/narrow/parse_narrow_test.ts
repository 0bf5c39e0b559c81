import assert from "node:assert/strict";
import { parseNarrow, type UnresolvedTerm, type WireTerm } from "@/lib/chat/messages/narrow/terms.ts";
import { parseSearch } from "@/lib/chat/messages/narrow/search_words.ts";

/** Parses one term and drops its negation. */
function parseOne(
  operator: string,
  operand: number | string | (number | string)[],
): Omit<UnresolvedTerm, "negated"> {
  const [term, ...others] = parseNarrow([{ operator, operand, negated: false }]);
  assert.ok(term !== undefined && others.length === 0);
  const { negated, ...condition } = term;
  assert.equal(negated, false);
  return condition;
}

function refuses(operator: string, operand: number | string | (number | string)[], reason: string): void {
  const refusal = { code: "BAD_NARROW", message: `Invalid narrow operator: ${reason}` };
  assert.throws(
    () => parseNarrow([{ operator, operand, negated: false }]),
    refusal,
    `${operator}:${operand}`,
  );
}

Deno.test("parseNarrow() keeps the order and negation of terms", () => {
  const wire: WireTerm[] = [
    { operator: "is", operand: "starred", negated: true },
    { operator: "is", operand: "unread", negated: false },
  ];
  assert.deepEqual(parseNarrow(wire), [
    { kind: "is", what: "starred", negated: true },
    { kind: "is", what: "unread", negated: false },
  ]);
  assert.deepEqual(parseNarrow([]), []);
});

Deno.test("parseNarrow() accepts channels and users by id and by name", () => {
  assert.deepEqual(parseOne("channel", 3), { kind: "channel", channel: 3 });
  assert.deepEqual(parseOne("stream", "plans"), { kind: "channel", channel: "plans" });
  assert.deepEqual(parseOne("sender", "ada@example.com"), { kind: "sender", user: "ada@example.com" });
  assert.deepEqual(parseOne("sender", 5), { kind: "sender", user: 5 });
});

Deno.test("parseNarrow() accepts mentioned users, and messages in the home view or anywhere", () => {
  assert.deepEqual(parseOne("mentions", 5), { kind: "mentions", user: 5 });
  assert.deepEqual(parseOne("in", "home"), { kind: "in", what: "home" });
  assert.deepEqual(parseOne("in", "all"), { kind: "in", what: "all" });
  refuses("in", "garden", "unknown 'in' operand garden");
});

Deno.test("parseNarrow() accepts kinds of channels", () => {
  assert.deepEqual(parseOne("channels", "public"), { kind: "channels", which: "public" });
  assert.deepEqual(parseOne("streams", "web-public"), { kind: "channels", which: "web-public" });
  refuses("channels", "private", "unknown 'channels' operand private");
});

Deno.test("parseNarrow() accepts the names of general chat", () => {
  assert.deepEqual(parseOne("topic", " lunch "), { kind: "topic", topic: "lunch" });
  for (const sent of ["", "general chat", "(no topic)"]) {
    assert.deepEqual(parseOne("topic", sent), { kind: "topic", topic: "" });
  }
});

Deno.test("parseNarrow() accepts users as a list, a comma-separated text or one id", () => {
  for (const operator of ["dm", "pm-with"]) {
    assert.deepEqual(parseOne(operator, [2, 3]), { kind: "dm", users: [2, 3] });
    assert.deepEqual(parseOne(operator, "a@example.com, 3,"), { kind: "dm", users: ["a@example.com", 3] });
    assert.deepEqual(parseOne(operator, 2), { kind: "dm", users: [2] });
    assert.deepEqual(parseOne(operator, ""), { kind: "dm", users: [] });
  }
  for (const operator of ["dm-including", "group-pm-with"]) {
    assert.deepEqual(parseOne(operator, [2]), { kind: "dm-including", users: [2] });
  }
});

Deno.test("parseNarrow() accepts all operands of is and has", () => {
  for (const what of ["starred", "mentioned", "alerted", "unread", "dm", "resolved", "followed", "muted"]) {
    assert.deepEqual(parseOne("is", what), { kind: "is", what });
  }
  assert.deepEqual(parseOne("is", "private"), { kind: "is", what: "dm" });
  for (const what of ["link", "image", "attachment", "reaction"]) {
    assert.deepEqual(parseOne("has", what), { kind: "has", what });
  }
  refuses("is", "nice", "unknown 'is' operand nice");
  refuses("has", "legs", "unknown 'has' operand legs");
});

Deno.test("parseNarrow() accepts message ids as numbers and as digits", () => {
  for (const operator of ["id", "near", "with"]) {
    assert.deepEqual(parseOne(operator, 7), { kind: operator, id: 7 });
    assert.deepEqual(parseOne(operator, "7"), { kind: operator, id: 7 });
    for (const bad of [-1, "x", "", "1".repeat(20), "0x10", [1]]) {
      refuses(operator, bad, "Invalid message ID");
    }
  }
});

Deno.test("parseNarrow() limits the length of a search", () => {
  assert.deepEqual(parseOne("search", "big room"), { kind: "search", query: parseSearch("big room") });
  parseOne("search", "😀".repeat(500));
  refuses("search", "a".repeat(501), "search is too long (limit: 500 characters)");
});

Deno.test("parseNarrow() refuses unknown operators, and lists where one value is required", () => {
  refuses("color", "red", "unknown operator");
  refuses("constructor", "red", "unknown operator");
  for (const operator of ["channel", "topic", "sender", "is", "search"]) {
    refuses(operator, [1, 2], "operand is not one value");
  }
});
