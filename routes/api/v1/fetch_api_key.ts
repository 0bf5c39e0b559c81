import { authenticate } from "@/lib/chat/api_keys/authenticate.ts";
import { toFetchedKey } from "@/lib/chat/api_keys/fetch.ts";
import { passwordParams } from "@/lib/chat/api_keys/params.ts";
import { requireRealm } from "@/lib/chat/api_keys/require_realm.ts";
import { passwordKeySchema } from "@/lib/chat/api_keys/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { withSignInLimit } from "@/lib/http/sign_in_limit.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Fetch an API key with a password",
    description:
      "After a few failed attempts there is a pause, for the account and for the address they came from.",
    who: "public",
    params: passwordParams,
    isReadAtStart: true,
    success: passwordKeySchema,
    refusals: [
      "AUTHENTICATION_FAILED",
      "USER_DEACTIVATED",
      "REALM_DEACTIVATED",
      "NONEXISTENT_SUBDOMAIN",
      "RATE_LIMIT_HIT",
    ],
  }, async ({ services, app, realm: where, params, clientAddress }) => {
    const realm = requireRealm(where);
    const attempt = { realm, username: params.username, clientAddress: clientAddress() };
    const user = await withSignInLimit(services, attempt, () => authenticate(app, realm, params));
    return toFetchedKey(app, realm, user);
  }),
});
