import { markAllReadSchema } from "@/lib/chat/messages/read/api.ts";
import { markAllRead } from "@/lib/chat/messages/read/mark_read.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mark everything as read",
    access: "anyone",
    params: {},
    success: markAllReadSchema,
  }, async ({ app, realm, user }) => {
    await markAllRead(app, { realm, user });
    return { complete: true };
  }),
});
