import { changeSettings } from "@/lib/chat/user_settings/change_settings.ts";
import { settingsParams } from "@/lib/chat/user_settings/params.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint(
    {
      summary: "Change settings",
      description:
        "Changes your own account and settings, all or nothing. With `target_users`, administrators change the " +
        "settings of several people: more than 80 are changed 80 at a time, and a change that was cut short is finished " +
        "by asking for it again. What is left out stays as it is.",
      who: "human",
      params: settingsParams,
      refusals: ["UNAUTHORIZED_PRINCIPAL"],
    },
    ({ app, services, realm, user, params }) =>
      changeSettings(app, { realm, user, limits: services.limiter }, params),
  ),
});
