import { markAllReadSchema } from "@/lib/chat/messages/read/fetch_messages.ts";
import { markAllRead } from "@/lib/chat/messages/read_state.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mark everything as read",
    access: "anyone",
    success: markAllReadSchema,
  }, async ({ app, caller }) => {
    await markAllRead(app, caller);
    return { complete: true };
  }),
});
