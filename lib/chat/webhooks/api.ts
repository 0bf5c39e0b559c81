import { z } from "zod";
import { MAX_MESSAGE_LENGTH } from "../messages/model.ts";
import { described, optional, text, trimmed, withDefault } from "../params/param.ts";

/** Parameters of an incoming webhook, all in the query. */
export const incomingWebhookParams = {
  api_key: described(
    optional(text()),
    "The bot's API key; not needed with an `Authorization` header.",
  ),
  stream: described(
    optional(text()),
    "Name or id of the channel; without it, the bot writes to its owner.",
  ),
  topic: described(withDefault(trimmed(), "JSON"), "Topic in the channel."),
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
