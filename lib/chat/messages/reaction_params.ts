import { described, optional, text } from "../params/param.ts";

const emojiParts = {
  emoji_code: described(
    optional(text()),
    "Code points in hexadecimal joined by dashes, or a custom emoji's id; looked up by the name when it is left out.",
  ),
  reaction_type: described(optional(text()), "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`."),
};

/** The parameters of reacting to a message. */
export const addReactionParams = { emoji_name: described(text(), "The emoji's name."), ...emojiParts };

/** The parameters of taking a reaction back. */
export const removeReactionParams = {
  emoji_name: described(optional(text()), "The emoji's name; needed where its code is left out."),
  ...emojiParts,
};
