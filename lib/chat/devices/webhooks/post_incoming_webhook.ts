import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { isLongerThan } from "@/lib/core/text.ts";
import type { ChatApp, MessageTarget } from "@/lib/chat/organization/app.ts";
import { MAX_MESSAGE_LENGTH } from "@/lib/chat/messages/model.ts";
import { prepareUserContent } from "@/lib/chat/messages/prepare_content.ts";
import {
  type OutgoingMessage,
  requireMessageContent,
  sendMessage,
} from "@/lib/chat/messages/send_message.ts";
import {
  described,
  exact,
  optional,
  type ParamValues,
  text,
  trimmed,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { parseTopic } from "@/lib/chat/channels/topics/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";

/** Destination of an incoming webhook, as its address names it. */
type RequestedTarget = Pick<ParamValues<typeof incomingWebhookParams>, "stream" | "topic">;

export interface IncomingPost {
  readonly requested: RequestedTarget;
  readonly body: unknown;
}

/**
 * Posts the JSON that an incoming webhook received as a message of its bot, and returns the message's id.
 * @throws AppError BAD_REQUEST for content that is empty or too long, and as sending a message.
 */
export async function postIncomingWebhook(
  app: ChatApp,
  { realm, sender, client }: Pick<OutgoingMessage, "realm" | "sender" | "client">,
  { requested, body }: IncomingPost,
): Promise<number> {
  const target = toTarget(sender, requested);
  const content = requireMessageContent(toContent(body));
  const prepared = await prepareUserContent(app, { realm, author: sender }, content);
  return (await sendMessage(app, { realm, sender, target, prepared, client })).id;
}

function toTarget(sender: UserRecord, { stream, topic }: RequestedTarget): MessageTarget {
  if (stream !== undefined) {
    const channel = /^\d{1,15}$/.test(stream) ? Number(stream) : stream;
    return { kind: "channel", channel, topic: parseTopic(topic) };
  }
  if (sender.bot_owner_id === null) {
    throw new AppError("BAD_REQUEST", "This bot has no owner to write to; name a channel with 'stream'.", {
      field: "to",
    });
  }
  return { kind: "direct", userIds: [sender.bot_owner_id] };
}

/** Returns the text of a body, or the whole body as a code block. */
function toContent(body: unknown): string {
  const { text, content } = typeof body === "object" && body !== null
    ? { text: Reflect.get(body, "text"), content: Reflect.get(body, "content") }
    : { text: undefined, content: undefined };
  const found = [text, content].find((value) => typeof value === "string");
  if (found !== undefined) return requireLength(found);
  // Checked before indenting, which makes some text a hundred times as long.
  requireLength(JSON.stringify(body));
  return requireLength(`\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``);
}

function requireLength(content: string): string {
  if (!isLongerThan(content, MAX_MESSAGE_LENGTH)) return content;
  throw new AppError("BAD_REQUEST", `content is too long (limit: ${MAX_MESSAGE_LENGTH} characters)`, {
    field: "content",
  });
}

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
