import { realmParams } from "@/lib/chat/organizations/params.ts";
import { changeRealm } from "@/lib/chat/organizations/settings.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Change the organization",
    description: "Parameters that are left out leave what they name as it is.",
    who: "admin",
    params: realmParams,
    refusals: ["EXPECTATION_MISMATCH", "SYSTEM_GROUP_REQUIRED", "REQUEST_VARIABLE_INVALID"],
  }, ({ app, realm, user, params }) => changeRealm(app, { realmId: realm.id, actingUser: user }, params)),
});
