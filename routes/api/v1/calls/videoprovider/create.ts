import { z } from "zod";
import { createCall } from "@/lib/chat/calls/create_call.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Make a video call",
    description: "Needs a provider, and your consent at `/calls/videoprovider/register`.",
    who: "human",
    params: {},
    success: z.object({ url: z.string().meta({ description: "Where the call is." }) }),
    refusals: ["BAD_REQUEST", "INVALID_VIDEO_CALL_PROVIDER_TOKEN"],
  }, async ({ app, realm, user }) => ({ url: await createCall(app, { realm, actingUser: user }) })),
});
