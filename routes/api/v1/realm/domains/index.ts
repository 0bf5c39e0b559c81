import { addDomain } from "@/lib/chat/organizations/domains.ts";
import { addDomainParams } from "@/lib/chat/organizations/params.ts";
import { realmDomainsSchema } from "@/lib/chat/organizations/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the organization's domains",
    who: "anyone",
    params: {},
    success: realmDomainsSchema,
  }, ({ realm }) => Promise.resolve({ domains: realm.settings.domains })),
  POST: apiEndpoint({
    summary: "Add a domain to the organization",
    description: "Only addresses of its domains may join where the organization is restricted to them.",
    who: "owner",
    params: addDomainParams,
  }, async ({ app, realm, user, params }) => {
    await addDomain(app, { realm, actingUser: user }, params);
  }),
});
