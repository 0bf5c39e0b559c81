import { bool, described, int, text, withDefault } from "../params/param.ts";

const queueId = described(text(), "The `queue_id` that `POST /register` gave.");

/** Parameters of a request for events. */
export const eventsParams = {
  queue_id: queueId,
  last_event_id: described(
    int(),
    "The largest id of all events that the client has; at first the `last_event_id` of `POST /register`. " +
      "Events up to it are not told again.",
  ),
  dont_block: described(
    withDefault(bool(), false),
    "Whether the answer comes at once, with no events where there are none.",
  ),
};

/** Parameters of the end of a queue. */
export const deleteQueueParams = { queue_id: queueId };
