import { z } from "zod";
import { choice, described, exact, int, json, optional, text, withDefault } from "../params/param.ts";

/** Parameters of setting the typing status. */
export const typingParams = {
  type: described(
    withDefault(choice(["direct", "stream", "channel"]), "direct"),
    "`direct` for a direct message, `channel` or `stream` for a topic of a channel.",
  ),
  op: described(choice(["start", "stop"]), "Whether you start or stop typing."),
  to: described(
    optional(json(z.union([z.int(), z.array(z.int()).max(1000)]))),
    "The ids of the users; for a channel, its id.",
  ),
  stream_id: described(optional(int()), "The id of the channel."),
  topic: described(optional(exact(text())), "The topic; required for channels."),
};

/** Parameters of setting the typing status while a message is edited. */
export const editTypingParams = { op: typingParams.op };
