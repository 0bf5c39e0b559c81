import { derived } from "@/lib/store/table.ts";
import { domainToASCII } from "node:url";
import type { Configured } from "@/lib/chat/organization/config.ts";
import type { GroupSetting } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import { codePointLength, normalizeText } from "@/lib/core/text.ts";
import { type BatchedReads, listValues } from "@/lib/store/reads.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import { portionOf } from "@/lib/store/resident.ts";
import type { Store } from "@/lib/store/open.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { type RealmSettings, withDefaultSettings } from "./settings.ts";

type Reads = Pick<BatchedReads, "read">;

export interface RealmRecord {
  readonly id: number;
  readonly uuid: string;
  /** Empty for the root organization. */
  readonly subdomain: string;
  readonly name: string;
  readonly description: string;
  /** Milliseconds since 1970 UTC. */
  readonly date_created: number;
  readonly is_deactivated: boolean;
  /** Path of the uploaded icon; null or missing when none was uploaded. */
  readonly icon?: string | null;
  /** Id of the first system group; the others follow in the order of SYSTEM_GROUPS. */
  readonly first_system_group_id: number;
  readonly settings: RealmSettings;
  /** Values of the organization's permissions; a missing one has its default. */
  readonly permissions: Readonly<Record<string, GroupSetting>>;
}

/** Returns a stored organization with the defaults of the settings that its record lacks. */
const withDefaults = derived((realm: RealmRecord): RealmRecord => {
  const settings = withDefaultSettings(realm.settings);
  return settings === realm.settings ? realm : { ...realm, settings };
});

/**
 * Way of joining with a reusable link: at once, or by a confirmation link that is mailed. `closed`: nobody can join,
 * because addresses must be confirmed and this server delivers no email.
 */
export type LinkJoining = "at_once" | "confirmed" | "closed";

/** Returns how people join an organization with a reusable link now. */
export function getLinkJoining(
  { config }: Configured,
  { settings, subdomain }: Pick<RealmRecord, "settings" | "subdomain">,
): LinkJoining {
  const { email_confirmation: chosen } = settings;
  if (chosen === "not_required") return "at_once";
  if (config.isMailDelivered) return "confirmed";
  // Sign-in by token trusts addresses, so one that nobody confirmed could receive the sessions of its owner.
  return chosen === "required" || Object.hasOwn(config.jwtAuthKeys, subdomain) ? "closed" : "at_once";
}

/** Maximum length of an organization's name, in code points. */
export const MAX_REALM_NAME = 40;

/** Maximum length of an organization's description, in code points. */
export const MAX_REALM_DESCRIPTION = 1000;

/** Maximum length of a domain name (RFC 1035, 2.3.4). */
const MAX_DOMAIN = 255;

export const realmKeys = {
  realms: ["realm"],
  realm: (id: number): Key => ["realm", id],
  bySubdomain: (subdomain: string): Key => ["realm_by_subdomain", subdomain],
  /** True when the administrators hid the checklist of first steps. */
  checklistHidden: (id: number): Key => [id, "checklist_hidden"],
} as const;

/** Returns the public address of an organization, without a trailing slash. */
export function realmUrl({ config }: Configured, { subdomain }: Pick<RealmRecord, "subdomain">): string {
  if (subdomain === "") return config.baseUrl;
  return config.baseUrl.replace("://", `://${subdomain}.`);
}

/** Returns the address of the organization's icon, or of the server's default icon. */
export function iconUrl(app: Configured, realm: Pick<RealmRecord, "subdomain" | "icon">): string {
  return `${realmUrl(app, realm)}${realm.icon ?? "/icon.png"}`;
}

/** Returns the host name of the organization's address, without a port. */
export function realmHost(app: Configured, realm: Pick<RealmRecord, "subdomain">): string {
  return new URL(realmUrl(app, realm)).hostname;
}

/** Whether both the organization and the server allow reading without an account. */
export function allowsSpectators(
  { config }: Configured,
  { settings, is_deactivated }: Pick<RealmRecord, "settings" | "is_deactivated">,
): boolean {
  return config.webPublicStreamsEnabled && settings.enable_spectator_access && !is_deactivated;
}

/** @throws AppError BAD_REQUEST for an empty or long name. */
export function requireRealmName(text: string): string {
  const name = text.trim();
  if (name === "") throw new AppError("BAD_REQUEST", "Organization name cannot be blank.");
  if (codePointLength(name) > MAX_REALM_NAME) {
    throw new AppError("BAD_REQUEST", `Organization name is too long (limit: ${MAX_REALM_NAME} characters).`);
  }
  requireName(name, "organization name");
  return name;
}

/** Returns a domain in its canonical form: lower case, with international names as `xn--`. */
export function foldDomain(domain: string): string {
  const folded = normalizeText(domain, "NFC").toLowerCase();
  return domainToASCII(folded) || folded;
}

/** @throws AppError BAD_REQUEST for an invalid domain. */
export function requireDomain(text: string): string {
  const trimmed = text.trim();
  // A name that is far too long is not folded.
  const domain = trimmed.length > MAX_DOMAIN ? trimmed : foldDomain(trimmed);
  const problem = findDomainProblem(domain);
  if (problem !== null) throw new AppError("BAD_REQUEST", `Invalid domain: ${problem}`);
  return domain;
}

function findDomainProblem(domain: string): string | null {
  if (domain === "") return "Domain can't be empty.";
  if (!domain.includes(".")) return "Domain must have at least one dot (.)";
  if (domain.length > MAX_DOMAIN) return "Domain is too long";
  if (domain.startsWith(".") || domain.endsWith(".")) return "Domain cannot start or end with a dot (.)";
  const parts = domain.split(".");
  if (parts.includes("")) return "Consecutive '.' are not allowed.";
  if (parts.some((part) => part.startsWith("-") || part.endsWith("-"))) {
    return "Subdomains cannot start or end with a '-'.";
  }
  return parts.every((part) => /^[a-z0-9-]+$/.test(part))
    ? null
    : "Domain can only have letters, numbers, '.' and '-'s.";
}

export async function readRealmBySubdomain(
  { store, reads, realmIds }: { store: Store; reads: Reads; realmIds: Map<string, number> },
  subdomain: string,
): Promise<RealmRecord | null> {
  const id = realmIds.get(subdomain) ?? await readRecord<number>(store.kv, realmKeys.bySubdomain(subdomain));
  if (id === null) return null;
  realmIds.set(subdomain, id);
  return await readRealm({ reads }, id);
}

export async function readRealm(
  { reads }: { readonly reads: Reads },
  id: number,
): Promise<RealmRecord | null> {
  const realm = await reads.read<RealmRecord>(realmKeys.realm(id));
  return realm && withDefaults(realm);
}

/** Reads an organization with the rows below a prefix, which are loaded when they are first used. */
export async function readOrganizationWith(
  { store, readOrganization }: { store: Store; readOrganization: (realmId: number) => Promise<Snapshot> },
  realmId: number,
  prefix: Key,
): Promise<Snapshot> {
  return await store.replicas.withRows(await readOrganization(realmId), portionOf(prefix));
}

/** Lists every organization of the store, oldest first. */
export async function listRealms({ store }: { readonly store: Store }): Promise<RealmRecord[]> {
  return (await listValues<RealmRecord>(store.kv, realmKeys.realms)).map(withDefaults);
}

/** @throws Error when it is missing, which a request's own organization never is. */
export async function getRealm(tx: Tx, id: number): Promise<RealmRecord> {
  const realm = await tx.get<RealmRecord>(realmKeys.realm(id));
  if (realm === null) throw new Error(`There is no organization ${id}`);
  return withDefaults(realm);
}

/** Returns the record of an organization, which a request's own one always has. */
export function realmOf(organization: Snapshot): RealmRecord {
  const realm = organization.get<RealmRecord>(realmKeys.realm(organization.realmId));
  if (realm === null) throw new Error(`There is no organization ${organization.realmId}`);
  return withDefaults(realm);
}
