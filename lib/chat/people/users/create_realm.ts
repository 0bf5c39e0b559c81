import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { auditAction } from "@/lib/chat/organization/audit/store.ts";
import { sendChangeEvent } from "@/lib/chat/organization/events/send_events.ts";
import { SYSTEM_GROUPS } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { addUser } from "@/lib/chat/people/users/create_user.ts";
import { requireEmail, requireFullName, ROLE, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import {
  realmKeys,
  type RealmRecord,
  requireRealmName,
} from "@/lib/chat/organization/organizations/model.ts";
import { DEFAULT_REALM_SETTINGS } from "@/lib/chat/organization/organizations/settings.ts";

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

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
  input: {
    readonly name: string;
    /** Empty for the root organization. */
    readonly subdomain: string;
    readonly ownerEmail: string;
    readonly ownerName: string;
    /** Null when the owner sets a password later. */
    readonly ownerPassword: string | null;
  },
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
    const firstGroupId = await tx.nextId("group");
    for (let index = 1; index < SYSTEM_GROUPS.length; index++) await tx.nextId("group");
    const realm: RealmRecord = {
      id: await tx.nextId("realm"),
      uuid: crypto.randomUUID(),
      subdomain,
      name,
      description: "",
      date_created: app.clock.now(),
      is_deactivated: false,
      first_system_group_id: firstGroupId,
      settings: DEFAULT_REALM_SETTINGS,
      permissions: {},
    };
    tx.set(key, realm.id);
    tx.set(realmKeys.realm(realm.id), realm);
    const context = { app, tx, realm };
    auditAction(context, { action: "realm_created", target: { kind: "realm", id: realm.id, name } });
    const user = { deliveryEmail: ownerEmail, fullName: ownerName, role: ROLE.owner, passwordHash };
    return { realm, owner: await addUser(context, user) };
  });
}

function requireSubdomain(text: string): string {
  const subdomain = text.toLowerCase();
  if (subdomain === "" || SUBDOMAIN.test(subdomain)) return subdomain;
  throw new AppError(
    "BAD_REQUEST",
    "A subdomain must consist of letters, digits and hyphens, up to 63 characters.",
  );
}

/**
 * Deactivates an organization: its data is kept, but nobody can sign in or call the API.
 * @throws AppError BAD_REQUEST when no organization has the subdomain.
 */
export async function deactivateRealm(app: ChatApp, subdomain: string): Promise<RealmRecord> {
  return await transact(app.store, async (tx) => {
    const id = await tx.get<number>(realmKeys.bySubdomain(subdomain.toLowerCase()));
    const realm = id === null ? null : await tx.get<RealmRecord>(realmKeys.realm(id));
    if (realm === null) throw new AppError("BAD_REQUEST", "No organization has this subdomain.");
    if (realm.is_deactivated) return realm;
    const deactivated = { ...realm, is_deactivated: true };
    tx.set(realmKeys.realm(realm.id), deactivated);
    const target = { kind: "realm", id: realm.id, name: realm.name } as const;
    auditAction({ app, tx, realm }, { action: "realm_deactivated", target });
    sendChangeEvent({ app, tx, realm }, { type: "realm", op: "deactivated", realm_id: realm.id });
    return deactivated;
  });
}
