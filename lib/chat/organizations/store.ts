import type { Key } from "@/lib/store/key.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { portionOf } from "@/lib/store/resident.ts";
import { readRecord } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { realmKeys, type RealmRecord, withDefaults } from "./model.ts";

export async function readRealmBySubdomain(
  { store, reads, realmIds }: ChatApp,
  subdomain: string,
): Promise<RealmRecord | null> {
  const id = realmIds.get(subdomain) ?? await readRecord<number>(store.kv, realmKeys.bySubdomain(subdomain));
  if (id === null) return null;
  realmIds.set(subdomain, id);
  return await readRealm({ reads }, id);
}

export async function readRealm(
  { reads }: { readonly reads: Pick<ChatApp["reads"], "read"> },
  id: number,
): Promise<RealmRecord | null> {
  const realm = await reads.read<RealmRecord>(realmKeys.realm(id));
  return realm && withDefaults(realm);
}

/** Reads an organization with the rows below a prefix, which are loaded when they are first used. */
export async function readOrganizationWith(
  { store, readOrganization }: Pick<ChatApp, "readOrganization" | "store">,
  realmId: number,
  prefix: Key,
): Promise<Snapshot> {
  return await store.replicas.withRows(await readOrganization(realmId), portionOf(prefix));
}

/** Lists every organization of the store, oldest first. */
export async function listRealms({ store }: Pick<ChatApp, "store">): Promise<RealmRecord[]> {
  return (await listValues<RealmRecord>(store.kv, realmKeys.realms)).map(withDefaults);
}

/** @throws Error when it is missing, which a request's own organization never is. */
export async function getRealm(tx: Tx, id: number): Promise<RealmRecord> {
  const realm = await tx.get<RealmRecord>(realmKeys.realm(id));
  if (realm === null) throw new Error(`There is no organization ${id}`);
  return withDefaults(realm);
}
