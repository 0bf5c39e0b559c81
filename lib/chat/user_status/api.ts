import { z } from "zod";
import { bool, described, optional, text, trimmed } from "../params/param.ts";
import { MAX_STATUS_TEXT } from "./model.ts";

/** Parameters of setting a user's status. */
export const statusParams = {
  status_text: described(optional(trimmed({ max: MAX_STATUS_TEXT })), "The text; empty for none."),
  emoji_name: described(
    optional(text()),
    "The name of the emoji; empty for none. Required with `emoji_code` or `reaction_type`.",
  ),
  emoji_code: described(optional(text()), "The code of the emoji; looked up by name when omitted."),
  reaction_type: described(
    optional(text()),
    "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`; looked up by name when omitted.",
  ),
};

/** Parameters of setting the caller's own status. */
export const ownStatusParams = {
  ...statusParams,
  away: described(optional(bool()), "For old clients: whether you are shown as away."),
};

/** A status as the API returns it, without its empty parts. */
export const userStatusSchema = z.object({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
  away: z.boolean().optional().meta({ description: "Only present when true." }),
}).meta({ id: "UserStatus" });

/** Response of getting a user's status. */
export const statusResponseSchema = z.object({ status: userStatusSchema });
