import assert from "node:assert/strict";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import {
  decideReason,
  findUnsuppressedReason,
  isSuppressed,
  type NotificationFacts,
  type NotificationReason,
} from "@/lib/chat/devices/push_notifications/model.ts";

const maybe = fc.option(fc.boolean(), { nil: null });
const facts: fc.Arbitrary<NotificationFacts> = fc.record({
  addressing: fc.record({
    isDirect: fc.boolean(),
    isMentioned: fc.boolean(),
    isStreamWildcard: fc.boolean(),
    isTopicWildcard: fc.boolean(),
  }),
  preferences: fc.record({
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
  suppression: fc.record({
    isOwn: fc.boolean(),
    isBot: fc.boolean(),
    isDeactivated: fc.boolean(),
    isSenderMuted: fc.boolean(),
    isRead: fc.boolean(),
    isPresent: fc.boolean(),
  }),
});

/** Returns all reasons that apply, strongest first, as an independent list of rules. */
function listReasons({ addressing, preferences }: NotificationFacts): NotificationReason[] {
  const { settings, isFollowed, isMuted, channelPush, channelWildcard } = preferences;
  const isOn = settings.enable_offline_push_notifications;
  const inChannel = !addressing.isDirect;
  const isOpen = inChannel && !isMuted;
  const wild = isOpen && isOn && (channelWildcard ?? settings.wildcard_mentions_notify);
  const followed = isOpen && isOn && isFollowed && settings.enable_followed_topic_wildcard_mentions_notify;
  const all: [NotificationReason, unknown][] = [
    ["direct_message", addressing.isDirect && isOn],
    ["mentioned", inChannel && addressing.isMentioned && isOn],
    ["topic_wildcard_mentioned_in_followed_topic", followed && addressing.isTopicWildcard],
    ["stream_wildcard_mentioned_in_followed_topic", followed && addressing.isStreamWildcard],
    ["topic_wildcard_mentioned", wild && addressing.isTopicWildcard],
    ["stream_wildcard_mentioned", wild && addressing.isStreamWildcard],
    [
      "followed_topic_push_notify",
      isOpen && isFollowed && settings.enable_followed_topic_push_notifications,
    ],
    ["stream_push_notify", isOpen && (channelPush ?? settings.enable_stream_push_notifications)],
  ];
  return all.filter(([, holds]) => holds === true).map(([reason]) => reason);
}

Deno.test("decideReason() returns the strongest reason that applies, or null if suppressed", () => {
  fc.assert(
    fc.property(facts, (one) => {
      const [strongest = null] = listReasons(one);
      const expected = isSuppressed(one.preferences.settings, one.suppression) ? null : strongest;
      assert.equal(decideReason(one), expected);
    }),
    numberOfRuns(1500),
  );
});

Deno.test("decideReason() returns null for own and read messages, muted senders, bots and deactivated accounts", () => {
  const blocks = ["isOwn", "isBot", "isDeactivated", "isSenderMuted", "isRead"] as const;
  fc.assert(fc.property(facts, fc.constantFrom(...blocks), (one, block) => {
    assert.equal(decideReason({ ...one, suppression: { ...one.suppression, [block]: true } }), null);
  }));
});

Deno.test("decideReason() notifies active users only if enabled, and then as if they were away", () => {
  const free = { isOwn: false, isBot: false, isDeactivated: false, isSenderMuted: false, isRead: false };
  fc.assert(fc.property(facts, (one) => {
    const active = decideReason({ ...one, suppression: { ...free, isPresent: true } });
    const away = decideReason({ ...one, suppression: { ...free, isPresent: false } });
    const isEnabled = one.preferences.settings.enable_online_push_notifications;
    assert.equal(active, isEnabled ? away : null);
  }));
});

Deno.test("findUnsuppressedReason() returns only personal mentions in muted topics", () => {
  fc.assert(fc.property(facts, ({ addressing, preferences }) => {
    const reason = findUnsuppressedReason({ ...addressing, isDirect: false }, {
      ...preferences,
      isMuted: true,
    });
    assert.ok(reason === null || reason === "mentioned", String(reason));
  }));
});

Deno.test("findUnsuppressedReason() prefers the channel's setting over the user's", () => {
  fc.assert(fc.property(facts, fc.boolean(), ({ preferences }, isOn) => {
    const plain = { isDirect: false, isMentioned: false, isStreamWildcard: false, isTopicWildcard: false };
    const calm = { ...preferences, isFollowed: false, isMuted: false, channelPush: isOn };
    assert.equal(findUnsuppressedReason(plain, calm), isOn ? "stream_push_notify" : null);
  }));
});

Deno.test("findUnsuppressedReason() keeps returning a reason when a mention is added", () => {
  const flags = ["isMentioned", "isStreamWildcard", "isTopicWildcard"] as const;
  fc.assert(
    fc.property(facts, fc.constantFrom(...flags), ({ addressing, preferences }, flag) => {
      const more = findUnsuppressedReason({ ...addressing, [flag]: true }, preferences);
      assert.ok(more !== null || findUnsuppressedReason(addressing, preferences) === null);
    }),
  );
});
