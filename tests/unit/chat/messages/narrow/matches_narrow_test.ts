import assert from "node:assert/strict";
import { matchesNarrow, type MessageFacts } from "@/lib/chat/messages/narrow/match_narrow.ts";
import type { NarrowTerm } from "@/lib/chat/messages/narrow/terms.ts";
import { parseSearch } from "@/lib/chat/messages/narrow/search_words.ts";

const DIRECT: MessageFacts = {
  id: 1,
  channelId: null,
  isPublicChannel: false,
  isWebPublicChannel: false,
  topic: "",
  participants: [1, 2, 3],
  senderId: 2,
  mentionedUserIds: [3],
  flags: ["read"],
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  hasReaction: false,
  content: "The big room",
  isFollowed: false,
  isMuted: false,
};
const POSTED: MessageFacts = { ...DIRECT, channelId: 10, topic: "Lunch", participants: null };

type Asked<T> = T extends unknown ? Omit<T, "negated"> : never;

function matches(term: Asked<NarrowTerm>, message: MessageFacts): boolean {
  const [is, isNot] = [false, true].map((negated) => matchesNarrow([{ ...term, negated }], message));
  assert.notEqual(is, isNot);
  return is === true;
}

Deno.test("matchesNarrow() matches a message by channel and topic", () => {
  assert.ok(matches({ kind: "channel", channel: 10 }, POSTED));
  assert.ok(!matches({ kind: "channel", channel: 11 }, POSTED));
  assert.ok(!matches({ kind: "channel", channel: 10 }, DIRECT));
  assert.ok(matches({ kind: "topic", topic: "lunch" }, POSTED));
  assert.ok(!matches({ kind: "topic", topic: "lunches" }, POSTED));
  assert.ok(matches({ kind: "topic", topic: "" }, { ...POSTED, topic: "" }));
  assert.ok(!matches({ kind: "topic", topic: "" }, DIRECT));
});

Deno.test("matchesNarrow() matches a message by the users it mentions and by whether it is muted", () => {
  assert.ok(matches({ kind: "mentions", user: 3 }, POSTED));
  assert.ok(!matches({ kind: "mentions", user: 2 }, POSTED));
  assert.ok(matches({ kind: "in", what: "home" }, POSTED));
  assert.ok(!matches({ kind: "in", what: "home" }, { ...POSTED, isMuted: true }));
  assert.ok(matches({ kind: "in", what: "all" }, { ...POSTED, isMuted: true }));
});

Deno.test("matchesNarrow() matches a message by the kind of its channel", () => {
  const webPublic = { ...POSTED, isPublicChannel: true, isWebPublicChannel: true };
  for (const which of ["public", "web-public"] as const) {
    assert.ok(matches({ kind: "channels", which }, webPublic));
    assert.ok(!matches({ kind: "channels", which }, POSTED));
    assert.ok(!matches({ kind: "channels", which }, DIRECT));
  }
  assert.ok(!matches({ kind: "channels", which: "web-public" }, { ...POSTED, isPublicChannel: true }));
});

Deno.test("matchesNarrow() matches a direct message by all or some of its participants", () => {
  assert.ok(matches({ kind: "dm", users: [1, 2, 3] }, DIRECT));
  for (const users of [[], [1, 2], [1, 2, 3, 4], [1, 2, 4]]) {
    assert.ok(!matches({ kind: "dm", users }, DIRECT));
  }
  assert.ok(matches({ kind: "dm-including", users: [3, 2] }, DIRECT));
  assert.ok(!matches({ kind: "dm-including", users: [3, 4] }, DIRECT));
  assert.ok(!matches({ kind: "dm", users: [1] }, POSTED));
  assert.ok(!matches({ kind: "dm-including", users: [] }, POSTED));
});

Deno.test("matchesNarrow() matches a message by sender, id and text", () => {
  assert.ok(matches({ kind: "sender", user: 2 }, DIRECT) && !matches({ kind: "sender", user: 1 }, DIRECT));
  assert.ok(matches({ kind: "id", id: 1 }, DIRECT) && !matches({ kind: "id", id: 2 }, DIRECT));
  assert.ok(matches({ kind: "search", query: parseSearch("room big") }, DIRECT));
  assert.ok(!matches({ kind: "search", query: parseSearch("room small") }, DIRECT));
  assert.ok(matchesNarrow([{ kind: "near", id: 9, negated: false }], DIRECT));
});

Deno.test("matchesNarrow() matches each `is` operand by its own property only", () => {
  const unlike: [Extract<NarrowTerm, { kind: "is" }>["what"], MessageFacts[]][] = [
    ["starred", [{ ...POSTED, flags: ["read", "starred"] }]],
    [
      "mentioned",
      (["mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"] as const)
        .map((flag) => ({ ...POSTED, flags: ["read", flag] })),
    ],
    ["alerted", [{ ...POSTED, flags: ["read", "has_alert_word"] }]],
    ["unread", [{ ...POSTED, flags: [] }]],
    ["dm", [DIRECT]],
    ["resolved", [{ ...POSTED, topic: "✔ lunch" }]],
    ["followed", [{ ...POSTED, isFollowed: true }]],
    ["muted", [{ ...POSTED, isMuted: true }]],
  ];
  for (const [what] of unlike) {
    assert.ok(!matches({ kind: "is", what }, POSTED), what);
    for (const [other, messages] of unlike) {
      for (const message of messages) assert.equal(matches({ kind: "is", what }, message), what === other);
    }
  }
});

Deno.test("matchesNarrow() matches each `has` operand by its own property only", () => {
  const having = {
    link: { ...POSTED, hasLink: true },
    image: { ...POSTED, hasImage: true },
    attachment: { ...POSTED, hasAttachment: true },
    reaction: { ...POSTED, hasReaction: true },
  };
  for (const what of ["link", "image", "attachment", "reaction"] as const) {
    for (const [other, message] of Object.entries(having)) {
      assert.equal(matches({ kind: "has", what }, message), what === other);
    }
  }
});

Deno.test("matchesNarrow() requires all terms", () => {
  const channel: NarrowTerm = { kind: "channel", channel: 10, negated: false };
  const sender: NarrowTerm = { kind: "sender", user: 2, negated: true };
  assert.ok(matchesNarrow([], POSTED));
  assert.ok(matchesNarrow([channel], POSTED));
  assert.ok(!matchesNarrow([channel, sender], POSTED));
});
