import assert from "node:assert/strict";
import { type Operand, parseNarrow, resolveNarrow, type WireTerm } from "@/lib/chat/messages/narrow/terms.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { MESSAGE_FLAGS } from "@/lib/chat/messages/flags.ts";
import {
  chooseIndex,
  matchesNarrow,
  type MessageFacts,
  type NarrowIndex,
} from "@/lib/chat/messages/narrow/match_narrow.ts";

const VIEWER = 1;
const USERS = [1, 2, 3];
const CHANNELS = [10, 11];
const TOPICS = ["", "lunch", "✔ Lunch", "Lunch", "big lunch"];
const TEXTS = ["", "big room", "room, big", "A bigger room!", "日本語"];
const QUERIES = [
  "big",
  "room",
  '"big room"',
  "big*",
  "日本語",
  "本",
  "!",
  "nowhere",
  "lunch",
  "room lunch",
  '"big lunch"',
];

const participants = fc.subarray(USERS).map((others) => [...new Set([VIEWER, ...others])].sort());
const place = fc.oneof(
  fc.record({
    channelId: fc.constantFrom(...CHANNELS),
    topic: fc.constantFrom(...TOPICS),
    participants: fc.constant(null),
    isFollowed: fc.boolean(),
    isMuted: fc.boolean(),
    isPublicChannel: fc.boolean(),
    isWebPublicChannel: fc.boolean(),
  }),
  participants.map((participants) => ({
    channelId: null,
    topic: "",
    participants,
    isFollowed: false,
    isMuted: false,
    isPublicChannel: false,
    isWebPublicChannel: false,
  })),
);
const message: fc.Arbitrary<MessageFacts> = fc.record({
  id: fc.integer({ min: 1, max: 5 }),
  place,
  senderId: fc.constantFrom(...USERS),
  mentionedUserIds: fc.subarray(USERS),
  flags: fc.subarray([...MESSAGE_FLAGS]),
  hasLink: fc.boolean(),
  hasImage: fc.boolean(),
  hasAttachment: fc.boolean(),
  hasReaction: fc.boolean(),
  content: fc.constantFrom(...TEXTS),
}).map(({ place, ...facts }) => ({ ...facts, ...place }));

const OPERANDS: readonly (readonly [operator: string, operands: readonly Operand[]])[] = [
  ["channel", CHANNELS],
  ["channels", ["public", "web-public"]],
  ["topic", TOPICS],
  ["dm", [[], [1], [2], [2, 3], [3, 2]]],
  ["dm-including", [[2], [2, 3]]],
  ["sender", USERS],
  ["mentions", USERS],
  ["in", ["home", "all"]],
  ["is", ["starred", "mentioned", "alerted", "unread", "dm", "resolved", "followed", "muted"]],
  ["has", ["link", "image", "attachment", "reaction"]],
  ["id", [1, 2, 3]],
  ["near", [1, 2]],
  ["search", QUERIES],
];
const wireTerm: fc.Arbitrary<WireTerm> = fc.constantFrom(...OPERANDS).chain(([operator, operands]) =>
  fc.record({
    operator: fc.constant(operator),
    operand: fc.constantFrom(...operands),
    negated: fc.boolean(),
  })
);
const terms = fc.array(wireTerm, { maxLength: 5, size: "max" }).map((wire) =>
  resolveNarrow(parseNarrow(wire), {
    viewerId: VIEWER,
    channelIds: new Map(),
    userIds: new Map(),
    conversation: undefined,
  })
);
const messages = fc.array(message, { minLength: 1, maxLength: 40, size: "max" });

/** Returns whether an index contains a message, independently of the code under test. */
function contains(index: NarrowIndex, message: MessageFacts): boolean {
  switch (index.kind) {
    case "nothing":
      return false;
    case "all":
      return true;
    case "id":
      return message.id === index.id;
    case "starred":
      return message.flags.includes("starred");
    case "mentioned":
      return message.flags.some((flag) => flag.endsWith("mentioned"));
    case "mentions":
      return message.mentionedUserIds.includes(index.userId);
    case "alerted":
      return message.flags.includes("has_alert_word");
    case "facet":
      return { link: message.hasLink, image: message.hasImage, attachment: message.hasAttachment }[
        String(index.facet)
      ] ?? false;
    case "reactions":
      return message.hasReaction;
    case "sender":
      return message.senderId === index.senderId;
    case "channel":
      return message.channelId === index.channelId;
    case "channels":
      return index.which === "public" ? message.isPublicChannel : message.isWebPublicChannel;
    case "topic":
      return message.channelId === index.channelId &&
        message.topic.toLowerCase() === index.topic.toLowerCase();
    case "dm":
      return String(message.participants) === String(index.participants);
    case "direct":
      // Those of others are inaccessible to the viewer.
      return message.channelId === null;
    case "search": {
      const text = `${message.content} ${message.topic}`;
      const words = text.toLowerCase().match(/[a-z]+|[日本語]+/g) ?? [];
      const indexed = words.flatMap((word) =>
        /[a-z]/.test(word) ? [word] : [...word].map((_, at) => word.slice(at, at + 2))
      );
      return index.words.every(({ text, isPrefix }) =>
        indexed.some((word) => word === text || (isPrefix && word.startsWith(text)))
      );
    }
  }
}

Deno.test("any narrow matches the same messages by index as by checking every message", () => {
  fc.assert(
    fc.property(terms, messages, (terms, messages) => {
      const { index, residual } = chooseIndex(terms);
      for (const message of messages) {
        const isGiven = contains(index, message) && matchesNarrow(residual, message);
        assert.equal(isGiven, matchesNarrow(terms, message), JSON.stringify({ index, residual, message }));
      }
    }),
    numberOfRuns(500),
  );
});

Deno.test("any term and its negation partition the messages", () => {
  fc.assert(
    fc.property(terms, messages, (terms, messages) => {
      for (const term of terms) {
        for (const message of messages) {
          const [is, isNot] = [false, true].map((negated) => matchesNarrow([{ ...term, negated }], message));
          assert.ok(term.kind === "near" ? is && isNot : is !== isNot);
        }
      }
    }),
    numberOfRuns(200),
  );
});

Deno.test("any order of terms matches the same messages", () => {
  fc.assert(
    fc.property(terms, messages, (terms, messages) => {
      const backwards = [...terms].reverse();
      const { index, residual } = chooseIndex(backwards);
      for (const message of messages) {
        const isGiven = contains(index, message) && matchesNarrow(residual, message);
        assert.equal(isGiven, matchesNarrow(terms, message));
      }
    }),
    numberOfRuns(200),
  );
});
