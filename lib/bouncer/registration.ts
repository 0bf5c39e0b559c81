import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { createSealer } from "@/lib/core/seal.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { openSealedBox, readBase64 } from "@/lib/push/crypto.ts";
import { type BouncerApp, requireRemoteRealm } from "./remote_server.ts";

/** A device that is registered for notifications of an organization. */
export interface PushRegistration {
  readonly token_kind: "apns" | "fcm";
  /** Id of the app; null for `fcm`. */
  readonly ios_app_id: string | null;
  /** The provider's token, sealed. */
  readonly token: Uint8Array<ArrayBuffer>;
  /** Milliseconds since 1970 UTC. */
  readonly registered_at: number;
}

/** A registration as a remote server sends it. */
export interface RegistrationRequest {
  readonly realm_uuid: string;
  readonly token_id: string;
  readonly bouncer_public_key: string;
  readonly encrypted_push_registration: string;
}

/** Maximum age of a sealed registration, in seconds. */
const MAX_AGE_SECONDS = 86_400;
/** Maximum time in seconds by which a device's clock may be ahead; a later date would never expire. */
const MAX_AHEAD_SECONDS = 86_400;
/** Maximum length of a token id. Base64 of 8 bytes has 12 characters. */
const MAX_TOKEN_ID = 100;

const token = z.string().min(1).max(4096);
const timestamp = z.int();
const sealedRegistration = z.discriminatedUnion("token_kind", [
  z.object({
    token_kind: z.literal("apns"),
    token: token.regex(/^[0-9a-fA-F]+$/),
    timestamp,
    ios_app_id: z.string().regex(/^[.a-zA-Z0-9-]+$/).max(200),
  }),
  z.object({ token_kind: z.literal("fcm"), token, timestamp, ios_app_id: z.null().optional() }),
]);

/**
 * Registers a device of a remote server's organization, from data that it sealed for this bouncer.
 * Idempotent.
 * @throws AppError MISSING_REMOTE_REALM, INVALID_BOUNCER_PUBLIC_KEY, REQUEST_EXPIRED or BAD_REQUEST.
 */
export async function registerPush(
  app: BouncerApp,
  orgId: string,
  request: RegistrationRequest,
): Promise<void> {
  await requireRemoteRealm(app, { org_id: orgId, realm_uuid: request.realm_uuid });
  const { token, token_kind, timestamp, ios_app_id = null } = await openRegistration(app, request);
  const now = app.clock.now();
  if (now / 1000 - timestamp > MAX_AGE_SECONDS) throw new AppError("REQUEST_EXPIRED", "Request expired");
  if (timestamp - now / 1000 > MAX_AHEAD_SECONDS) throw invalid();
  if (request.token_id.length > MAX_TOKEN_ID) throw invalid();
  const record: PushRegistration = {
    token_kind,
    ios_app_id,
    token: await createTokenSealer(app).seal(token),
    registered_at: now,
  };
  const key = registrationKey(request.realm_uuid, request.token_id);
  await transact(app.store, (tx) => Promise.resolve(tx.set(key, record)));
}

async function openRegistration({ keys }: BouncerApp, request: RegistrationRequest) {
  const keyPair = keys.find(({ public_key }) => public_key === request.bouncer_public_key);
  const [publicKey, privateKey] = [
    readBase64(keyPair?.public_key ?? ""),
    readBase64(keyPair?.private_key ?? ""),
  ];
  if (keyPair === undefined || publicKey === null || privateKey === null) {
    throw new AppError("INVALID_BOUNCER_PUBLIC_KEY", "Invalid bouncer_public_key");
  }
  const sealed = readBase64(request.encrypted_push_registration);
  const opened = sealed === null ? null : await openSealedBox(sealed, { publicKey, privateKey });
  const parsed = opened === null ? null : sealedRegistration.safeParse(parseJson(opened));
  if (!parsed?.success) throw invalid();
  return parsed.data;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function invalid(): AppError {
  return new AppError("BAD_REQUEST", "Invalid encrypted_push_registration");
}

/** Returns a registration with its token; null if missing, or if it was sealed with another server key. */
export async function readRegistration(
  app: BouncerApp,
  { realm_uuid, token_id }: Pick<RegistrationRequest, "realm_uuid" | "token_id">,
): Promise<{ record: PushRegistration; token: string } | null> {
  if (token_id.length > MAX_TOKEN_ID) return null;
  const record = await readRecord<PushRegistration>(app.store.kv, registrationKey(realm_uuid, token_id));
  const token = record === null ? null : await createTokenSealer(app).open(record.token);
  return record === null || token === null ? null : { record, token };
}

/** Deletes the registration of a device that its provider no longer knows. */
export async function deleteRegistration(
  { store }: Pick<BouncerApp, "store">,
  { realm_uuid, token_id }: Pick<RegistrationRequest, "realm_uuid" | "token_id">,
): Promise<void> {
  await transact(store, (tx) => Promise.resolve(tx.delete(registrationKey(realm_uuid, token_id))));
}

function createTokenSealer({ secretKey }: BouncerApp) {
  return createSealer(secretKey, "push tokens");
}

function registrationKey(realmUuid: string, tokenId: string): Key {
  return ["push_registration", realmUuid.toLowerCase(), tokenId];
}
