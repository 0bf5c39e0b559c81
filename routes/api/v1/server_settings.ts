import { isPushConfigured } from "@/lib/chat/devices/remote_bouncer.ts";
import { serverSettingsSchema } from "@/lib/chat/server_settings/schema.ts";
import { toServerSettings } from "@/lib/chat/server_settings/view.ts";
import { AppError } from "@/lib/core/errors.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { subdomainOf } from "@/lib/http/request_realm.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get what anybody may know about this server",
    who: "public",
    params: {},
    isReadAtStart: true,
    success: serverSettingsSchema,
  }, ({ app, realm, ctx }) => {
    if (realm === null && subdomainOf(ctx) !== "") throw new AppError("BAD_REQUEST", "Invalid subdomain");
    return Promise.resolve(toServerSettings(app, { realm, isPushConfigured: isPushConfigured(app) }));
  }),
});
