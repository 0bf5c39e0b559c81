import { z } from "zod";
import {
  bool,
  choice,
  described,
  optional,
  text,
  textOrJson,
  trimmed,
  withDefault,
} from "../params/param.ts";
import { MAX_MESSAGE } from "./message.ts";

const idOrText = z.union([z.int(), z.string()]);

/** The parameters of sending. */
export const sendMessageParams = {
  type: described(
    choice(["stream", "channel", "private", "direct"]),
    "`channel` or `stream` for a channel, `direct` or `private` for people.",
  ),
  to: described(
    textOrJson(z.union([idOrText, z.array(idOrText)])),
    "A channel's name or id; or people's ids or addresses as a list.",
  ),
  content: described(text({ max: MAX_MESSAGE }), "Markdown."),
  topic: described(optional(trimmed()), "Needed for channels; empty is a topic too."),
  read_by_sender: described(optional(bool()), "Taken, and without effect: what one wrote one has read."),
  queue_id: described(optional(text()), "The sender's event queue."),
  local_id: described(withDefault(text({ max: 100 }), ""), "The client's own name for the message."),
};
