import { bool, described, int, optional, text, trimmed, withDefault } from "../params/param.ts";
import { propagateMode } from "./edit_topic.ts";
import { MAX_MESSAGE } from "./message.ts";

/** The parameters of changing a message. */
export const editMessageParams = {
  content: described(
    optional(text({ max: MAX_MESSAGE })),
    "Markdown; what is left empty is marked as deleted.",
  ),
  topic: described(optional(trimmed()), "The topic to move to."),
  stream_id: described(optional(int()), "The channel to move to."),
  propagate_mode: described(
    withDefault(propagateMode(), "change_one"),
    "What moves along: `change_one` nothing, `change_later` the later messages of the topic, `change_all` all of them.",
  ),
  send_notification_to_old_thread: described(
    withDefault(bool(), false),
    "Whether to say in the old topic that messages were moved.",
  ),
  send_notification_to_new_thread: described(
    withDefault(bool(), true),
    "Whether to say in the new topic that messages were moved.",
  ),
  prev_content_sha256: described(
    optional(text({ max: 64 })),
    "SHA-256 of the content that the edit was made from, in hexadecimal digits; another content refuses it.",
  ),
};

/** The parameters of getting a message's history. */
export const historyParams = {
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Whether the topic without a name is given as an empty text.",
  ),
};
