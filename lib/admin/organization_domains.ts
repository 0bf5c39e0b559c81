import { addDomain, changeDomain, removeDomain } from "@/lib/chat/organizations/domains.ts";
import type { AdminAction, AdminPageSpec } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";

/** Where the domains stand. */
const DOMAINS = "/admin/organization#domains";

/** Adds a domain to the organization's own ones. */
export const addDomainAction: AdminAction = {
  run: async ({ chat, caller, speech, words }, fields) => {
    const domain = fields.text("domain").trim();
    await addDomain(chat, caller, { domain, allow_subdomains: fields.flag("allow_subdomains") });
    return { said: speech.say(words.organization.domainAdded, { name: domain }), to: DOMAINS };
  },
  fieldOf: ({ code }) => code === "BAD_REQUEST" ? "domain" : null,
};

/** Decides whether the subdomains of a domain count as it. */
export const changeDomainAction: AdminAction = {
  run: async ({ chat, caller, speech, words }, fields) => {
    const domain = fields.text("name");
    await changeDomain(chat, caller, { domain, allow_subdomains: fields.text("allow") === "true" });
    return { said: speech.say(words.organization.domainChanged, { name: domain }), to: DOMAINS };
  },
};

/** What the page that asks before a domain is removed shows. */
export interface RemoveDomainData {
  readonly domain: string;
  /** Whether it is the only one, and accounts are restricted to the organization's own ones. */
  readonly opensJoining: boolean;
}

/** The page that asks before a domain is removed. */
export const removeDomainPage: AdminPageSpec<RemoveDomainData> = {
  load: (request) => Promise.resolve(loadDomain(request)),
  actions: {
    remove: {
      run: async (request) => {
        const { chat, caller, speech, words } = request;
        const name = pathDomain(request);
        await removeDomain(chat, caller, name);
        return { said: speech.say(words.organization.domainRemoved, { name }), to: DOMAINS };
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
