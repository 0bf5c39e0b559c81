import { regenerateApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { newApiKeySchema } from "@/lib/chat/people/users/fetch_api_key.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Regenerate your API key",
    description: "The old key stops working at once. Requires the old key: a browser session is not enough.",
    access: "anyone",
    needsKey: true,
    success: newApiKeySchema,
    holdsSecrets: true,
  }, ({ app, caller }) => regenerateApiKey(app, caller)),
});
