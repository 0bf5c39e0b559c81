import { z } from "zod";
import { PARTS } from "./parts.ts";

/** What every client is told, and the parts that it wants. */
export const registerSchema = z.object({
  queue_id: z.string().nullable().meta({ description: "Null for spectators, who have none." }),
  last_event_id: z.int().meta({ description: "What the first request for events names: -1." }),
  event_queue_longpoll_timeout_seconds: z.int(),
  service_feature_level: z.int(),
  service_version: z.string(),
  service_merge_base: z.string(),
}).extend(
  z.object(Object.fromEntries(PARTS.flatMap(({ fields }) => Object.entries(fields)))).partial().shape,
);
