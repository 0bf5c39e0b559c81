import { fetchKeyByToken } from "@/lib/chat/api_keys/fetch.ts";
import { tokenParams } from "@/lib/chat/api_keys/params.ts";
import { tokenKeySchema } from "@/lib/chat/api_keys/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Fetch an API key with a signed token",
    description: "The operator decides which organizations take tokens, and which key signs them.",
    who: "public",
    params: tokenParams,
    isReadAtStart: true,
    success: tokenKeySchema,
    refusals: ["AUTHENTICATION_FAILED", "USER_DEACTIVATED", "REALM_DEACTIVATED", "NONEXISTENT_SUBDOMAIN"],
  }, ({ app, realm, params }) => fetchKeyByToken(app, realm, params)),
});
