import { addDomain, removeDomain, updateDomain } from "@/lib/chat/organizations/edit_domains.ts";
import type { AdminAction, AdminPageSpec } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";

/** Position of the domains on their page. */
const DOMAINS = "/admin/organization#domains";

/** Adds an allowed domain. */
export const addDomainAction: AdminAction = {
  run: async ({ chat, caller, formatter, messages }, fields) => {
    const domain = fields.exact("domain").trim();
    await addDomain(chat, caller, { domain, allow_subdomains: fields.flag("allow_subdomains") });
    return { flash: formatter.t(messages.organization.domainAdded, { name: domain }), to: DOMAINS };
  },
  fieldOf: ({ code }) => code === "BAD_REQUEST" ? "domain" : null,
};

/** Decides whether subdomains of a domain are allowed. */
export const changeDomainAction: AdminAction = {
  run: async ({ chat, caller, formatter, messages }, fields) => {
    const domain = fields.exact("name");
    await updateDomain(chat, caller, { domain, allow_subdomains: fields.text("allow") === "true" });
    return { flash: formatter.t(messages.organization.domainChanged, { name: domain }), to: DOMAINS };
  },
};

/** Data of the page that confirms removing a domain. */
export interface RemoveDomainData {
  readonly domain: string;
  /** Whether it is the last domain of an organization that restricts accounts to its domains. */
  readonly opensJoining: boolean;
}

/** The page that confirms removing a domain. */
export const removeDomainPage: AdminPageSpec<RemoveDomainData> = {
  load: (request) => Promise.resolve(loadDomain(request)),
  actions: {
    remove: {
      run: async (request) => {
        const { chat, caller, formatter, messages } = request;
        const name = pathDomain(request);
        await removeDomain(chat, caller, name);
        return { flash: formatter.t(messages.organization.domainRemoved, { name }), to: DOMAINS };
      },
    },
  },
};

function pathDomain({ ctx }: AdminRequest): string {
  return ctx.params["domain"] ?? "";
}

function loadDomain(request: AdminRequest): RemoveDomainData | null {
  const { domains, emails_restricted_to_domains } = request.realm.settings;
  const found = domains.find(({ domain }) => domain === pathDomain(request));
  if (found === undefined) return null;
  return { domain: found.domain, opensJoining: domains.length === 1 && emails_restricted_to_domains };
}
