import { z } from "zod";

/** A participant of a conversation. */
const participantSchema = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
});

/** A message as the API shows it. */
const messageSchema = z.object({
  id: z.int(),
  avatar_url: z.string().nullable(),
  client: z.string(),
  content: z.string(),
  content_type: z.enum(["text/html", "text/x-markdown"]),
  display_recipient: z.union([z.string(), z.array(participantSchema)]),
  edit_history: z.array(z.object({
    user_id: z.int().nullable(),
    timestamp: z.int(),
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
    prev_topic: z.string().optional(),
    topic: z.string().optional(),
    prev_stream: z.int().optional(),
    stream: z.int().optional(),
  })).optional().meta({ description: "What was changed, the latest first." }),
  flags: z.array(z.string()),
  is_me_message: z.boolean(),
  last_edit_timestamp: z.int().optional(),
  last_moved_timestamp: z.int().optional(),
  reactions: z.array(z.object({
    emoji_name: z.string(),
    emoji_code: z.string(),
    reaction_type: z.string(),
    user_id: z.int(),
  })),
  recipient_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_id: z.int(),
  sender_realm_str: z.string(),
  stream_id: z.int().optional(),
  subject: z.string().meta({ description: "The topic." }),
  submessages: z.array(z.unknown()),
  timestamp: z.int().meta({ description: "Seconds since 1970 UTC." }),
  topic_links: z.array(z.object({ text: z.string(), url: z.string() })),
  type: z.enum(["stream", "private"]),
}).meta({ id: "Message" });

/** The answer of sending. */
export const sentSchema = z.object({ id: z.int() });

/** The answer of getting one message. */
export const fetchedSchema = z.object({
  raw_content: z.string().meta({ description: "Markdown as it was written." }),
  message: messageSchema,
});

/** The answer of getting many messages. */
export const fetchedManySchema = z.object({
  messages: z.array(messageSchema),
  anchor: z.int().optional().meta({ description: "The id that messages were counted from." }),
  found_anchor: z.boolean().optional(),
  found_oldest: z.boolean().optional(),
  found_newest: z.boolean().optional(),
  history_limited: z.boolean(),
});

/** The answer of marking everything as read. */
export const markedSchema = z.object({
  complete: z.boolean().meta({ description: "Always true: one write marks all." }),
});

/** The answer of changing a flag. */
export const changedFlagsSchema = z.object({ messages: z.array(z.int()) });

/** The answer of rendering. */
export const renderedSchema = z.object({ rendered: z.string().meta({ description: "HTML." }) });

/** The answer of listing a channel's topics. */
export const topicsSchema = z.object({
  topics: z.array(z.object({
    name: z.string(),
    max_id: z.int().meta({ description: "The id of the newest message that the caller may see." }),
  })),
});

/** The answer of changing a flag of the messages that a narrow gives. */
export const changedByNarrowSchema = z.object({
  processed_count: z.int(),
  updated_count: z.int(),
  first_processed_id: z.int().nullable(),
  last_processed_id: z.int().nullable(),
  found_oldest: z.boolean(),
  found_newest: z.boolean(),
});

/** The answer of asking which messages a narrow gives. */
export const matchedSchema = z.object({
  messages: z.record(z.string(), z.object({ match_content: z.string(), match_subject: z.string() }))
    .meta({ description: "By the message's id; content and topic as HTML." }),
});

/** The answer of getting a message's history. */
export const historySchema = z.object({
  message_history: z.array(z.object({
    topic: z.string(),
    content: z.string(),
    rendered_content: z.string(),
    prev_topic: z.string().optional(),
    stream: z.int().optional(),
    prev_stream: z.int().optional(),
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
    user_id: z.int().nullable(),
    timestamp: z.int(),
  })).meta({ description: "The message as it was, the oldest first." }),
});
