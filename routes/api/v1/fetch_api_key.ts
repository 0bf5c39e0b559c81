import { authenticate, requireRealm } from "@/lib/chat/people/auth/authenticate.ts";
import {
  fetchApiKeyParams,
  fetchedApiKeySchema,
  toFetchedApiKey,
} from "@/lib/chat/people/users/fetch_api_key.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { withSignInLimit } from "@/lib/pages/sign_in_limit.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Fetch an API key with a password",
    description: "Failed attempts are limited per account and per client address.",
    access: "public",
    params: fetchApiKeyParams,
    isReadAtStart: true,
    success: fetchedApiKeySchema,
    holdsSecrets: true,
    refusals: ["AUTHENTICATION_FAILED", "USER_DEACTIVATED", "REALM_DEACTIVATED", "NONEXISTENT_SUBDOMAIN"],
  }, async ({ services, app, realm: where, params, clientAddress }) => {
    const realm = requireRealm(where);
    const attempt = { realm, username: params.username, clientAddress: clientAddress() };
    const user = await withSignInLimit(services, attempt, () => authenticate(app, realm, params));
    return toFetchedApiKey(app, realm, user);
  }),
});
