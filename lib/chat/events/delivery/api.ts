import { z } from "zod";
import { bool, described, exact, int, text, withDefault } from "@/lib/chat/params/param.ts";

const queueId = described(exact(text()), "The `queue_id` that `POST /register` returned.");

/** Parameters of a request for events. */
export const eventsParams = {
  queue_id: queueId,
  last_event_id: described(
    int(),
    "The largest id of the events that the client has; at first the `last_event_id` of `POST /register`. " +
      "Events up to it are not delivered again.",
  ),
  dont_block: described(
    withDefault(bool(), false),
    "Whether to answer at once, with no events when there are none.",
  ),
};

/** Parameters of the deletion of a queue. */
export const deleteQueueParams = { queue_id: queueId };

/** Response to a request for events. */
export const eventsSchema = z.object({
  events: z.array(
    z.looseObject({
      id: z.int().meta({ description: "Larger than the ids of all earlier events." }),
      type: z.string().meta({ description: "`heartbeat` when there were no events for a while." }),
    }),
  ),
  queue_id: z.string(),
});
