import { deleteQueue } from "@/lib/chat/event_queues/access_queue.ts";
import { deleteQueueParams, eventsParams } from "@/lib/chat/event_queues/params.ts";
import { retrieveEvents } from "@/lib/chat/event_queues/retrieve.ts";
import { eventsSchema } from "@/lib/chat/event_queues/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint(
    {
      summary: "Receive the events of a queue, waiting for the next one where there are none",
      description: "After a while without any, a `heartbeat` comes. Events lie ready for an hour.",
      who: "anyone",
      params: eventsParams,
      success: eventsSchema,
      limit: "api_events",
      refusals: ["BAD_EVENT_QUEUE_ID"],
    },
    ({ services: { events }, realm, user, params, ctx }) =>
      retrieveEvents(events, { owner: { realm, user }, client: ctx.req.signal }, params),
  ),
  DELETE: apiEndpoint({
    summary: "End a queue of events",
    who: "anyone",
    params: deleteQueueParams,
    refusals: ["BAD_EVENT_QUEUE_ID"],
  }, async ({ app, services, realm, user, params }) => {
    await deleteQueue(app, { realm, user }, params.queue_id);
    services.events.end(params.queue_id);
  }),
});
