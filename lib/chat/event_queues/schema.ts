import { z } from "zod";

/** What a client is told that asks for its events. */
export const eventsSchema = z.object({
  events: z.array(
    z.looseObject({
      id: z.int().meta({ description: "Larger than those of all events before it." }),
      type: z.string().meta({ description: "`heartbeat` where nothing happened for a while." }),
    }),
  ),
  queue_id: z.string(),
});
