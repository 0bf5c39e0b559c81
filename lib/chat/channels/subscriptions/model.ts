import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import {
  type ChannelViewer,
  hasMetadataAccess,
  isChannelPermitted,
} from "@/lib/chat/organization/channels/model/access.ts";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";

/**
 * Maximum number of subscriptions and channels in one commit: the store takes 100 checks, some for the acting
 * user.
 */
export const MAX_CHECKS = 95;
/** Maximum number of channels that a request names, repetitions included. */
export const MAX_NAMED_CHANNELS = 1000;
/** Maximum length of a request's events, in characters: the store takes about 800 KB in one commit. */
export const MAX_EVENT_CHARACTERS = 400_000;
/** Maximum number of stored periods; the oldest are dropped. */
const MAX_PERIODS = 1000;
/** Three to six hexadecimal digits: clients have sent all of these. */
const COLOR = /^#[0-9a-fA-F]{3,6}$/;
export const INVALID_COLOR = "color is not a valid hex color code";

/** Colors of new subscriptions; a channel's is the same for every user. */
export const SUBSCRIPTION_COLORS = [
  "#c84141",
  "#8edc74",
  "#366ba1",
  "#c841a6",
  "#dcdc74",
  "#36a186",
  "#8541c8",
  "#dc8e74",
  "#36a136",
  "#4163c8",
  "#dc74a8",
  "#86a136",
  "#41c8c8",
  "#c274dc",
  "#a16b36",
  "#41c863",
  "#7474dc",
  "#a13650",
  "#85c841",
  "#74c2dc",
  "#a136a1",
  "#c8a641",
  "#74dca8",
  "#5036a1",
] as const;

/** Properties of a subscription that are true or false. */
const BOOLEAN_PROPERTIES = [
  "is_muted",
  "pin_to_top",
  "desktop_notifications",
  "audible_notifications",
  "push_notifications",
  "email_notifications",
  "wildcard_mentions_notify",
] as const;

/**
 * A user's subscription to a channel as stored; a former one keeps its record, for the messages it received.
 */
export interface SubscriptionRecord {
  readonly is_active: boolean;
  /** `#` and hexadecimal digits. */
  readonly color: string;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
  /** Null follows the user's own settings. */
  readonly desktop_notifications: boolean | null;
  readonly audible_notifications: boolean | null;
  readonly push_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
  /** Periods in which the user was subscribed, ascending. */
  readonly periods: readonly SubscriptionPeriod[];
}

/** The part of a subscription that decides which messages its user can see. */
export type Membership = Pick<SubscriptionRecord, "is_active" | "periods">;

/**
 * A period of a subscription: ids of the first and the last received message; `to` is null while it is
 * active.
 */
export interface SubscriptionPeriod {
  readonly from: number;
  readonly to: number | null;
}

export interface SubscriptionRef {
  readonly channel: Pick<ChannelRecord, "id">;
  readonly userId: number;
}

/** A subscription to create; without a color, it has the channel's default color. */
export interface NewSubscription extends SubscriptionRef {
  readonly color?: string | undefined;
}

/** Result of subscribing one user to one channel; `isNew` is false if they already were subscribed. */
export interface SubscribeResult {
  readonly userId: number;
  readonly channel: ChannelRecord;
  readonly isNew: boolean;
}

/** Maximum number of users to whom one request sends a message that they were subscribed. */
export const MAX_ANNOUNCED_SUBSCRIBERS = 50;

export interface UnsubscribeResult {
  readonly userId: number;
  readonly channel: ChannelRecord;
  readonly wasSubscribed: boolean;
}

export interface SubscriptionEditResult {
  /** Whether other users received a message that they were subscribed; missing when the request did not ask for it. */
  readonly isAnnounced?: boolean;
  readonly subscribed: readonly SubscribeResult[];
  /** Names of the channels without content access; null if such a channel fails the whole request. */
  readonly unauthorized: readonly string[] | null;
  readonly unsubscribed: readonly UnsubscribeResult[];
}

/** A property of a subscription as a request names it, with the value sent. */
export interface SentProperty {
  readonly property: string;
  readonly value: boolean | string;
}

/** The changes of the record that a property causes, and the properties sent to clients, in this order. */
export interface PropertyChange {
  readonly changes: Partial<SubscriptionRecord>;
  readonly announced: readonly SentProperty[];
}

export function defaultSubscriptionColor({ id }: Pick<ChannelRecord, "id">): string {
  return SUBSCRIPTION_COLORS[id % SUBSCRIPTION_COLORS.length] ?? SUBSCRIPTION_COLORS[0];
}

export function isSubscriptionColor(text: string): boolean {
  return COLOR.test(text);
}

/** Adds a period; a user who resubscribes before any message arrives keeps one uninterrupted period. */
export function openPeriod(
  periods: readonly SubscriptionPeriod[],
  from: number,
): readonly SubscriptionPeriod[] {
  const last = periods.at(-1);
  const isUnbroken = last !== undefined && last.to !== null && last.to + 1 >= from;
  return isUnbroken
    ? [...periods.slice(0, -1), { from: last.from, to: null }]
    : [...periods, { from, to: null }].slice(-MAX_PERIODS);
}

/** Ends the last period; one without any message is dropped. */
export function closePeriod(
  periods: readonly SubscriptionPeriod[],
  to: number,
): readonly SubscriptionPeriod[] {
  const last = periods.at(-1);
  if (last === undefined) return periods;
  const before = periods.slice(0, -1);
  return last.from > to ? before : [...before, { from: last.from, to }];
}

/**
 * Converts a sent property to changes of the record; `in_home_view` is the old, inverted name of `is_muted`,
 * and clients receive both.
 * @throws AppError BAD_REQUEST for an unknown property or an invalid value.
 */
export function toPropertyChange({ property, value }: SentProperty): PropertyChange {
  if (property === "color") {
    if (typeof value !== "string" || !isSubscriptionColor(value)) {
      throw new AppError("BAD_REQUEST", INVALID_COLOR);
    }
    return { changes: { color: value }, announced: [{ property, value }] };
  }
  const name = property === "in_home_view"
    ? "is_muted"
    : BOOLEAN_PROPERTIES.find((known) => known === property);
  if (name === undefined) throw new AppError("BAD_REQUEST", `Unknown subscription property: ${property}`);
  if (typeof value !== "boolean") throw new AppError("BAD_REQUEST", `${property} is not a boolean`);
  if (name !== "is_muted") return { changes: { [name]: value }, announced: [{ property, value }] };
  const is_muted = property === "is_muted" ? value : !value;
  return {
    changes: { is_muted },
    announced: [{ property: "in_home_view", value: !is_muted }, { property: "is_muted", value: is_muted }],
  };
}

/** Parses a value from a form: a boolean, or text with or without JSON quotes. */
export function parsePropertyValue(sent: string): boolean | string {
  try {
    const value: unknown = JSON.parse(sent);
    return typeof value === "boolean" || typeof value === "string" ? value : sent;
  } catch {
    // Colors come without quotes.
    return sent;
  }
}

/** Returns whether some of the users are neither the acting user nor their bots. */
export function actsForOthers(actingUser: UserRecord, users: readonly UserRecord[]): boolean {
  return users.some(({ id, bot_owner_id }) => id !== actingUser.id && bot_owner_id !== actingUser.id);
}

/** Returns whether a user with content access to a channel can subscribe others to it. */
export function canAddOthers(permissions: PermissionContext, viewer: ChannelViewer): boolean {
  return isChannelPermitted(permissions, viewer, "can_add_subscribers_group");
}

export function canRemoveOthers(permissions: PermissionContext, viewer: ChannelViewer): boolean {
  return hasMetadataAccess(permissions, viewer) &&
    isChannelPermitted(permissions, viewer, "can_remove_subscribers_group");
}

/** Returns the error for more channels and users than one commit holds. */
export function tooManySubscriptions(): AppError {
  return new AppError("BAD_REQUEST", "Too many subscriptions for one request. Please send several requests.");
}
