import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/store.ts";
import { addUser } from "../users/create_user.ts";
import { SYSTEM_GROUPS } from "../permissions/model/system_groups.ts";
import { requireEmail, requireFullName, ROLE, type UserRecord } from "../users/model.ts";
import { realmKeys, type RealmRecord, requireRealmName } from "./model.ts";
import { DEFAULT_REALM_SETTINGS } from "./settings.ts";

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Values for a new organization and its first owner. */
export interface NewRealm {
  readonly name: string;
  /** Empty for the root organization. */
  readonly subdomain: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  /** Null when the owner sets a password later. */
  readonly ownerPassword: string | null;
}

/** A new organization and its owner. */
export interface CreatedRealm {
  readonly realm: RealmRecord;
  readonly owner: UserRecord;
}

/**
 * Creates an organization with its system groups and its owner in one transaction. `authorize` runs first in the
 * same transaction, to check and use up whatever allowed the creation.
 * @throws AppError BAD_REQUEST for an invalid or taken name, address or subdomain.
 */
export async function createRealm(
  app: ChatApp,
  input: NewRealm,
  authorize: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<CreatedRealm> {
  const name = requireRealmName(input.name);
  const ownerName = requireFullName(input.ownerName);
  const ownerEmail = requireEmail(input.ownerEmail);
  const subdomain = requireSubdomain(input.subdomain);
  const passwordHash = input.ownerPassword === null ? null : await app.passwords.hash(input.ownerPassword);
  return await transact(app.store, async (tx) => {
    await authorize(tx);
    const key = realmKeys.bySubdomain(subdomain);
    if (await tx.get(key) !== null) {
      throw new AppError("BAD_REQUEST", "The subdomain is already in use.");
    }
    const realm = await createRecord(app, tx, { name, subdomain });
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

async function createRecord(
  { clock }: ChatApp,
  tx: Tx,
  { name, subdomain }: { name: string; subdomain: string },
): Promise<RealmRecord> {
  const firstGroupId = await tx.nextId("group");
  for (let index = 1; index < SYSTEM_GROUPS.length; index++) await tx.nextId("group");
  return {
    id: await tx.nextId("realm"),
    uuid: crypto.randomUUID(),
    subdomain,
    name,
    description: "",
    date_created: clock.now(),
    is_deactivated: false,
    first_system_group_id: firstGroupId,
    settings: DEFAULT_REALM_SETTINGS,
    permissions: {},
  };
}

function requireSubdomain(text: string): string {
  const subdomain = text.toLowerCase();
  if (subdomain === "" || SUBDOMAIN.test(subdomain)) return subdomain;
  throw new AppError(
    "BAD_REQUEST",
    "A subdomain must consist of letters, digits and hyphens, up to 63 characters.",
  );
}
