import { z } from "zod";
import { notifyForServer, pushRequests } from "@/lib/bouncer/notify.ts";
import { described, json, text } from "@/lib/chat/params/param.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { remoteServerOf, requireRemote } from "@/lib/http/remote_server.ts";

const tokenIds = z.array(z.string());

export const handler = methods({
  POST: apiEndpoint({
    summary: "Hand notifications of another server on to devices",
    description:
      "For servers: Basic credentials are the organization's id and key. Notifications in none of the " +
      "answer's lists are to be sent again later.",
    who: "public",
    before: requireRemote,
    params: {
      realm_uuid: described(text(), "The organization of the server."),
      push_requests: described(json(pushRequests), "What to hand on: encrypted, one for each device."),
    },
    success: z.object({
      delivered: tokenIds.meta({ description: "Tokens whose provider took the notification." }),
      gone: tokenIds.meta({ description: "Tokens that are not registered any more." }),
      failed: tokenIds.meta({ description: "Tokens of a provider that this server cannot reach." }),
    }),
    refusals: ["BAD_REQUEST", "MISSING_REMOTE_REALM"],
  }, async ({ services, params, ctx }) => {
    return await notifyForServer(services.bouncer, remoteServerOf(ctx), params);
  }),
});
