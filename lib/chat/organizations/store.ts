import { readRecord } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/list_values.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { realmKeys, type RealmRecord } from "./model.ts";

/** Reads the organization of a subdomain, or null. */
export async function readRealmBySubdomain(
  { store, reads, realmIds }: ChatApp,
  subdomain: string,
): Promise<RealmRecord | null> {
  const id = realmIds.get(subdomain) ?? await readRecord<number>(store.kv, realmKeys.bySubdomain(subdomain));
  if (id === null) return null;
  realmIds.set(subdomain, id);
  return await reads.read<RealmRecord>(realmKeys.realm(id));
}

/** Lists every organization of the store, oldest first. */
export function listRealms({ store }: Pick<ChatApp, "store">): Promise<RealmRecord[]> {
  return listValues<RealmRecord>(store.kv, realmKeys.realms);
}

/**
 * Returns an organization within a transaction.
 * @throws Error when it is missing, which a request's own organization never is.
 */
export async function getRealm(tx: Tx, id: number): Promise<RealmRecord> {
  const realm = await tx.get<RealmRecord>(realmKeys.realm(id));
  if (realm === null) throw new Error(`There is no organization ${id}`);
  return realm;
}
