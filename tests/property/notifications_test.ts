import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import {
  decide,
  findReason,
  isHeldBack,
  type NotificationFacts,
  type NotificationReason,
} from "@/lib/chat/notifications/reason.ts";

const maybe = fc.option(fc.boolean(), { nil: null });
const facts: fc.Arbitrary<NotificationFacts> = fc.record({
  address: fc.record({
    isDirect: fc.boolean(),
    isMentioned: fc.boolean(),
    isStreamWildcard: fc.boolean(),
    isTopicWildcard: fc.boolean(),
  }),
  wishes: fc.record({
    settings: fc.record({
      enable_offline_push_notifications: fc.boolean(),
      enable_online_push_notifications: fc.boolean(),
      enable_stream_push_notifications: fc.boolean(),
      wildcard_mentions_notify: fc.boolean(),
      enable_followed_topic_push_notifications: fc.boolean(),
      enable_followed_topic_wildcard_mentions_notify: fc.boolean(),
    }),
    channelPush: maybe,
    channelWildcard: maybe,
    isFollowed: fc.boolean(),
    isMuted: fc.boolean(),
  }),
  hindrances: fc.record({
    isOwn: fc.boolean(),
    isBot: fc.boolean(),
    isDeactivated: fc.boolean(),
    isSenderMuted: fc.boolean(),
    isRead: fc.boolean(),
    isPresent: fc.boolean(),
  }),
});

/** The reasons that hold, said one by one, the strongest first. */
function reasonsOf({ address, wishes }: NotificationFacts): NotificationReason[] {
  const { settings, isFollowed, isMuted, channelPush, channelWildcard } = wishes;
  const isOn = settings.enable_offline_push_notifications;
  const inChannel = !address.isDirect;
  const isOpen = inChannel && !isMuted;
  const wild = isOpen && isOn && (channelWildcard ?? settings.wildcard_mentions_notify);
  const followed = isOpen && isOn && isFollowed && settings.enable_followed_topic_wildcard_mentions_notify;
  const all: [NotificationReason, boolean][] = [
    ["direct_message", address.isDirect && isOn],
    ["mentioned", inChannel && address.isMentioned && isOn],
    ["topic_wildcard_mentioned_in_followed_topic", followed && address.isTopicWildcard],
    ["stream_wildcard_mentioned_in_followed_topic", followed && address.isStreamWildcard],
    ["topic_wildcard_mentioned", wild && address.isTopicWildcard],
    ["stream_wildcard_mentioned", wild && address.isStreamWildcard],
    [
      "followed_topic_push_notify",
      isOpen && isFollowed && settings.enable_followed_topic_push_notifications,
    ],
    ["stream_push_notify", isOpen && (channelPush ?? settings.enable_stream_push_notifications)],
  ];
  return all.filter(([, holds]) => holds).map(([reason]) => reason);
}

Deno.test("decide() gives the strongest reason that holds, and none where something holds it back", () => {
  fc.assert(
    fc.property(facts, (one) => {
      const [strongest = null] = reasonsOf(one);
      const expected = isHeldBack(one.wishes.settings, one.hindrances) ? null : strongest;
      assert.equal(decide(one), expected);
    }),
    { numRuns: 5000 },
  );
});

Deno.test("decide() tells nobody of his own, read or a muted sender's messages, no bots and no deactivated accounts", () => {
  const blocks = ["isOwn", "isBot", "isDeactivated", "isSenderMuted", "isRead"] as const;
  fc.assert(fc.property(facts, fc.constantFrom(...blocks), (one, block) => {
    assert.equal(decide({ ...one, hindrances: { ...one.hindrances, [block]: true } }), null);
  }));
});

Deno.test("decide() tells whoever is there only where he wants that, and then as if he were away", () => {
  const free = { isOwn: false, isBot: false, isDeactivated: false, isSenderMuted: false, isRead: false };
  fc.assert(fc.property(facts, (one) => {
    const there = decide({ ...one, hindrances: { ...free, isPresent: true } });
    const away = decide({ ...one, hindrances: { ...free, isPresent: false } });
    const isWanted = one.wishes.settings.enable_online_push_notifications;
    assert.equal(there, isWanted ? away : null);
  }));
});

Deno.test("findReason() tells of what is muted only where somebody is named", () => {
  fc.assert(fc.property(facts, ({ address, wishes }) => {
    const reason = findReason({ ...address, isDirect: false }, { ...wishes, isMuted: true });
    assert.ok(reason === null || reason === "mentioned", String(reason));
  }));
});

Deno.test("findReason() lets the channel's own wishes win over the settings", () => {
  fc.assert(fc.property(facts, fc.boolean(), ({ wishes }, isOn) => {
    const plain = { isDirect: false, isMentioned: false, isStreamWildcard: false, isTopicWildcard: false };
    const calm = { ...wishes, isFollowed: false, isMuted: false, channelPush: isOn };
    assert.equal(findReason(plain, calm), isOn ? "stream_push_notify" : null);
  }));
});

Deno.test("findReason() has a reason for more where a message speaks to more", () => {
  const flags = ["isMentioned", "isStreamWildcard", "isTopicWildcard"] as const;
  fc.assert(fc.property(facts, fc.constantFrom(...flags), ({ address, wishes }, flag) => {
    const more = findReason({ ...address, [flag]: true }, wishes);
    assert.ok(more !== null || findReason(address, wishes) === null);
  }));
});
