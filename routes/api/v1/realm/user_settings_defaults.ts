import { settingsDefaultsParams } from "@/lib/chat/people/user_settings/model/settings.ts";
import { updateSettingsDefaults } from "@/lib/chat/people/user_settings/update_settings.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update the default settings of new users",
    description: "Existing users keep their settings.",
    access: "admin",
    params: settingsDefaultsParams,
  }, ({ app, caller, params }) => updateSettingsDefaults(app, caller, params)),
});
