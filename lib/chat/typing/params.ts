import { z } from "zod";
import { choice, described, int, json, optional, text, withDefault } from "../params/param.ts";

/** The parameters of telling that one writes. */
export const typingParams = {
  type: described(
    withDefault(choice(["direct", "stream", "channel"]), "direct"),
    "`direct` for people, `channel` or `stream` for a channel's topic.",
  ),
  op: described(choice(["start", "stop"]), "Whether the writing begins or ends."),
  to: described(
    optional(json(z.union([z.int(), z.array(z.int()).max(1000)]))),
    "The people's ids; for a channel, its id.",
  ),
  stream_id: described(optional(int()), "The channel's id."),
  topic: described(optional(text()), "Needed for channels."),
};
