import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { updateDomainParams } from "@/lib/chat/organization/organizations/api.ts";
import { removeDomain, updateDomain } from "@/lib/chat/organization/organizations/edit_domains.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a domain of the organization",
    access: "owner",
    params: updateDomainParams,
  }, async ({ app, caller, params, ctx }) => {
    await updateDomain(app, caller, { domain: ctx.params["domain"] ?? "", ...params });
  }),
  DELETE: apiEndpoint({
    summary: "Remove a domain from the organization",
    description: "Removing the last domain also lifts the restriction to the organization's domains.",
    access: "owner",
  }, ({ app, caller, ctx }) => removeDomain(app, caller, ctx.params["domain"] ?? "")),
});
