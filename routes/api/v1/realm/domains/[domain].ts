import { changeDomain, removeDomain } from "@/lib/chat/organizations/domains.ts";
import { changeDomainParams } from "@/lib/chat/organizations/params.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a domain of the organization",
    who: "owner",
    params: changeDomainParams,
  }, async ({ app, realm, user, params, ctx }) => {
    await changeDomain(app, { realm, actingUser: user }, { domain: ctx.params["domain"] ?? "", ...params });
  }),
  DELETE: apiEndpoint({
    summary: "Remove a domain from the organization",
    description: "Without any domain, the organization is no longer restricted to them.",
    who: "owner",
    params: {},
  }, async ({ app, realm, user, ctx }) => {
    await removeDomain(app, { realm, actingUser: user }, ctx.params["domain"] ?? "");
  }),
});
