import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { realmParams } from "@/lib/chat/organization/organizations/api.ts";
import { updateRealm } from "@/lib/chat/organization/organizations/update_realm.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update the organization",
    description: "Omitted parameters keep their values.",
    access: "admin",
    params: realmParams,
    refusals: ["EXPECTATION_MISMATCH", "SYSTEM_GROUP_REQUIRED", "REQUEST_VARIABLE_INVALID"],
  }, ({ app, caller, params }) => updateRealm(app, caller, params)),
});
