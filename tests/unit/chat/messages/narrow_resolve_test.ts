import assert from "node:assert/strict";
import { type Operand, parseNarrow, type SentTerm } from "@/lib/chat/messages/narrow.ts";
import { type FoundNames, namesIn, resolveNarrow } from "@/lib/chat/messages/narrow_resolve.ts";

const FOUND: FoundNames = {
  viewerId: 1,
  channelIds: new Map([["plans", 10]]),
  userIds: new Map([["ada@example.com", 2]]),
  conversation: undefined,
};

type Pair = readonly [operator: string, operand: Operand];

function parse(pairs: readonly Pair[]): SentTerm[] {
  return parseNarrow(pairs.map(([operator, operand]) => ({ operator, operand, negated: false })));
}

function resolve(pairs: readonly Pair[], found: Partial<FoundNames> = {}) {
  return resolveNarrow(parse(pairs), { ...FOUND, ...found });
}

function refusal(reason: string) {
  return { code: "BAD_REQUEST", message: `Invalid narrow operator: ${reason}` };
}

Deno.test("namesIn() gives what must be looked up, each once", () => {
  const terms = parse([
    ["channel", "plans"],
    ["channel", "plans"],
    ["channel", 4],
    ["sender", "ada@example.com"],
    ["dm", "ada@example.com,bob@example.com,7"],
    ["with", 99],
  ]);
  assert.deepEqual(namesIn(terms), {
    channelNames: ["plans"],
    emails: ["ada@example.com", "bob@example.com"],
    withId: 99,
  });
});

Deno.test("namesIn() takes one `with`, which is not negated", () => {
  const twice = parse([["with", 1], ["with", 2]]);
  assert.throws(() => namesIn(twice), refusal("Duplicate 'with' operators."));
  const negated = parseNarrow([{ operator: "with", operand: 1, negated: true }]);
  assert.throws(() => namesIn(negated), refusal("Invalid 'with' operator"));
});

Deno.test("resolveNarrow() puts ids in the place of names", () => {
  assert.deepEqual(resolve([["channel", "plans"], ["sender", "ada@example.com"], ["is", "unread"]]), [
    { kind: "channel", channel: 10, negated: false },
    { kind: "sender", user: 2, negated: false },
    { kind: "is", what: "unread", negated: false },
  ]);
});

Deno.test("resolveNarrow() adds the reader to the people of a conversation", () => {
  assert.deepEqual(resolve([["dm", [7, 2, 7]]]), [{ kind: "dm", users: [1, 2, 7], negated: false }]);
  assert.deepEqual(resolve([["dm", [1]]]), [{ kind: "dm", users: [1], negated: false }]);
  assert.deepEqual(resolve([["dm", []]]), [{ kind: "dm", users: [], negated: false }]);
  assert.deepEqual(resolve([["dm-including", [7, 2]]]), [
    { kind: "dm-including", users: [7, 2], negated: false },
  ]);
});

Deno.test("resolveNarrow() refuses names that were not found", () => {
  assert.throws(() => resolve([["channel", "nowhere"]]), refusal("unknown channel"));
  for (const operator of ["sender", "dm", "dm-including"]) {
    assert.throws(() => resolve([[operator, "bob@example.com"]]), refusal("unknown user"));
  }
});

Deno.test("resolveNarrow() follows a message to where it is now", () => {
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

Deno.test("resolveNarrow() keeps to the terms beside a message that is not to be seen", () => {
  assert.deepEqual(resolve([["dm", [2]], ["with", 99]]), [{ kind: "dm", users: [1, 2], negated: false }]);
  assert.throws(() => resolve([["is", "unread"], ["with", 99]]), refusal("Invalid 'with' operator"));
});
