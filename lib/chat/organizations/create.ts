import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/note_change.ts";
import { SYSTEM_GROUPS } from "../permissions/system_groups.ts";
import { DEFAULT_REALM_SETTINGS, realmKeys, type RealmRecord } from "../realm/realm.ts";
import { addUser } from "../permissions/add_user.ts";
import { requireEmail } from "../users/email.ts";
import { requireFullName } from "../users/full_name.ts";
import { ROLE, type UserRecord } from "../users/user.ts";

/** The longest name of an organization, in code points. */
export const MAX_REALM_NAME = 40;
const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** What makes a new organization and its owner. */
export interface NewRealm {
  readonly name: string;
  /** Empty for the root organization. */
  readonly subdomain: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  /** Null where the owner sets one later. */
  readonly ownerPassword: string | null;
}

/** An organization that was just made, and its owner. */
export interface MadeRealm {
  readonly realm: RealmRecord;
  readonly owner: UserRecord;
}

/**
 * Makes an organization with its system groups and its owner, all or nothing. `claim` runs in the same transaction, for
 * what must be true or used up at that moment.
 * @throws AppError BAD_REQUEST for a bad or taken name, address or subdomain.
 */
export async function createRealm(
  app: ChatApp,
  wanted: NewRealm,
  claim: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<MadeRealm> {
  const name = requireRealmName(wanted.name);
  const ownerName = requireFullName(wanted.ownerName);
  const ownerEmail = requireEmail(wanted.ownerEmail);
  const subdomain = requireSubdomain(wanted.subdomain);
  const passwordHash = wanted.ownerPassword === null ? null : await app.passwords.hash(wanted.ownerPassword);
  return await transact(app.store, async (tx) => {
    await claim(tx);
    const key = realmKeys.bySubdomain(subdomain);
    if (await tx.get(key) !== null) {
      throw new AppError("BAD_REQUEST", "There is an organization at that subdomain.");
    }
    const realm = await newRealm(app, tx, { name, subdomain });
    tx.set(key, realm.id);
    tx.set(realmKeys.realm(realm.id), realm);
    recordAudit(tx, { realmId: realm.id, now: realm.date_created }, {
      acting_user_id: null,
      action: "realm_created",
      target: { kind: "realm", id: realm.id, name },
    });
    const user = { deliveryEmail: ownerEmail, fullName: ownerName, role: ROLE.owner, passwordHash };
    return { realm, owner: await addUser(app, tx, { realm, user }) };
  });
}

async function newRealm(
  { clock }: ChatApp,
  tx: Tx,
  { name, subdomain }: { name: string; subdomain: string },
): Promise<RealmRecord> {
  const first = await tx.nextId("group");
  for (let at = 1; at < SYSTEM_GROUPS.length; at++) await tx.nextId("group");
  return {
    id: await tx.nextId("realm"),
    uuid: crypto.randomUUID(),
    subdomain,
    name,
    description: "",
    date_created: clock.now(),
    is_deactivated: false,
    first_system_group_id: first,
    settings: DEFAULT_REALM_SETTINGS,
    permissions: {},
  };
}

/**
 * A name without the blanks around it.
 * @throws AppError BAD_REQUEST for an empty or long one.
 */
export function requireRealmName(text: string): string {
  const name = text.trim();
  if (name === "") throw new AppError("BAD_REQUEST", "Organization name cannot be blank.");
  if (codePointLength(name) > MAX_REALM_NAME) {
    throw new AppError("BAD_REQUEST", `Organization name is too long (limit: ${MAX_REALM_NAME} characters).`);
  }
  return name;
}

function requireSubdomain(text: string): string {
  const subdomain = text.toLowerCase();
  if (subdomain === "" || SUBDOMAIN.test(subdomain)) return subdomain;
  throw new AppError("BAD_REQUEST", "A subdomain is made of letters, digits and hyphens, 63 at most.");
}
