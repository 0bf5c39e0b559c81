import assert from "node:assert/strict";
import {
  collectNames,
  type Operand,
  parseNarrow,
  type ResolvedNames,
  resolveNarrow,
  type UnresolvedTerm,
} from "@/lib/chat/messages/narrow/terms.ts";

const FOUND: ResolvedNames = {
  viewerId: 1,
  channelIds: new Map([["plans", 10]]),
  userIds: new Map([["ada@example.com", 2]]),
  conversation: undefined,
};

type Pair = readonly [operator: string, operand: Operand];

function parse(pairs: readonly Pair[]): UnresolvedTerm[] {
  return parseNarrow(pairs.map(([operator, operand]) => ({ operator, operand, negated: false })));
}

function resolve(pairs: readonly Pair[], found: Partial<ResolvedNames> = {}) {
  return resolveNarrow(parse(pairs), { ...FOUND, ...found });
}

function refusal(reason: string) {
  return { code: "BAD_NARROW", message: `Invalid narrow operator: ${reason}` };
}

Deno.test("collectNames() returns each name to look up once", () => {
  const terms = parse([
    ["channel", "plans"],
    ["channel", "plans"],
    ["channel", 4],
    ["sender", "ada@example.com"],
    ["dm", "ada@example.com,bob@example.com,7"],
    ["with", 99],
  ]);
  assert.deepEqual(collectNames(terms), {
    channelNames: ["plans"],
    emails: ["ada@example.com", "bob@example.com"],
    withId: 99,
  });
});

Deno.test("collectNames() refuses a second and a negated `with`", () => {
  const twice = parse([["with", 1], ["with", 2]]);
  assert.throws(() => collectNames(twice), refusal("Duplicate 'with' operators."));
  const negated = parseNarrow([{ operator: "with", operand: 1, negated: true }]);
  assert.throws(() => collectNames(negated), refusal("Invalid 'with' operator"));
});

Deno.test("resolveNarrow() replaces names by ids", () => {
  assert.deepEqual(resolve([["channel", "plans"], ["sender", "ada@example.com"], ["is", "unread"]]), [
    { kind: "channel", channel: 10, negated: false },
    { kind: "sender", user: 2, negated: false },
    { kind: "is", what: "unread", negated: false },
  ]);
});

Deno.test("resolveNarrow() adds the viewer to the participants of a conversation", () => {
  assert.deepEqual(resolve([["dm", [7, 2, 7]]]), [{ kind: "dm", users: [1, 2, 7], negated: false }]);
  assert.deepEqual(resolve([["dm", [1]]]), [{ kind: "dm", users: [1], negated: false }]);
  assert.deepEqual(resolve([["dm", []]]), [{ kind: "dm", users: [], negated: false }]);
  assert.deepEqual(resolve([["dm-including", [7, 2]]]), [
    { kind: "dm-including", users: [7, 2], negated: false },
  ]);
});

Deno.test("resolveNarrow() refuses unresolved names", () => {
  assert.throws(() => resolve([["channel", "nowhere"]]), refusal("unknown channel"));
  for (const operator of ["sender", "dm", "dm-including"]) {
    assert.throws(() => resolve([[operator, "bob@example.com"]]), refusal("unknown user"));
  }
});

Deno.test("resolveNarrow() replaces terms by the current conversation of a `with` message", () => {
  const wire: Pair[] = [["channel", "gone"], ["topic", "old"], ["with", 99], ["is", "unread"]];
  assert.deepEqual(resolve(wire, { conversation: { channelId: 11, topic: "new" } }), [
    { kind: "channel", channel: 11, negated: false },
    { kind: "topic", topic: "new", negated: false },
    { kind: "is", what: "unread", negated: false },
  ]);
  assert.deepEqual(resolve([["with", 99]], { conversation: { participants: [1, 2] } }), [
    { kind: "dm", users: [1, 2], negated: false },
  ]);
});

Deno.test("resolveNarrow() keeps other terms when a `with` message is inaccessible", () => {
  assert.deepEqual(resolve([["dm", [2]], ["with", 99]]), [{ kind: "dm", users: [1, 2], negated: false }]);
  assert.throws(() => resolve([["is", "unread"], ["with", 99]]), refusal("Invalid 'with' operator"));
});
