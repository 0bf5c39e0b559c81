import { z } from "zod";
import { channelSchema } from "@/lib/chat/channels/api/schema.ts";

/** Properties of a channel that hold its subscribers, on request. */
export const subscribersShape = {
  subscribers: z.array(z.int()).optional().meta({ description: "Active users, ascending." }),
  partial_subscribers: z.array(z.int()).optional().meta({
    description:
      "Some of the active users, ascending, instead of `subscribers`: for `partial` and large channels.",
  }),
};

/** A channel as the API returns it to its subscriber. */
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

/** Response with the caller's subscriptions. */
export const subscriptionsSchema = z.object({ subscriptions: z.array(subscriptionSchema) });

const namesByUser = z.record(z.string(), z.array(z.string()))
  .meta({ description: "Names of channels by user id." });

/** Response to a request that subscribes users. */
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

/** Response to a request that unsubscribes users. */
export const unsubscribeResultSchema = z.object({
  removed: z.array(z.string()),
  not_removed: z.array(z.string()).meta({
    description: "Names of the channels that a user was not subscribed to.",
  }),
});

/** Response to a request that does both. */
export const editResultSchema = z.object({
  ...subscribeResultSchema.shape,
  ...unsubscribeResultSchema.shape,
});

/** Response with whether a user is subscribed. */
export const isSubscribedSchema = z.object({ is_subscribed: z.boolean() });

/** Response with a channel's subscribers. */
export const subscribersSchema = z.object({
  subscribers: z.array(z.int()).meta({ description: "Active users, ascending." }),
});

/** Response of listing the channels of a user. */
export const userChannelsSchema = z.object({
  subscribed_channel_ids: z.array(z.int()).meta({ description: "Ascending." }),
});
