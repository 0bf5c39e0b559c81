import { markAllRead } from "@/lib/chat/messages/mark_read.ts";
import { markedSchema } from "@/lib/chat/messages/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mark everything as read",
    who: "anyone",
    params: {},
    success: markedSchema,
  }, async ({ app, realm, user }) => {
    await markAllRead(app, { realm, user });
    return { complete: true };
  }),
});
