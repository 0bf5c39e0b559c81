import {
  fetchApiKeyByToken,
  fetchApiKeyByTokenParams,
  fetchedApiKeyByTokenSchema,
} from "@/lib/chat/people/users/fetch_api_key.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Fetch an API key with a signed token",
    description: "The operator configures the organizations that accept tokens and their keys.",
    access: "public",
    params: fetchApiKeyByTokenParams,
    isReadAtStart: true,
    success: fetchedApiKeyByTokenSchema,
    holdsSecrets: true,
    refusals: ["AUTHENTICATION_FAILED", "USER_DEACTIVATED", "REALM_DEACTIVATED", "NONEXISTENT_SUBDOMAIN"],
  }, ({ app, realm, params }) => fetchApiKeyByToken(app, realm, params)),
});
