import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { AuditAction } from "../audit/change.ts";
import { recordAudit } from "../audit/note_change.ts";
import { type ChatEvent, sendEvent } from "../events/emit.ts";
import { groupQueue } from "../permissions/group_world.ts";
import { foldDomain } from "../realm/email_domain.ts";
import {
  getRealm,
  type RealmDomain,
  realmKeys,
  type RealmRecord,
  type RealmSettings,
} from "../realm/realm.ts";
import type { Caller } from "../users/caller.ts";
import { requireOwner } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { requireDomain } from "./require_domain.ts";

/** Domains of one organization: they lie in its record, which has an end. */
const MAX_DOMAINS = 50;

/**
 * Adds a domain to the organization's own ones, and tells everybody.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for what is no domain or is one of them, and for one too many.
 */
export async function addDomain(
  app: ChatApp,
  caller: Caller,
  { domain: text, allow_subdomains }: RealmDomain,
): Promise<void> {
  const domain = requireDomain(text);
  await changeDomains(app, caller, ({ domains }) => {
    if (domains.some((own) => own.domain === domain)) {
      throw new AppError("BAD_REQUEST", `The domain ${domain} is already a part of your organization.`);
    }
    if (domains.length >= MAX_DOMAINS) {
      throw new AppError("BAD_REQUEST", `An organization has ${MAX_DOMAINS} domains at most.`);
    }
    const added = { domain, allow_subdomains };
    return {
      settings: { domains: [...domains, added] },
      noted: { action: "domain_added", domain },
      events: [{ type: "realm_domains", op: "add", realm_domain: added }],
    };
  });
}

/**
 * Decides whether the subdomains of one of the organization's domains count as it, and tells everybody.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for any other domain.
 */
export async function changeDomain(
  app: ChatApp,
  caller: Caller,
  { domain: name, allow_subdomains }: RealmDomain,
): Promise<void> {
  await changeDomains(app, caller, ({ domains }) => {
    const before = getDomain(domains, name);
    if (before.allow_subdomains === allow_subdomains) return null;
    const changed = { ...before, allow_subdomains };
    return {
      settings: { domains: domains.map((own) => own === before ? changed : own) },
      noted: { action: "domain_changed", domain: before.domain },
      events: [{ type: "realm_domains", op: "change", realm_domain: changed }],
    };
  });
}

/**
 * Takes a domain from the organization's own ones, and tells everybody. Without any, it is no longer restricted to them:
 * else nobody could join.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for any other domain.
 */
export async function removeDomain(app: ChatApp, caller: Caller, name: string): Promise<void> {
  await changeDomains(app, caller, ({ domains, emails_restricted_to_domains }) => {
    const { domain } = getDomain(domains, name);
    const removed = { type: "realm_domains", op: "remove", domain };
    const noted = { action: "domain_removed", domain } as const;
    const left = domains.filter((own) => own.domain !== domain);
    if (left.length > 0 || !emails_restricted_to_domains) {
      return { settings: { domains: left }, events: [removed], noted };
    }
    const data = { emails_restricted_to_domains: false };
    return {
      settings: { domains: left, ...data },
      noted,
      events: [{ type: "realm", op: "update_dict", property: "default", data }, removed],
    };
  });
}

/** What becomes of the settings, and who is told what. */
interface DomainChange {
  readonly settings: Partial<RealmSettings>;
  readonly events: readonly ChatEvent[];
  readonly noted: { readonly action: AuditAction; readonly domain: string };
}

/** Null from `decide` leaves everything as it is. */
async function changeDomains(
  app: ChatApp,
  { realm: { id }, actingUser }: Caller,
  decide: (settings: RealmSettings) => DomainChange | null,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const realm = await getRealmOf(tx, { realmId: id, actingUser });
    const change = decide(realm.settings);
    if (change === null) return;
    tx.set(realmKeys.realm(id), { ...realm, settings: { ...realm.settings, ...change.settings } });
    const at = { realmId: id, now: app.clock.now() };
    for (const event of change.events) sendEvent(tx, at, { event, audience: "everyone" });
    const { action, domain } = change.noted;
    const target = { kind: "domain", id: domain, name: domain } as const;
    recordAudit(tx, at, { acting_user_id: actingUser.id, action, target });
  }, groupQueue(id));
}

/** The caller's role may have changed since the request was let in. */
async function getRealmOf(
  tx: Tx,
  { realmId, actingUser }: { realmId: number; actingUser: UserRecord },
): Promise<RealmRecord> {
  requireOwner(await getUser(tx, realmId, actingUser.id));
  return await getRealm(tx, realmId);
}

function getDomain(domains: readonly RealmDomain[], name: string): RealmDomain {
  const folded = foldDomain(name);
  const found = domains.find(({ domain }) => domain === folded);
  if (found === undefined) throw new AppError("BAD_REQUEST", `No entry found for domain ${name}.`);
  return found;
}
