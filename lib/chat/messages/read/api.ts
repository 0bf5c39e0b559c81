import { z } from "zod";
import { bool, described, exact, int, text, withDefault } from "@/lib/chat/params/param.ts";
import { messageSchema } from "../api.ts";
import { LARGEST_ANCHOR } from "../narrow/api.ts";

/** Parameters of getting one message. */
export const fetchMessageParams = {
  apply_markdown: described(withDefault(bool(), true), "Whether content is HTML rather than Markdown."),
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Whether general chat is returned as an empty topic name.",
  ),
};

/** Parameters of marking a channel as read. */
export const markChannelParams = { stream_id: described(int(), "Id of the channel.") };

/** Parameters of marking a topic as read. */
export const markTopicParams = {
  ...markChannelParams,
  topic_name: described(exact(text()), "Name of the topic; empty for general chat."),
};

/** Response of getting one message. */
export const fetchedMessageSchema = z.object({
  raw_content: z.string().meta({ description: "Markdown source." }),
  message: messageSchema,
});

/** Response of getting messages. */
export const fetchedMessagesSchema = z.object({
  messages: z.array(messageSchema).meta({
    description: "Ascending. Fewer than requested where they would exceed 8 MiB; `found_oldest` and " +
      "`found_newest` are then false.",
  }),
  // Beyond the safe integers that z.int() accepts.
  anchor: z.number().optional().meta({
    type: "integer",
    description: `Message id that the window is counted from; ${LARGEST_ANCHOR} for the newest end.`,
  }),
  found_anchor: z.boolean().optional(),
  found_oldest: z.boolean().optional(),
  found_newest: z.boolean().optional(),
  history_limited: z.boolean().meta({
    description: "Whether the search ended before it found the requested number of messages.",
  }),
  oldest_searched_id: z.int().optional().meta({
    description: "Anchor from which to search on for older messages; only where the search was limited.",
  }),
  newest_searched_id: z.int().optional().meta({
    description: "Anchor from which to search on for newer messages; only where the search was limited.",
  }),
});

/** Response of marking everything as read. */
export const markAllReadSchema = z.object({
  complete: z.boolean().meta({ description: "Always true: all messages are marked in one write." }),
});

/** Response of listing the users who have read a message. */
export const readersSchema = z.object({
  user_ids: z.array(z.int()).meta({ description: "Ascending." }),
});
