import { deleteDue, moveDue } from "@/lib/store/due_worker.ts";
import type { Entry, Key } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";

/** Reason for which a user is notified of a message. Sent to devices as `trigger`. */
export type NotificationReason =
  | "direct_message"
  | "mentioned"
  | "topic_wildcard_mentioned_in_followed_topic"
  | "stream_wildcard_mentioned_in_followed_topic"
  | "topic_wildcard_mentioned"
  | "stream_wildcard_mentioned"
  | "followed_topic_push_notify"
  | "stream_push_notify";

export function isMention(reason: NotificationReason): boolean {
  return reason !== "direct_message" && !reason.endsWith("_push_notify");
}

/** Settings that decide about push notifications. */
export const PUSH_SETTINGS = [
  // Notifies of direct messages and mentions.
  "enable_offline_push_notifications",
  // Notifies even while the user is active.
  "enable_online_push_notifications",
  "enable_stream_push_notifications",
  "wildcard_mentions_notify",
  "enable_followed_topic_push_notifications",
  "enable_followed_topic_wildcard_mentions_notify",
] as const;

/** Ways in which a message addresses one user. */
export interface Addressing {
  readonly isDirect: boolean;
  /** Whether the message mentions the user or a group that they belong to. */
  readonly isMentioned: boolean;
  /** Whether the message mentions everyone in the channel. */
  readonly isStreamWildcard: boolean;
  /** Whether the message mentions all participants of the topic, and the user is one. */
  readonly isTopicWildcard: boolean;
}

/** A user's notification preferences for the conversation of a message. */
export interface Preferences {
  readonly settings: Readonly<Record<typeof PUSH_SETTINGS[number], boolean>>;
  /** The subscription's override of the user's setting; null if not set. */
  readonly channelPush: boolean | null;
  readonly channelWildcard: boolean | null;
  readonly isFollowed: boolean;
  /** Whether the topic is muted, or its channel is and the topic is not unmuted. */
  readonly isMuted: boolean;
}

/** Circumstances that suppress a notification, whatever its reason. */
export interface Suppression {
  readonly isOwn: boolean;
  readonly isBot: boolean;
  readonly isDeactivated: boolean;
  readonly isSenderMuted: boolean;
  readonly isRead: boolean;
  /** Whether the user is active at the moment. */
  readonly isPresent: boolean;
}

/** All facts that decide whether a message notifies one user. */
export interface NotificationFacts {
  readonly addressing: Addressing;
  readonly preferences: Preferences;
  readonly suppression: Suppression;
}

/** Returns the reason for which a message notifies a user; null if it does not. */
export function decideReason(
  { addressing, preferences, suppression }: NotificationFacts,
): NotificationReason | null {
  return isSuppressed(preferences.settings, suppression)
    ? null
    : findUnsuppressedReason(addressing, preferences);
}

/** Returns the reason for which a message would notify a user if nothing suppressed it, or null. */
export function findUnsuppressedReason(
  addressing: Addressing,
  preferences: Preferences,
): NotificationReason | null {
  const { settings, isFollowed, isMuted } = preferences;
  const isOn = settings.enable_offline_push_notifications;
  if (addressing.isDirect) return isOn ? "direct_message" : null;
  // A personal mention notifies even in a muted topic.
  if (addressing.isMentioned && isOn) return "mentioned";
  if (isMuted) return null;
  const wildcard = isOn ? findWildcardReason(addressing, preferences) : null;
  if (wildcard !== null) return wildcard;
  if (isFollowed && settings.enable_followed_topic_push_notifications) return "followed_topic_push_notify";
  return preferences.channelPush ?? settings.enable_stream_push_notifications ? "stream_push_notify" : null;
}

function findWildcardReason(addressing: Addressing, preferences: Preferences): NotificationReason | null {
  const { settings, isFollowed, channelWildcard } = preferences;
  const { isTopicWildcard, isStreamWildcard } = addressing;
  if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) {
    if (isTopicWildcard) return "topic_wildcard_mentioned_in_followed_topic";
    if (isStreamWildcard) return "stream_wildcard_mentioned_in_followed_topic";
  }
  if (!(channelWildcard ?? settings.wildcard_mentions_notify)) return null;
  if (isTopicWildcard) return "topic_wildcard_mentioned";
  return isStreamWildcard ? "stream_wildcard_mentioned" : null;
}

/** Returns whether all notifications of a message are suppressed for a user. */
export function isSuppressed(settings: Preferences["settings"], suppression: Suppression): boolean {
  const { isOwn, isBot, isDeactivated, isSenderMuted, isRead, isPresent } = suppression;
  if (isOwn || isBot || isDeactivated || isSenderMuted || isRead) return true;
  return isPresent && !settings.enable_online_push_notifications;
}

/** Delivery state of a job for one device. */
interface SendAttempts {
  readonly attempts: number;
  /** Time of the message, or of the read that retracts it, in milliseconds since 1970 UTC. */
  readonly sent_at: number;
}

/** A job that notifies one device of one message. */
interface PushMessageSend extends SendAttempts {
  readonly reason: NotificationReason;
}

/** A job that retracts notifications from one device. */
export interface PushRemovalSend extends SendAttempts {
  readonly removed: readonly number[];
}

/** A job for one device: a notification of one message, or a retraction. */
export type PushSendJob = PushMessageSend | PushRemovalSend;

/** The device and the message of a job. */
interface SendTarget {
  readonly realmId: number;
  readonly userId: number;
  readonly deviceId: number;
  readonly messageId: number;
}

/** Keys of jobs for devices, ordered by due time in milliseconds since 1970 UTC. */
export const sendKeys = {
  sends: ["push_send"],
  send: (due: number, { realmId, userId, deviceId, messageId }: SendTarget): Key => [
    "push_send",
    due,
    realmId,
    userId,
    deviceId,
    messageId,
  ],
  /** A retraction. Its message id is the first of the retracted ones. */
  removal: (due: number, target: SendTarget): Key => [...sendKeys.send(due, target), "removed"],
} as const;

export function getSendTarget({ key }: Pick<Entry<PushSendJob>, "key">): SendTarget {
  const [realmId = 0, userId = 0, deviceId = 0, messageId = 0] = key.slice(2).map(Number);
  return { realmId, userId, deviceId, messageId };
}

/** Keys of the notifications that devices have received and that are not retracted. */
export const sentKeys = {
  /** Ids of the messages that a user's devices were notified of, ascending. */
  sent: (realmId: number, userId: number): Key => [realmId, "push_sent", userId],
  /** Ids of the users whose devices were notified of a message. */
  sentTo: (realmId: number, messageId: number): Key => [realmId, "push_sent_to", messageId],
} as const;

/** Lease of a job for a device, in milliseconds: more than twice the time that the bouncer may take. */
export const SEND_LEASE_MS = 30_000;
/** Lease of a message's fan-out; slower work fails at its next commit if another process took over. */
export const FAN_OUT_LEASE_MS = 10_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Age from which a message no longer notifies, in milliseconds. */
export const GIVE_UP_MS = 60 * MINUTE;
/** Delays before retries, in milliseconds; the last one repeats. */
const RETRY_DELAYS_MS = [5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE];

/** Requeues a leased job for another attempt; gives it up and returns false if it would be too old then. */
export async function retryJob(store: Store, job: Entry<PushSendJob>, now: number): Promise<boolean> {
  const { attempts, sent_at } = job.value;
  const due = now + (RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length - 1)] ?? 0);
  const isTooOld = due - sent_at >= GIVE_UP_MS;
  if (isTooOld) await deleteDue(store, [job]);
  else await moveDue(store, [job], due, (value) => ({ ...value, attempts: attempts + 1 }));
  return !isTooOld;
}
