import { equalSecrets, sha256, toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/kv/key.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { BouncerApp } from "./app.ts";

/** A server that may have its notifications handed on. */
export interface RemoteServer {
  /** A UUID: its user name. */
  readonly org_id: string;
  readonly name: string;
  /** SHA-256 of its key, in hexadecimal digits. */
  readonly key_hash: string;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
}

/** An organization of such a server. */
export interface RemoteRealm {
  readonly realm_uuid: string;
  readonly org_id: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const KEY_BYTES = 32;
/** Stands for the bouncer itself where a server is one for its own organizations: nobody signs in with it. */
export const LOCAL_ORG_ID = "00000000-0000-0000-0000-000000000000";

/** Admits a server, and gives its id and its key, which is shown this once. */
export async function createRemoteServer(
  { store, clock }: Pick<BouncerApp, "store" | "clock">,
  name: string,
): Promise<{ org_id: string; org_key: string }> {
  const org_id = crypto.randomUUID();
  const org_key = crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toBase64({ alphabet: "base64url" });
  const server = { org_id, name, key_hash: toHex(await sha256(org_key)), created_at: clock.now() };
  await transact(store, (tx) => Promise.resolve(tx.set(serverKey(org_id), server satisfies RemoteServer)));
  return { org_id, org_key };
}

/**
 * Admits an organization of a server.
 * @throws AppError BAD_REQUEST for what is no UUID, an unknown server, and an organization of another one.
 */
export async function createRemoteRealm(
  { store }: Pick<BouncerApp, "store">,
  { org_id, realm_uuid: sent }: RemoteRealm,
): Promise<{ realm_uuid: string }> {
  const realm_uuid = sent.toLowerCase();
  if (!UUID.test(realm_uuid)) throw new AppError("BAD_REQUEST", "An organization is named by its UUID.");
  await transact(store, async (tx) => {
    if (await tx.get(serverKey(org_id)) === null) {
      throw new AppError("BAD_REQUEST", "There is no such server.");
    }
    const realm = await tx.get<RemoteRealm>(realmKey(realm_uuid));
    if (realm !== null && realm.org_id !== org_id) {
      throw new AppError("BAD_REQUEST", "That organization belongs to another server.");
    }
    tx.set(realmKey(realm_uuid), { realm_uuid, org_id } satisfies RemoteRealm);
  });
  return { realm_uuid };
}

/** Admits an organization of the bouncer's own server, unless it was admitted for another one. */
export async function admitLocalRealm({ store }: Pick<BouncerApp, "store">, uuid: string): Promise<void> {
  const key = realmKey(uuid.toLowerCase());
  await transact(store, async (tx) => {
    if (await tx.get(key) !== null) return;
    tx.set(key, { realm_uuid: uuid.toLowerCase(), org_id: LOCAL_ORG_ID } satisfies RemoteRealm);
  });
}

/**
 * The server whose id and key these are.
 * @throws AppError INVALID_API_KEY.
 */
export async function requireRemoteServer(
  { store }: Pick<BouncerApp, "store">,
  { name, password }: { name: string; password: string },
): Promise<RemoteServer> {
  if (name.includes("@")) {
    throw new AppError("INVALID_API_KEY", "Must validate with valid Sotto server API key");
  }
  const isKnown = UUID.test(name.toLowerCase());
  const server = isKnown ? await readRecord<RemoteServer>(store.kv, serverKey(name.toLowerCase())) : null;
  // An unknown server takes as long as a wrong key.
  const isRight = await equalSecrets(server?.key_hash ?? "", toHex(await sha256(password)));
  if (server === null || !isRight) throw new AppError("INVALID_API_KEY", "Invalid API key");
  return server;
}

/**
 * Refuses an organization that was not admitted for a server.
 * @throws AppError MISSING_REMOTE_REALM.
 */
export async function requireRemoteRealm(
  { store }: Pick<BouncerApp, "store">,
  { org_id, realm_uuid }: RemoteRealm,
): Promise<void> {
  const uuid = realm_uuid.toLowerCase();
  const realm = UUID.test(uuid) ? await readRecord<RemoteRealm>(store.kv, realmKey(uuid)) : null;
  if (realm?.org_id !== org_id) throw new AppError("MISSING_REMOTE_REALM", "Organization not registered");
}

function serverKey(orgId: string): Key {
  return ["remote_server", orgId];
}

function realmKey(uuid: string): Key {
  return ["remote_realm", uuid];
}
