import { z } from "zod";
import { attachmentSchema, toAttachment, type UploadRecord } from "@/lib/chat/files/model.ts";
import {
  aliased,
  bool,
  choice,
  described,
  exact,
  int,
  optional,
  type Param,
  text,
  trimmed,
  withDefault,
} from "@/lib/chat/params/param.ts";
import { toDisplayTopic } from "@/lib/chat/topics/model.ts";
import { MAX_MESSAGE_LENGTH } from "../model.ts";
import { type EditRecord, PROPAGATE_MODES, type PropagateMode } from "./model.ts";

/** Parameters of editing or moving a message. */
export const editMessageParams = {
  content: described(
    optional(text({ max: MAX_MESSAGE_LENGTH })),
    "Markdown. Empty content is stored as `(deleted)`.",
  ),
  topic: aliased(
    described(
      optional(exact(trimmed())),
      "Topic to move to. The name of a topic that is resolved by the prefix `✔ ` is shortened where it gets too long.",
    ),
    "subject",
  ),
  stream_id: described(optional(int()), "Channel to move to."),
  propagate_mode: described(
    withDefault(propagateMode(), "change_one"),
    "Messages to move: `change_one`: this one; `change_later`: also later ones; `change_all`: the whole topic.",
  ),
  send_notification_to_old_thread: described(
    withDefault(bool(), false),
    "Whether to post a notice of the move in the old topic.",
  ),
  send_notification_to_new_thread: described(
    withDefault(bool(), true),
    "Whether to post a notice of the move in the new topic.",
  ),
  prev_content_sha256: described(
    optional(text({ max: 64 })),
    "SHA-256 of the edited content, in hexadecimal. The edit is rejected if the stored content differs.",
  ),
};

/** Response of editing or moving a message. */
export const editedMessageSchema = z.object({
  detached_uploads: z.array(attachmentSchema).meta({
    description:
      "Your files that no message links any more. They stay accessible to you until you delete them or " +
      "the server does, after five weeks.",
  }),
});

/** Converts the result of an edit for the API. */
export function toEditAnswer({ detachedUploads }: { readonly detachedUploads: readonly UploadRecord[] }) {
  return { detached_uploads: detachedUploads.map((upload) => toAttachment(upload, [])) };
}

/** Parameters of getting a message's edit history. */
export const historyParams = {
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Whether general chat is returned as an empty topic name.",
  ),
};

/** Converts an edit history for the message object, newest first. */
export function toEditHistory(history: readonly EditRecord[], allowsEmptyTopic: boolean) {
  return history.map((entry) => ({
    user_id: entry.user_id,
    timestamp: Math.floor(entry.at / 1000),
    ...(entry.prev_content === undefined ? {} : { prev_content: entry.prev_content }),
    ...(entry.prev_rendered_content === undefined
      ? {}
      : { prev_rendered_content: entry.prev_rendered_content }),
    ...toMoveFields(entry, allowsEmptyTopic),
  }));
}

/** Converts the topic and channel change of an edit; empty when nothing moved. */
export function toMoveFields(entry: EditRecord, allowsEmptyTopic: boolean) {
  const { prev_topic, topic, prev_channel_id, channel_id } = entry;
  return {
    ...(prev_topic === undefined || topic === undefined ? {} : {
      prev_topic: toDisplayTopic(prev_topic, allowsEmptyTopic),
      topic: toDisplayTopic(topic, allowsEmptyTopic),
    }),
    ...(prev_channel_id === undefined || channel_id === undefined
      ? {}
      : { prev_stream: prev_channel_id, stream: channel_id }),
  };
}

/** Response of getting a message's edit history. */
export const messageHistorySchema = z.object({
  message_history: z.array(z.object({
    topic: z.string(),
    content: z.string(),
    rendered_content: z.string(),
    prev_topic: z.string().optional(),
    stream: z.int().optional(),
    prev_stream: z.int().optional(),
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
    content_html_diff: z.string().optional().meta({
      description:
        "`rendered_content` in which the words are marked that the edit inserted and deleted, by the " +
        "classes `highlight_text_inserted` and `highlight_text_deleted`; missing when a version was too large to " +
        "keep.",
    }),
    user_id: z.int().nullable(),
    timestamp: z.int(),
  })).meta({ description: "Versions of the message, oldest first." }),
});

/** Returns the parameter of the propagate mode. */
export function propagateMode(): Param<PropagateMode> {
  return choice(PROPAGATE_MODES);
}
