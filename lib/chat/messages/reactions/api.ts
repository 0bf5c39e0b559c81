import { described, optional, text } from "@/lib/chat/params/param.ts";

const emojiParts = {
  emoji_code: described(
    optional(text()),
    "Hexadecimal code points joined by dashes, or a custom emoji id. Defaults to the code of the name.",
  ),
  reaction_type: described(optional(text()), "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`."),
};

/** Parameters of adding a reaction. */
export const addReactionParams = { emoji_name: described(text(), "Name of the emoji."), ...emojiParts };

/** Parameters of removing a reaction. */
export const removeReactionParams = {
  emoji_name: described(optional(text()), "Name of the emoji; required without a code."),
  ...emojiParts,
};
