import { z } from "zod";
import {
  bool,
  boundedString,
  choice,
  described,
  exact,
  json,
  type ParamValues,
  text,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { cleanText } from "@/lib/core/text.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { channelSchema, type ChannelView, createChannelParams } from "../api.ts";
import { MAX_CHANNEL_DESCRIPTION } from "@/lib/chat/organization/channels/model/channel.ts";
import {
  INVALID_COLOR,
  isSubscriptionColor,
  MAX_ANNOUNCED_SUBSCRIBERS,
  MAX_NAMED_CHANNELS,
  type SubscriptionEditResult,
  type SubscriptionRecord,
} from "./model.ts";

/** A channel to subscribe to; the description is for a channel that does not exist yet. */
export interface RequestedChannel {
  readonly name: string;
  readonly description?: string | undefined;
  readonly color?: string | undefined;
}

const requestedChannels: z.ZodType<RequestedChannel[]> = z.array(z.object({
  name: boundedString().transform((name) => name.trim()),
  description: boundedString({ max: MAX_CHANNEL_DESCRIPTION }).transform(cleanText).optional(),
  color: boundedString().refine(isSubscriptionColor, INVALID_COLOR).optional(),
}));
/** Values in the JSON of the channels that a request names: each has up to three members. */
const MAX_CHANNEL_VALUES = 4 * MAX_NAMED_CHANNELS;
const channels = { ...exact(json(requestedChannels)), maxValues: MAX_CHANNEL_VALUES };
const channelNames = { ...exact(json(z.array(boundedString()))), maxValues: MAX_CHANNEL_VALUES };

const principals = described(
  withDefault(json(z.array(z.union([z.int(), boundedString()]))), []),
  "The users, by id or email address. Defaults to yourself.",
);

const { name: _name, description: _description, subscribers: _subscribers, ...channelOptionParams } =
  createChannelParams;

/** Properties of the missing channels that a request creates. */
export type ChannelOptions = ParamValues<typeof channelOptionParams>;

export function defaultChannelOptions(): ChannelOptions {
  return readParams(channelOptionParams, new Map()).values;
}

export const subscriptionMessageParams = {
  send_new_subscription_messages: described(
    withDefault(bool(), false),
    "Whether the notification bot sends a direct message to each other user who is subscribed, if they are at " +
      `most ${MAX_ANNOUNCED_SUBSCRIBERS}.`,
  ),
};

/** Parameters to subscribe users; those after `authorization_errors_fatal` apply to created channels. */
export const subscribeParams = {
  subscriptions: described(
    channels,
    "The channels: each has a name and optionally a color and, for a new channel, a description.",
  ),
  principals,
  authorization_errors_fatal: described(
    withDefault(bool(), true),
    "Whether a channel you cannot access fails the request; if not, the response names it.",
  ),
  ...subscriptionMessageParams,
  ...channelOptionParams,
};

export const unsubscribeParams = {
  subscriptions: described(channelNames, "The names of the channels."),
  principals,
};

export const editSubscriptionsParams = {
  delete: described(withDefault(channelNames, []), "The names of the channels to unsubscribe from."),
  add: described(withDefault(channels, []), "The channels to subscribe to."),
};

export const listSubscriptionsParams = {
  include_subscribers: described(
    withDefault(choice(["true", "false", "partial"]), "false"),
    "Whether to include each channel's subscribers; `partial` limits those of large channels.",
  ),
};

export const propertyParams = {
  property: described(
    text(),
    "`color`, `is_muted`, `in_home_view` (the opposite of `is_muted`), `pin_to_top`, `desktop_notifications`, " +
      "`audible_notifications`, `push_notifications`, `email_notifications` or `wildcard_mentions_notify`.",
  ),
  value: described(
    text(),
    "For `color`, `#` and three to six hexadecimal digits; otherwise `true` or `false`.",
  ),
};

export const propertiesParams = {
  subscription_data: described(
    json(z.array(
      z.object({
        stream_id: z.int(),
        property: boundedString(),
        value: z.union([z.boolean(), boundedString()]),
      }).superRefine(({ property, value }, context) => {
        if (property !== "color" || (typeof value === "string" && isSubscriptionColor(value))) return;
        context.addIssue({ code: "custom", message: INVALID_COLOR, input: value });
      }),
    )),
    "The updates: each has a `stream_id`, a `property` and a `value`.",
  ),
};

/** The channels to subscribe to and unsubscribe from; without principals, for the caller. */
export interface SubscriptionEdits {
  readonly add?: readonly RequestedChannel[];
  readonly remove?: readonly { readonly name: string }[];
  readonly principals?: readonly (number | string)[];
  /** Whether a channel without content access fails the whole request. */
  readonly isFatal?: boolean;
  /** Whether other users receive a message that they were subscribed. */
  readonly isAnnounced?: boolean;
  /** Properties of the missing channels that a request creates. */
  readonly options?: ChannelOptions;
}

export function toSubscribeEdits(
  {
    subscriptions,
    principals,
    authorization_errors_fatal,
    send_new_subscription_messages,
    ...options
  }: ParamValues<typeof subscribeParams>,
): SubscriptionEdits {
  return {
    add: subscriptions,
    principals,
    isFatal: authorization_errors_fatal,
    isAnnounced: send_new_subscription_messages,
    options,
  };
}

export function toUnsubscribeEdits(
  { subscriptions, principals }: ParamValues<typeof unsubscribeParams>,
): SubscriptionEdits {
  return { remove: toNamed(subscriptions), principals };
}

export function toOwnEdits(params: ParamValues<typeof editSubscriptionsParams>) {
  return { add: params.add, remove: toNamed(params.delete) };
}

function toNamed(names: readonly string[]): readonly { readonly name: string }[] {
  return names.map((name) => ({ name: name.trim() }));
}

/** Properties of a channel that hold its subscribers, on request. */
export const subscribersShape = {
  subscribers: z.array(z.int()).optional().meta({ description: "Active users, ascending." }),
  partial_subscribers: z.array(z.int()).optional().meta({
    description:
      "Some of the active users, ascending, instead of `subscribers`: for `partial` and large channels.",
  }),
};

export const subscriptionSchema = channelSchema.extend({
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean().meta({ description: "For older clients: the opposite of `is_muted`." }),
  pin_to_top: z.boolean(),
  desktop_notifications: z.boolean().nullable().meta({ description: "Null follows your own settings." }),
  audible_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
  email_address: z.literal("").meta({ description: "For older clients: the server receives no mail." }),
  ...subscribersShape,
}).meta({ id: "Subscription" });

export const subscriptionsSchema = z.object({ subscriptions: z.array(subscriptionSchema) });

const namesByUser = z.record(z.string(), z.array(z.string()))
  .meta({ description: "Names of channels by user id." });

export const subscribeResultSchema = z.object({
  subscribed: namesByUser,
  already_subscribed: namesByUser,
  unauthorized: z.array(z.string()).optional().meta({
    description: "Names of the channels you cannot access, if those do not fail the request.",
  }),
  new_subscription_messages_sent: z.boolean().optional().meta({
    description: "Whether the subscribed users received a message, if the request asked for it.",
  }),
});

export const unsubscribeResultSchema = z.object({
  removed: z.array(z.string()),
  not_removed: z.array(z.string()).meta({
    description: "Names of the channels that a user was not subscribed to.",
  }),
});

export const editResultSchema = z.object({
  ...subscribeResultSchema.shape,
  ...unsubscribeResultSchema.shape,
});

export const isSubscribedSchema = z.object({ is_subscribed: z.boolean() });

export const subscribersSchema = z.object({
  subscribers: z.array(z.int()).meta({ description: "Active users, ascending." }),
});

export const userChannelsSchema = z.object({
  subscribed_channel_ids: z.array(z.int()).meta({ description: "Ascending." }),
});

/** Maximum number of subscribers in an event, which must fit into one record of the store. */
const MAX_EVENT_SUBSCRIBERS = 500;

/**
 * Returns a channel as events send it to its subscriber: with their settings and a limited list of
 * subscribers.
 */
export function toSubscription(
  channel: ChannelView,
  subscription: SubscriptionRecord,
  subscribers: readonly number[],
) {
  return { ...channel, ...toSubscriptionSettings(subscription), ...toSubscriberList(subscribers) };
}

/** Returns a subscriber's settings of a channel, with properties that older clients read. */
export function toSubscriptionSettings(
  { is_active: _active, periods: _periods, ...settings }: SubscriptionRecord,
) {
  return { ...settings, in_home_view: !settings.is_muted, email_address: "" as const };
}

/** Returns a channel's subscribers as events send them, limited to MAX_EVENT_SUBSCRIBERS. */
export function toSubscriberList(subscribers: readonly number[]) {
  if (subscribers.length <= MAX_EVENT_SUBSCRIBERS) return { subscribers };
  return { partial_subscribers: subscribers.slice(0, MAX_EVENT_SUBSCRIBERS) };
}

/** Names of the user settings that null settings of a subscription follow. */
const USER_SETTING_NAMES = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  push_notifications: "enable_stream_push_notifications",
  email_notifications: "enable_stream_email_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
} as const;

/** Replaces null settings with the user's own, for clients that do not know null. */
export function inheritSettings<T extends object>(
  subscription: T,
  settings: Readonly<Record<string, unknown>>,
): T {
  const inherited = Object.entries(USER_SETTING_NAMES)
    .filter(([setting]) => Reflect.get(subscription, setting) === null)
    .map(([setting, name]) => [setting, settings[name]]);
  return { ...subscription, ...Object.fromEntries(inherited) };
}

/** Returns the names of the channels that users were subscribed to, or already were, by user id. */
export function toSubscribeResult(
  { subscribed, unauthorized, isAnnounced }: Omit<SubscriptionEditResult, "unsubscribed">,
) {
  const toNames = (isNew: boolean): Record<string, string[]> => {
    const matching = subscribed.filter((result) => result.isNew === isNew);
    const byUser = Map.groupBy(matching, ({ userId }) => String(userId));
    return Object.fromEntries(
      Array.from(byUser, ([userId, results]) => [userId, results.map(({ channel }) => channel.name)]),
    );
  };
  return {
    subscribed: toNames(true),
    already_subscribed: toNames(false),
    ...(unauthorized === null ? {} : { unauthorized }),
    ...(isAnnounced === undefined ? {} : { new_subscription_messages_sent: isAnnounced }),
  };
}

/** Returns the names of the channels that users were unsubscribed from, or were not subscribed to. */
export function toUnsubscribeResult({ unsubscribed }: Pick<SubscriptionEditResult, "unsubscribed">) {
  const toNames = (wasSubscribed: boolean) => [
    ...new Set(
      unsubscribed.filter((result) => result.wasSubscribed === wasSubscribed)
        .map(({ channel }) => channel.name),
    ),
  ];
  return { removed: toNames(true), not_removed: toNames(false) };
}
