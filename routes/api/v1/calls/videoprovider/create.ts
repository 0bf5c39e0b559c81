import { z } from "zod";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { createCall } from "@/lib/chat/devices/calls.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Create a video call",
    description: "Requires a configured provider and your authorization at `/calls/videoprovider/register`.",
    access: "human",
    success: z.object({ url: z.string().meta({ description: "URL of the call." }) }),
    holdsSecrets: true,
    refusals: ["INVALID_VIDEO_CALL_PROVIDER_TOKEN"],
  }, async ({ app, caller }) => ({ url: await createCall(app, caller) })),
});
