import { z } from "zod";
import { MAX_MESSAGE_LENGTH } from "../messages/model.ts";
import { described, exact, optional, text, trimmed, withDefault } from "../params/param.ts";
import { MAX_SHOWN_DELIVERIES, type WebhookDelivery } from "./model.ts";

/** Parameters of an incoming webhook, all in the query. */
export const incomingWebhookParams = {
  api_key: described(
    optional(exact(text())),
    "The bot's API key; not needed with an `Authorization` header.",
  ),
  stream: described(
    optional(exact(text())),
    "Name or id of the channel; without it, the bot writes to its owner.",
  ),
  topic: described(withDefault(exact(trimmed()), "JSON"), "Topic in the channel."),
};

/** Body of an incoming webhook: any JSON. */
export const incomingWebhookBody = z.union([
  z.looseObject({
    text: z.string().optional().meta({
      description: `Markdown of the message, at most ${MAX_MESSAGE_LENGTH} characters.`,
    }),
    content: z.string().optional().meta({ description: "As `text`, which wins." }),
  }),
  z.unknown(),
]).meta({ description: "JSON without `text` and `content` is posted as a code block." });

/** Response schema of the deliveries of an outgoing webhook. */
export const webhookDeliveriesSchema = z.object({
  deliveries: z.array(z.object({
    message_id: z.int(),
    trigger: z.enum(["mention", "direct_message"]),
    status: z.enum(["waiting", "delivered", "failed"]),
    attempts: z.int().meta({ description: "Number of attempts so far." }),
    http_status: z.int().nullable().meta({ description: "Status of the last answer." }),
    error: z.string().nullable().meta({ description: "Reason of the last failure." }),
    answer_message_id: z.int().nullable().meta({ description: "Message with which the bot answered." }),
    queued_at: z.int().meta({ description: "Seconds since 1970 UTC." }),
    updated_at: z.int().meta({ description: "Seconds since 1970 UTC." }),
  })).meta({ description: `The newest ${MAX_SHOWN_DELIVERIES} of the last seven days, newest first.` }),
});

/** Converts a delivery for the API. */
export function toWebhookDelivery(delivery: WebhookDelivery) {
  const { queued_at, updated_at } = delivery;
  return { ...delivery, queued_at: Math.floor(queued_at / 1000), updated_at: Math.floor(updated_at / 1000) };
}
