import type { EventsRequest } from "@/lib/chat/event_queues/retrieve.ts";
import type { ServerStatus } from "./services.ts";

/** How a request waits for events: it ends with its client, and leaves its place among the requests in flight meanwhile. */
export function longPoll(client: AbortSignal, status: ServerStatus): EventsRequest {
  return {
    client,
    async aside(waiting) {
      status.inFlight--;
      status.waiting++;
      try {
        return await waiting();
      } finally {
        status.waiting--;
        status.inFlight++;
      }
    },
  };
}
