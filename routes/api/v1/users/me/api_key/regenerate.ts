import { regenerateApiKey } from "@/lib/chat/api_keys/regenerate.ts";
import { newKeySchema } from "@/lib/chat/api_keys/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Replace your API key",
    description:
      "The key before stops working at once. The call takes the key itself: being signed in is not enough.",
    who: "anyone",
    needsKey: true,
    params: {},
    success: newKeySchema,
  }, ({ app, realm, user }) => regenerateApiKey(app, realm.id, user)),
});
