import { z } from "zod";
import { createChannelParams } from "@/lib/chat/channels/api/params.ts";
import { MAX_CHANNEL_DESCRIPTION } from "@/lib/chat/channels/model/channel.ts";
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
} from "@/lib/chat/params/param.ts";
import { cleanText } from "@/lib/core/text.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import {
  INVALID_COLOR,
  isSubscriptionColor,
  MAX_ANNOUNCED_SUBSCRIBERS,
  MAX_NAMED_CHANNELS,
} from "../model.ts";

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

/** Returns the options of a request that sets none. */
export function defaultChannelOptions(): ChannelOptions {
  return readParams(channelOptionParams, new Map()).values;
}

/** Parameter of requests that subscribe other users. */
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

/** Parameters to unsubscribe users. */
export const unsubscribeParams = {
  subscriptions: described(channelNames, "The names of the channels."),
  principals,
};

/** Parameters to subscribe and unsubscribe yourself. */
export const editSubscriptionsParams = {
  delete: described(withDefault(channelNames, []), "The names of the channels to unsubscribe from."),
  add: described(withDefault(channels, []), "The channels to subscribe to."),
};

/** Parameters to list your subscriptions. */
export const listSubscriptionsParams = {
  include_subscribers: described(
    withDefault(choice(["true", "false", "partial"]), "false"),
    "Whether to include each channel's subscribers; `partial` limits those of large channels.",
  ),
};

/** Parameters to update one property of a subscription. */
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

/** Parameters to update several properties. */
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

/** Converts a request to subscribe users. */
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

/** Converts a request to unsubscribe users. */
export function toUnsubscribeEdits(
  { subscriptions, principals }: ParamValues<typeof unsubscribeParams>,
): SubscriptionEdits {
  return { remove: toNamed(subscriptions), principals };
}

/** Converts a request to subscribe and unsubscribe yourself. */
export function toOwnEdits(params: ParamValues<typeof editSubscriptionsParams>) {
  return { add: params.add, remove: toNamed(params.delete) };
}

function toNamed(names: readonly string[]): readonly { readonly name: string }[] {
  return names.map((name) => ({ name: name.trim() }));
}
