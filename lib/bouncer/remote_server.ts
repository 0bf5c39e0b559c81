import { equalSecrets, sha256, toHex } from "@/lib/core/bytes.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";

/** Dependencies of a bouncer: a server that passes notifications of other servers on to the providers. */
export interface BouncerApp {
  readonly store: Store;
  readonly clock: Clock;
  /** Key that seals the tokens of devices. */
  readonly secretKey: Uint8Array;
  /**
   * Key pairs that registrations are sealed for: 32 bytes each in Base64. Empty if this server is not a
   * bouncer.
   */
  readonly keys: readonly { readonly public_key: string; readonly private_key: string }[];
}

/** A server that may send notifications through this bouncer. */
interface RemoteServer {
  /** UUID that serves as its user name. */
  readonly org_id: string;
  readonly name: string;
  /** SHA-256 of its key, in hexadecimal digits. */
  readonly key_hash: string;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
}

/** An organization of a remote server. */
interface RemoteRealm {
  readonly realm_uuid: string;
  readonly org_id: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const KEY_BYTES = 32;
/** Id of the bouncer's own server, for its own organizations. No server can authenticate with it. */
export const LOCAL_ORG_ID = "00000000-0000-0000-0000-000000000000";

/** Creates a remote server and returns its id and its key, which is not stored and cannot be read again. */
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
 * Creates an organization of a remote server; does nothing if it exists.
 * @throws AppError BAD_REQUEST for a malformed UUID, an unknown server, or an organization of another server.
 */
export async function createRemoteRealm(
  { store }: Pick<BouncerApp, "store">,
  { org_id, realm_uuid: uuid }: RemoteRealm,
): Promise<{ realm_uuid: string }> {
  const realm_uuid = uuid.toLowerCase();
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

/** Creates an organization of the bouncer's own server, unless it exists for any server. */
export async function admitLocalRealm({ store }: Pick<BouncerApp, "store">, uuid: string): Promise<void> {
  const key = realmKey(uuid.toLowerCase());
  await transact(store, async (tx) => {
    if (await tx.get(key) !== null) return;
    tx.set(key, { realm_uuid: uuid.toLowerCase(), org_id: LOCAL_ORG_ID } satisfies RemoteRealm);
  });
}

/**
 * Returns the server with an id and a key.
 * @throws AppError INVALID_API_KEY.
 */
export async function requireRemoteServer(
  { store }: Pick<BouncerApp, "store">,
  { name, password }: { name: string; password: string },
): Promise<RemoteServer> {
  if (name.includes("@")) {
    throw new AppError("INVALID_API_KEY", "Must validate with valid Sotto server API key");
  }
  const isWellFormed = UUID.test(name.toLowerCase());
  const server = isWellFormed
    ? await readRecord<RemoteServer>(store.kv, serverKey(name.toLowerCase()))
    : null;
  // The comparison is made for unknown servers too, so that both cases take the same time.
  const isKeyCorrect = await equalSecrets(server?.key_hash ?? "", toHex(await sha256(password)));
  if (server === null || !isKeyCorrect) throw new AppError("INVALID_API_KEY", "Invalid API key");
  return server;
}

/**
 * Requires that an organization belongs to a remote server.
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
