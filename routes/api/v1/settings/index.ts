import { updateSettings } from "@/lib/chat/people/user_settings/update_settings.ts";
import { settingsParams } from "@/lib/chat/people/user_settings/model/settings.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  PATCH: apiEndpoint(
    {
      summary: "Update settings",
      description:
        "Updates your own account and settings in one transaction. With `target_users`, administrators update the " +
        "settings of other users in batches of 80; repeat an interrupted request to complete it. Omitted parameters " +
        "keep their value.",
      access: "human",
      params: settingsParams,
      refusals: ["UNAUTHORIZED_PRINCIPAL"],
    },
    ({ app, services, caller, params, ctx }) => {
      const isSession = !ctx.req.headers.has("authorization");
      return updateSettings(app, { ...caller, isSession, limits: services.limiter }, params);
    },
  ),
});
