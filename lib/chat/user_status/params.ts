import { z } from "zod";
import { bool, boundedString, described, optional, type Param, text } from "../params/param.ts";
import { MAX_STATUS_TEXT } from "../users/status.ts";

/** NUL characters and blanks around it do not count. */
function statusText(max: number): Param<string> {
  const schema = z.string().overwrite((sent) => sent.replaceAll("\0", "").trim());
  return { ...text(), schema: schema.pipe(boundedString({ max })).meta({ maxLength: max }) };
}

/** The parameters of setting somebody's status. */
export const statusParams = {
  status_text: described(optional(statusText(MAX_STATUS_TEXT)), "Empty to say nothing."),
  emoji_name: described(
    optional(text()),
    "Empty for none. Must be sent where `emoji_code` or `reaction_type` is.",
  ),
  emoji_code: described(optional(text()), "Looked up by the name where it is not sent."),
  reaction_type: described(
    optional(text()),
    "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`; looked up by the name where it is not sent.",
  ),
};

/** The parameters of setting one's own status. */
export const ownStatusParams = {
  ...statusParams,
  away: described(optional(bool()), "For old clients: whether others are shown that you are away."),
};
