import { registerParams } from "@/lib/chat/register/params.ts";
import { register, registerSpectator } from "@/lib/chat/register/register.ts";
import { registerSchema } from "@/lib/chat/register/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "Register a queue of events, and read how everything is now",
      description:
        "The answer holds the parts whose events were asked for. Spectators have no queue, and are told what is public.",
      who: "anyone_or_spectator",
      params: registerParams,
      isReadAtStart: true,
      success: registerSchema,
    },
    ({ app, realm, user, params }) =>
      user === null ? registerSpectator(app, realm, params) : register(app, { realm, user }, params),
  ),
});
