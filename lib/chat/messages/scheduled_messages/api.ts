import { readHtmlPieces } from "../store.ts";
import { z } from "zod";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { MAX_MESSAGE_LENGTH, MAX_PARTICIPANTS } from "../model.ts";
import {
  bool,
  choice,
  described,
  exact,
  json,
  optional,
  scalar,
  text,
  trimmed,
} from "@/lib/chat/organization/params/param.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { MAX_TIMESTAMP, type ScheduledMessageRecord, scheduledMessages } from "./model.ts";

const type = described(
  choice(["stream", "channel", "private", "direct"]),
  "`channel` or `stream` for a channel, `direct` or `private` for users.",
);
const to = described(
  json(z.union([z.int(), z.array(z.int()).max(MAX_PARTICIPANTS)])),
  "Id of a channel, or a list of user ids.",
);
const content = described(text({ max: MAX_MESSAGE_LENGTH }), "Markdown.");
const topic = described(optional(exact(trimmed())), "Required for channels; empty for general chat.");
const scheduled_delivery_timestamp = described(
  scalar(z.int().max(MAX_TIMESTAMP)),
  "Time to send the message, in seconds since 1970 UTC.",
);

export const createScheduledMessageParams = {
  type,
  to,
  content,
  topic,
  scheduled_delivery_timestamp,
  read_by_sender: described(
    optional(bool()),
    "Accepted without effect: users have always read their own messages.",
  ),
};

export const updateScheduledMessageParams = {
  type: described(optional(type), "A new type; requires `to`, and for channels `topic`."),
  to: optional(to),
  content: optional(content),
  topic,
  scheduled_delivery_timestamp: described(
    optional(scheduled_delivery_timestamp),
    "New time to send the message, in seconds since 1970 UTC; required when it has failed.",
  ),
};

const scheduledMessageSchema = z.object({
  scheduled_message_id: z.int(),
  type: z.enum(["stream", "private"]),
  to: z.union([z.int(), z.array(z.int())]).meta({ description: "Id of a channel, or ids of users." }),
  topic: z.string().optional().meta({ description: "For channels only." }),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int().meta({ description: "Seconds since 1970 UTC." }),
  failed: z.boolean().meta({ description: "Whether the server tried to send the message and could not." }),
}).meta({ id: "ScheduledMessage" });

export const scheduledMessagesSchema = z.object({
  scheduled_messages: z.array(scheduledMessageSchema).meta({ description: "The next one first." }),
});

export const createdScheduledMessageSchema = z.object({ scheduled_message_id: z.int() });

export function toScheduledMessage(
  { id, target, content, due_at, failure }: ScheduledMessageRecord,
  html: string,
): z.infer<typeof scheduledMessageSchema> {
  return {
    scheduled_message_id: id,
    ...(target.kind === "channel"
      ? { type: "stream", to: target.channel, topic: target.topic }
      : { type: "private", to: [...target.userIds] }),
    content,
    rendered_content: html,
    scheduled_delivery_timestamp: due_at / 1000,
    failed: failure !== null,
  };
}

/** Lists a user's scheduled messages for clients, the next one first. */
export async function listScheduledMessages(
  app: ChatApp,
  caller: Caller,
): Promise<z.infer<typeof scheduledMessagesSchema>> {
  const records = await scheduledMessages.list(app, caller);
  records.sort((a, b) => a.due_at - b.due_at || a.id - b.id);
  const shown = records.map(async (record) =>
    toScheduledMessage(
      record,
      record.rendered ?? await readHtmlPieces(app, piecesKey(caller.realm.id, record.id)),
    )
  );
  return { scheduled_messages: await Promise.all(shown) };
}

/** Returns the prefix of the HTML pieces of a message that is too large for its record. */
export function piecesKey(realmId: number, id: number): Key {
  return [realmId, "scheduled_message_rendered", id];
}
