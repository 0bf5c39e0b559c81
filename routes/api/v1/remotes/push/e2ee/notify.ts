import { z } from "zod";
import { notifyForServer, pushRequests } from "@/lib/bouncer/notify.ts";
import { described, json, text } from "@/lib/chat/organization/params/param.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { remoteServerOf, requireRemote } from "@/lib/api/remote_server.ts";

const tokenIds = z.array(z.string());

export const handler = methods({
  POST: apiEndpoint({
    summary: "Send push notifications for another server",
    description:
      "For servers, with the server's id and key as Basic credentials. Notifications that are in none of the " +
      "response's lists have to be sent again later.",
    access: "public",
    isForServers: true,
    before: requireRemote,
    params: {
      realm_uuid: described(text(), "UUID of the server's organization."),
      push_requests: described(json(pushRequests), "Encrypted notifications, one per device."),
    },
    success: z.object({
      delivered: tokenIds.meta({ description: "Tokens whose provider accepted the notification." }),
      gone: tokenIds.meta({ description: "Tokens that are no longer registered." }),
      failed: tokenIds.meta({ description: "Tokens whose provider is not configured on this server." }),
    }),
    refusals: ["MISSING_REMOTE_REALM", "UNAUTHORIZED", "INVALID_API_KEY"],
  }, async ({ services, params, ctx }) => {
    return await notifyForServer(services.bouncer, remoteServerOf(ctx), params);
  }),
});
