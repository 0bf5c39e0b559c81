import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { AuditAction } from "../audit/model.ts";
import { auditAction } from "../audit/store.ts";
import type { ChatEvent } from "../events/model.ts";
import { sendChangeEvent } from "../events/send_events.ts";
import { type Caller, requireOwner } from "../users/model.ts";
import { act } from "../users/store.ts";
import { foldDomain, getRealm, realmKeys, requireDomain } from "./model.ts";
import type { RealmDomain, RealmSettings } from "./settings.ts";

/** Maximum number of domains per organization; all of them are stored in its record. */
const MAX_DOMAINS = 50;

/**
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an invalid or existing domain, or when the
 * limit is reached.
 */
export async function addDomain(
  app: ChatApp,
  caller: Caller,
  { domain: text, allow_subdomains }: RealmDomain,
): Promise<void> {
  const domain = requireDomain(text);
  await editDomains(app, caller, ({ domains }) => {
    if (domains.some((own) => own.domain === domain)) {
      throw new AppError("BAD_REQUEST", `The domain ${domain} is already a part of your organization.`);
    }
    if (domains.length >= MAX_DOMAINS) {
      throw new AppError("BAD_REQUEST", `An organization has ${MAX_DOMAINS} domains at most.`);
    }
    const added = { domain, allow_subdomains };
    return {
      settings: { domains: [...domains, added] },
      audit: { action: "domain_added", domain },
      events: [{ type: "realm_domains", op: "add", realm_domain: added }],
    };
  });
}

/** @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an unknown domain. */
export async function updateDomain(
  app: ChatApp,
  caller: Caller,
  { domain: name, allow_subdomains }: RealmDomain,
): Promise<void> {
  await editDomains(app, caller, ({ domains }) => {
    const before = getDomain(domains, name);
    if (before.allow_subdomains === allow_subdomains) return null;
    const changed = { ...before, allow_subdomains };
    return {
      settings: { domains: domains.map((own) => own === before ? changed : own) },
      audit: { action: "domain_changed", domain: before.domain },
      events: [{ type: "realm_domains", op: "change", realm_domain: changed }],
    };
  });
}

/**
 * Removes a domain; without any, the restriction to domains ends, as no one could join.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an unknown domain.
 */
export async function removeDomain(app: ChatApp, caller: Caller, name: string): Promise<void> {
  await editDomains(app, caller, ({ domains, emails_restricted_to_domains }) => {
    const { domain } = getDomain(domains, name);
    const removed = { type: "realm_domains", op: "remove", domain };
    const audit = { action: "domain_removed", domain } as const;
    const remaining = domains.filter((own) => own.domain !== domain);
    if (remaining.length > 0 || !emails_restricted_to_domains) {
      return { settings: { domains: remaining }, events: [removed], audit };
    }
    const data = { emails_restricted_to_domains: false };
    return {
      settings: { domains: remaining, ...data },
      audit,
      events: [{ type: "realm", op: "update_dict", property: "default", data }, removed],
    };
  });
}

/** Applies the change that `decide` returns; null means no change. */
async function editDomains(
  app: ChatApp,
  caller: Caller,
  decide: (settings: RealmSettings) => {
    readonly settings: Partial<RealmSettings>;
    readonly events: readonly ChatEvent[];
    readonly audit: { readonly action: AuditAction; readonly domain: string };
  } | null,
): Promise<void> {
  await act(app, caller, async (context) => {
    const { tx, actingUser } = context;
    requireOwner(actingUser);
    const realm = await getRealm(tx, caller.realm.id);
    const change = decide(realm.settings);
    if (change === null) return;
    tx.set(realmKeys.realm(realm.id), { ...realm, settings: { ...realm.settings, ...change.settings } });
    for (const event of change.events) sendChangeEvent(context, event);
    const { action, domain } = change.audit;
    auditAction(context, { action, target: { kind: "domain", id: domain, name: domain } });
  });
}

function getDomain(domains: readonly RealmDomain[], name: string): RealmDomain {
  const folded = foldDomain(name);
  const found = domains.find(({ domain }) => domain === folded);
  if (found === undefined) throw new AppError("BAD_REQUEST", `No entry found for domain ${name}.`);
  return found;
}
