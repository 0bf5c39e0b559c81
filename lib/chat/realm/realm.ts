import { type Key, readRecord } from "@/lib/kv/key.ts";
import { listValues } from "@/lib/kv/list_values.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { GroupSetting } from "../group_setting.ts";

/** One organization. */
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
  /** The path of its own icon; null or missing where none was uploaded. */
  readonly icon?: string | null;
  /** The ids of the system groups follow each other from here, in the order of SYSTEM_GROUPS. */
  readonly first_system_group_id: number;
  readonly settings: RealmSettings;
  /** Who holds which permission of the organization; what is missing has its default. */
  readonly permissions: Readonly<Record<string, GroupSetting>>;
}

/** What an organization's administrators decide, permissions aside. */
export interface RealmSettings {
  /** Days after which a member is a full member. */
  readonly waiting_period_threshold: number;
  readonly enable_spectator_access: boolean;
  /** Seconds for which a message can be edited; null is for ever. */
  readonly message_content_edit_limit_seconds: number | null;
  readonly name_changes_disabled: boolean;
  readonly email_changes_disabled: boolean;
  /** The channel that new channels are announced in. */
  readonly new_stream_announcements_stream_id: number | null;
  /** Whether only addresses of the organization's own domains may have accounts. */
  readonly emails_restricted_to_domains: boolean;
  /** Whether addresses of services that give them out for minutes are refused. */
  readonly disallow_disposable_email_addresses: boolean;
  /** Whether nobody is told who is there. */
  readonly presence_disabled: boolean;
  /** What those who join are told first, in Markdown; empty: nothing. */
  readonly welcome_message_custom_text: string;
  /** The organization's own domains, in small letters. */
  readonly domains: readonly RealmDomain[];
}

/** A domain whose addresses may have accounts. */
export interface RealmDomain {
  readonly domain: string;
  /** Whether its subdomains count as it. */
  readonly allow_subdomains: boolean;
}

/** What a new organization starts with. */
export const DEFAULT_REALM_SETTINGS: RealmSettings = {
  waiting_period_threshold: 0,
  enable_spectator_access: false,
  message_content_edit_limit_seconds: 600,
  name_changes_disabled: false,
  email_changes_disabled: false,
  new_stream_announcements_stream_id: null,
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  presence_disabled: false,
  welcome_message_custom_text: "",
  domains: [],
};

/** Where organizations lie in the store. */
export const realmKeys = {
  realms: ["realm"],
  realm: (id: number): Key => ["realm", id],
  bySubdomain: (subdomain: string): Key => ["realm_by_subdomain", subdomain],
} as const;

/** The organization of a subdomain, or null. */
export async function readRealmBySubdomain(
  { store, reads, realmIds }: ChatApp,
  subdomain: string,
): Promise<RealmRecord | null> {
  const id = realmIds.get(subdomain) ?? await readRecord<number>(store.kv, realmKeys.bySubdomain(subdomain));
  if (id === null) return null;
  realmIds.set(subdomain, id);
  return await reads.read<RealmRecord>(realmKeys.realm(id));
}

/** Every organization of the store, the oldest first. */
export function listRealms({ store }: Pick<ChatApp, "store">): Promise<RealmRecord[]> {
  return listValues<RealmRecord>(store.kv, realmKeys.realms);
}

/** The organization as a transaction sees it; it is there, as its id came from a request to it. */
export async function getRealm(tx: Tx, id: number): Promise<RealmRecord> {
  const realm = await tx.get<RealmRecord>(realmKeys.realm(id));
  if (realm === null) throw new Error(`There is no organization ${id}`);
  return realm;
}

/** The organization's own public address, without a final slash. */
export function realmUrl(
  { config }: Pick<ChatApp, "config">,
  { subdomain }: Pick<RealmRecord, "subdomain">,
): string {
  if (subdomain === "") return config.baseUrl;
  return config.baseUrl.replace("://", `://${subdomain}.`);
}

/** The address of an organization's icon, or of the server's where it has none of its own. */
export function iconUrl(
  app: Pick<ChatApp, "config">,
  realm: Pick<RealmRecord, "subdomain" | "icon">,
): string {
  return `${realmUrl(app, realm)}${realm.icon ?? "/icon.svg"}`;
}

/** The host name in the organization's address, without a port. */
export function realmHost(app: Pick<ChatApp, "config">, realm: Pick<RealmRecord, "subdomain">): string {
  return new URL(realmUrl(app, realm)).hostname;
}
