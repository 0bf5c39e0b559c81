import { z } from "zod";
import { channelSchema } from "../channels/schema.ts";

/** Who is subscribed, on a channel, where the caller asks for it. */
export const subscribersShape = {
  subscribers: z.array(z.int()).optional().meta({ description: "Active users, ascending." }),
  partial_subscribers: z.array(z.int()).optional().meta({
    description: "Some of them instead, where there are very many and some are enough.",
  }),
};

/** A channel as its subscriber is shown it. */
export const subscriptionSchema = channelSchema.extend({
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean().meta({ description: "For old clients: the opposite of `is_muted`." }),
  pin_to_top: z.boolean(),
  desktop_notifications: z.boolean().nullable().meta({ description: "Null: as your settings have it." }),
  audible_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
  ...subscribersShape,
}).meta({ id: "Subscription" });

/** The caller's subscriptions. */
export const subscriptionsSchema = z.object({ subscriptions: z.array(subscriptionSchema) });

const namesByUser = z.record(z.string(), z.array(z.string()))
  .meta({ description: "Names of channels by the user's id." });

/** Who came into which channels. */
export const joinedSchema = z.object({
  subscribed: namesByUser,
  already_subscribed: namesByUser,
  unauthorized: z.array(z.string()).optional().meta({
    description: "Names of the channels that you may not read, where those do not fail the whole.",
  }),
});

/** Which channels were left. */
export const leftSchema = z.object({
  removed: z.array(z.string()),
  not_removed: z.array(z.string()).meta({
    description: "Names of the channels that somebody was not subscribed to.",
  }),
});

/** Both at once. */
export const editedSchema = z.object({ ...joinedSchema.shape, ...leftSchema.shape });

/** Whether somebody is subscribed. */
export const isSubscribedSchema = z.object({ is_subscribed: z.boolean() });

/** Who is subscribed. */
export const subscribersSchema = z.object({
  subscribers: z.array(z.int()).meta({ description: "Active users, ascending." }),
});
