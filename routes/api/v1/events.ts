import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  deleteQueueParams,
  eventsParams,
  eventsSchema,
  retrieveEvents,
} from "@/lib/chat/register/events/retrieve_events.ts";
import { deleteQueue } from "@/lib/chat/register/events/queues.ts";

export const handler = methods({
  GET: apiEndpoint(
    {
      summary: "Get events from an event queue",
      description:
        "Waits for the next event when there is none, and returns a `heartbeat` after a while. Events are kept for an hour.",
      access: "anyone",
      params: eventsParams,
      success: eventsSchema,
      limit: "api_events",
      refusals: ["BAD_EVENT_QUEUE_ID", "BAD_NARROW"],
    },
    ({ services: { events }, realm, user, params, ctx: { req, state: { sessionId = null } } }) =>
      retrieveEvents(events, { owner: { realm, user, sessionId }, client: req.signal }, params),
  ),
  DELETE: apiEndpoint({
    summary: "Delete an event queue",
    isActivity: false,
    access: "anyone",
    params: deleteQueueParams,
    refusals: ["BAD_EVENT_QUEUE_ID"],
  }, async ({ services: { events }, realm, user, params }) => {
    await deleteQueue(events, { realm, user }, params.queue_id);
  }),
});
