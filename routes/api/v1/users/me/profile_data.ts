import { clearOwnValues, setOwnValues } from "@/lib/chat/people/profile_fields/change_values.ts";
import { clearValuesParams, updateValuesParams } from "@/lib/chat/people/profile_fields/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Set values of your own profile fields",
    description: "Sets all values or none. An empty string or list clears a field.",
    access: "human",
    params: updateValuesParams,
  }, ({ app, caller, params }) => setOwnValues(app, caller, params.data)),
  DELETE: apiEndpoint({
    summary: "Clear values of your own profile fields",
    description: "Clears all given fields or none.",
    access: "human",
    params: clearValuesParams,
  }, ({ app, caller, params }) => clearOwnValues(app, caller, params.data)),
});
