import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { subdomainOf } from "@/lib/api/request_realm.ts";
import { isPushConfigured } from "@/lib/chat/devices/devices.ts";
import { serverSettingsSchema, toServerSettings } from "@/lib/chat/organization/organizations/api.ts";
import { AppError } from "@/lib/core/errors.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get public server settings",
    access: "public",
    isReadAtStart: true,
    success: serverSettingsSchema,
  }, ({ app, realm, ctx }) => {
    if (realm === null && subdomainOf(ctx) !== "") throw new AppError("BAD_REQUEST", "Invalid subdomain");
    return Promise.resolve(toServerSettings(app, { realm, isPushConfigured: isPushConfigured(app) }));
  }),
});
