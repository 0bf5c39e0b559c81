import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { addDomainParams, realmDomainsSchema } from "@/lib/chat/organization/organizations/api.ts";
import { addDomain } from "@/lib/chat/organization/organizations/edit_domains.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the organization's domains",
    access: "anyone",
    success: realmDomainsSchema,
  }, ({ realm }) => Promise.resolve({ domains: realm.settings.domains })),
  POST: apiEndpoint({
    summary: "Add a domain to the organization",
    description:
      "If the organization is restricted to its domains, new accounts need an address in one of them.",
    access: "owner",
    params: addDomainParams,
  }, ({ app, caller, params }) => addDomain(app, caller, params)),
});
