import assert from "node:assert/strict";
import { type Operand, parseNarrow, resolveNarrow, type WireTerm } from "@/lib/chat/messages/narrow/terms.ts";
import { chooseIndex } from "@/lib/chat/messages/narrow/match_narrow.ts";

type Pair = readonly [operator: string, operand: Operand];

/** Returns the index and the kinds of the residual terms. */
function plan(...sent: (Pair | WireTerm)[]) {
  const wire = sent.map((term) =>
    "operator" in term ? term : { operator: term[0], operand: term[1], negated: false }
  );
  const found = { viewerId: 1, channelIds: new Map(), userIds: new Map(), conversation: undefined };
  const { index, residual } = chooseIndex(resolveNarrow(parseNarrow(wire), found));
  return { index, left: residual.map(({ kind }) => kind) };
}

function not(operator: string, operand: number | string): WireTerm {
  return { operator, operand, negated: true };
}

Deno.test("chooseIndex() reads a topic, a conversation, a channel or a sender by its own index", () => {
  assert.deepEqual(plan(["channel", 3], ["topic", "Lunch"], ["has", "link"]), {
    index: { kind: "topic", channelId: 3, topic: "Lunch" },
    left: ["has"],
  });
  assert.deepEqual(plan(["dm", [2]]), { index: { kind: "dm", participants: [1, 2] }, left: [] });
  assert.deepEqual(plan(["channel", 3], ["is", "unread"]), {
    index: { kind: "channel", channelId: 3 },
    left: ["is"],
  });
  assert.deepEqual(plan(["sender", 2], ["channel", 3]), {
    index: { kind: "sender", senderId: 2 },
    left: ["channel"],
  });
});

Deno.test("chooseIndex() reads the viewer's direct messages when only they can match", () => {
  assert.deepEqual(plan(["is", "dm"], ["has", "link"]), { index: { kind: "direct" }, left: ["has"] });
  assert.deepEqual(plan(["dm-including", [3]]), { index: { kind: "direct" }, left: ["dm-including"] });
  assert.deepEqual(plan(["is", "dm"], ["dm-including", [3]]).left, ["dm-including"]);
  assert.equal(plan(["is", "dm"], ["dm", [2]]).index.kind, "dm");
  assert.equal(plan(["is", "dm"], ["search", "x"]).index.kind, "search");
  assert.equal(plan(not("is", "dm")).index.kind, "all");
});

Deno.test("chooseIndex() prefers the most selective index", () => {
  const place: Pair[] = [["channel", 3], ["topic", "lunch"]];
  assert.deepEqual(plan(...place, ["is", "starred"], ["id", 9]).index, { kind: "id", id: 9 });
  assert.deepEqual(plan(...place, ["is", "starred"], ["search", "x"]).index, { kind: "starred" });
  assert.equal(plan(...place, ["search", "x"]).index.kind, "search");
  assert.equal(plan(...place, ["is", "mentioned"]).index.kind, "topic");
  assert.equal(plan(["channel", 3], ["is", "mentioned"]).index.kind, "mentioned");
});

Deno.test("chooseIndex() combines the words of all searches and keeps terms with phrases", () => {
  const { index, left } = plan(["search", "big room"], ["search", 'room "so small"']);
  assert.ok(index.kind === "search");
  assert.deepEqual(index.words.map(({ text }) => text), ["big", "room", "so", "small"]);
  assert.deepEqual(left, ["search"]);
  assert.deepEqual(plan(["search", "big room"]).left, []);
});

Deno.test("chooseIndex() reads the messages with a link, an alert word or reactions", () => {
  const link = { kind: "facet", facet: "link" };
  assert.deepEqual(plan(["has", "link"], ["channel", 3]), { index: link, left: ["channel"] });
  assert.deepEqual(plan(["has", "reaction"]), { index: { kind: "reactions" }, left: [] });
  assert.deepEqual(plan(["is", "alerted"]), { index: { kind: "alerted" }, left: [] });
  assert.equal(plan(not("has", "link")).index.kind, "all");
});

Deno.test("chooseIndex() reads all channels of a kind when no term is more selective", () => {
  const open = { kind: "channels", which: "web-public" };
  assert.deepEqual(plan(["channels", "web-public"]), { index: open, left: ["channels"] });
  assert.deepEqual(plan(["channels", "web-public"], ["is", "resolved"]).index, open);
  assert.equal(plan(["channels", "web-public"], ["channel", 3]).index.kind, "channel");
  assert.equal(plan(not("channels", "web-public")).index.kind, "all");
});

Deno.test("chooseIndex() reads all messages when no index applies", () => {
  assert.deepEqual(plan(), { index: { kind: "all" }, left: [] });
  assert.deepEqual(plan(["near", 5]), { index: { kind: "all" }, left: [] });
  assert.deepEqual(plan(not("channel", 3), ["topic", "lunch"], ["is", "dm"]).index, { kind: "nothing" });
  assert.deepEqual(plan(not("channel", 3), not("is", "starred"), not("search", "x")), {
    index: { kind: "all" },
    left: ["channel", "is", "search"],
  });
});

Deno.test("chooseIndex() returns the empty index for contradictory terms", () => {
  const contradictions: (Pair | WireTerm)[][] = [
    [["channel", 3], ["channel", 4]],
    [["topic", "a"], ["topic", "b"]],
    [["sender", 3], ["sender", 4]],
    [["id", 3], ["id", 4]],
    [["dm", [2]], ["dm", [3]]],
    [["channel", 3], ["dm", [3]]],
    [["is", "dm"], ["channels", "public"]],
    [["is", "resolved"], ["dm-including", [3]]],
    [["is", "unread"], not("is", "unread")],
    [["topic", "A"], not("topic", "a")],
    [["dm", []]],
    [["search", "!?"]],
  ];
  for (const wire of contradictions) {
    assert.deepEqual(plan(...wire), { index: { kind: "nothing" }, left: [] }, JSON.stringify(wire));
  }
});

Deno.test("chooseIndex() accepts repeated terms", () => {
  assert.deepEqual(plan(["channel", 3], ["topic", "a"], ["topic", "A"], ["channel", 3]), {
    index: { kind: "topic", channelId: 3, topic: "a" },
    left: [],
  });
});
