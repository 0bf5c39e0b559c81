import { MAX_TOPIC } from "../channels/channel.ts";
import { described, int, intChoice, trimmed } from "../params/param.ts";
import { VISIBILITY_POLICIES } from "../messages/user_topic.ts";

/** What a change of a topic's visibility takes. */
export const setUserTopicParams = {
  stream_id: described(int(), "The channel's id."),
  topic: described(
    trimmed({ max: MAX_TOPIC }),
    "The topic, in any case; it need not have messages. The empty topic can be sent by its display name.",
  ),
  visibility_policy: described(
    intChoice(VISIBILITY_POLICIES),
    "0: as the channel is; 1: muted; 2: unmuted; 3: followed.",
  ),
};
