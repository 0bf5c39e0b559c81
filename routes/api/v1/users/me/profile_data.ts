import { clearOwnValues, setOwnValues } from "@/lib/chat/profile_fields/own_values.ts";
import { clearValuesParams, updateValuesParams } from "@/lib/chat/profile_fields/params.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Set values of your own profile fields",
    description: "All of them or none. An empty text or list clears the field where its type allows that.",
    who: "human",
    params: updateValuesParams,
  }, async ({ app, realm, user, params }) => {
    await setOwnValues(app, { realm, actingUser: user }, params.data);
  }),
  DELETE: apiEndpoint({
    summary: "Clear values of your own profile fields",
    description: "All of them or none.",
    who: "human",
    params: clearValuesParams,
  }, async ({ app, realm, user, params }) => {
    await clearOwnValues(app, { realm, actingUser: user }, params.data);
  }),
});
