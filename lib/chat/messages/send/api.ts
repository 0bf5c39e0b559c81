import { z } from "zod";
import type { SentMessage } from "@/lib/chat/app.ts";
import {
  aliased,
  bool,
  boundedString,
  choice,
  described,
  exact,
  MAX_JSON,
  optional,
  text,
  textOrJson,
  trimmed,
  withDefault,
} from "@/lib/chat/params/param.ts";
import { MAX_MESSAGE_LENGTH } from "../model.ts";

const idOrText = z.union([z.int(), boundedString()]);

/** Parameters of sending a message. */
export const sendMessageParams = {
  type: described(
    choice(["stream", "channel", "private", "direct"]),
    "`channel` or `stream` for a channel, `direct` or `private` for users.",
  ),
  to: described(
    exact(textOrJson(z.union([idOrText, z.array(idOrText)]), { max: MAX_JSON })),
    "Name or id of a channel, or a list of user ids or email addresses.",
  ),
  content: described(text({ max: MAX_MESSAGE_LENGTH }), "Markdown."),
  topic: aliased(
    described(optional(exact(trimmed())), "Required for channels; empty for general chat."),
    "subject",
  ),
  read_by_sender: described(
    optional(bool()),
    "Accepted without effect: users have always read their own messages.",
  ),
  queue_id: described(
    optional(exact(text())),
    "The sender's event queue, whose event contains `local_message_id`.",
  ),
  local_id: described(
    withDefault(text({ max: 100 }), ""),
    "The client's own identifier of the message, returned as `local_message_id` in the event of its own queue.",
  ),
};

/** Response of sending a message. */
export const sentMessageSchema = z.object({
  id: z.int(),
  automatic_new_visibility_policy: z.int().optional().meta({
    description:
      "Visibility policy, 2 or 3, that your settings gave the topic by this message; missing when " +
      "it stayed.",
  }),
});

/** Converts a sent message for the API. */
export function toSentMessage({ id, newPolicy }: SentMessage) {
  return { id, ...(newPolicy === null ? {} : { automatic_new_visibility_policy: newPolicy }) };
}

/** Maximum length of a program name, in characters. */
const MAX_CLIENT_NAME = 30;

/** Returns the name of the sending program: the part of its user agent before the version. */
export function toClientName(userAgent: string | null): string {
  const name = /^[^\s/]+/.exec(userAgent ?? "")?.[0] ?? "Unspecified";
  // All browsers report the same name.
  return name === "Mozilla" ? "website" : name.slice(0, MAX_CLIENT_NAME);
}
