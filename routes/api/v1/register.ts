import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { register, registerParams, registerSchema, registerSpectator } from "@/lib/chat/register/register.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "Register an event queue",
      isActivity: false,
      description: "Creates a queue and returns the current state for the requested event types. " +
        "Spectators have no queue and receive the public state.",
      access: "anyone_or_spectator",
      params: registerParams,
      isReadAtStart: true,
      success: registerSchema,
      refusals: ["BAD_NARROW"],
    },
    ({ app, services: { events }, realm, user, params }) =>
      user === null ? registerSpectator(app, realm, params) : register(events, { realm, user }, params),
  ),
});
