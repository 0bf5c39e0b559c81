import { z } from "zod";
import { MAX_CHANNEL_DESCRIPTION } from "../channels/channel.ts";
import { createChannelParams } from "../channels/params.ts";
import {
  bool,
  boundedString,
  choice,
  described,
  json,
  type ParamValues,
  text,
  withDefault,
} from "../params/param.ts";
import { readParams } from "../params/read.ts";
import { BAD_COLOR, isColor } from "./property.ts";

/** A channel to come into; the description is for a channel that is made. */
export interface AddedChannel {
  readonly name: string;
  readonly description?: string | undefined;
  readonly color?: string | undefined;
}

const addedChannels: z.ZodType<AddedChannel[]> = z.array(z.object({
  name: z.string().trim(),
  description: boundedString({ max: MAX_CHANNEL_DESCRIPTION }).optional(),
  color: z.string().refine(isColor, BAD_COLOR).optional(),
}));
const channelNames = json(z.array(z.string()));

const principals = described(
  withDefault(json(z.array(z.union([z.int(), z.string()]))), []),
  "The users, by their ids or addresses; yourself without any.",
);

const { name: _name, description: _description, subscribers: _subscribers, ...channelOptionParams } =
  createChannelParams;

/** What channels are made with that there are not. */
export type ChannelOptions = ParamValues<typeof channelOptionParams>;

/** What they are made with where a request says nothing of it. */
export function defaultOptions(): ChannelOptions {
  return readParams(channelOptionParams, new Map()).values;
}

/** What a new subscription takes; all that comes after `authorization_errors_fatal` is for channels that are made. */
export const subscribeParams = {
  subscriptions: described(
    json(addedChannels),
    "The channels: each has a name, and may have a color and, if it is to be made, a description.",
  ),
  principals,
  authorization_errors_fatal: described(
    withDefault(bool(), true),
    "Whether a channel that you may not read fails the whole; else it is named in the answer.",
  ),
  ...channelOptionParams,
};

/** What the end of a subscription takes. */
export const unsubscribeParams = {
  subscriptions: described(channelNames, "The names of the channels."),
  principals,
};

/** What a change of one's own subscriptions takes. */
export const editSubscriptionsParams = {
  delete: described(withDefault(channelNames, []), "The names of the channels to leave."),
  add: described(withDefault(json(addedChannels), []), "The channels to come into."),
};

/** What the list of one's subscriptions takes. */
export const listSubscriptionsParams = {
  include_subscribers: described(
    withDefault(choice(["true", "false", "partial"]), "false"),
    "Whether each channel's subscribers are listed.",
  ),
};

/** What a change of one property of a subscription takes. */
export const propertyParams = {
  property: described(
    text(),
    "`color`, `is_muted`, `in_home_view` (the opposite of `is_muted`), `pin_to_top`, `desktop_notifications`, " +
      "`audible_notifications`, `push_notifications`, `email_notifications` or `wildcard_mentions_notify`.",
  ),
  value: described(text(), "For `color`, `#` and three to six hexadecimal digits; else `true` or `false`."),
};

/** What a change of several properties takes. */
export const propertiesParams = {
  subscription_data: described(
    json(z.array(
      z.object({
        stream_id: z.int(),
        property: z.string(),
        value: z.union([z.boolean(), z.string()]),
      }).superRefine(({ property, value }, context) => {
        if (property !== "color" || (typeof value === "string" && isColor(value))) return;
        context.addIssue({ code: "custom", message: BAD_COLOR, input: value });
      }),
    )),
    "The changes: each has a stream_id, a property and a value.",
  ),
};
