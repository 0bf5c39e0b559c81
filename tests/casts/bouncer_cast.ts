import sodium from "libsodium-wrappers";
import { createRemoteRealm, createRemoteServer } from "@/lib/bouncer/remote_server.ts";
import { basic, startChat, type TestChat, type TestParams } from "@/tests/helpers/chat.ts";

/** A bouncer's key pair in Base64. */
export interface Keys {
  readonly public_key: string;
  readonly private_key: string;
}

/** Creates a key pair in the format of PUSH_BOUNCER_KEYS. */
export async function newKeys(): Promise<Keys> {
  await sodium.ready;
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  return { public_key: publicKey.toBase64(), private_key: privateKey.toBase64() };
}

/** Seals JSON for a public key, as a device does. */
export function seal(value: unknown, publicKey: string): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return sodium.crypto_box_seal(text, Uint8Array.fromBase64(publicKey)).toBase64();
}

/** A bouncer with one remote server and one of its organizations. */
export interface TestBouncer extends AsyncDisposable {
  readonly chat: TestChat;
  readonly keys: Keys;
  readonly realmUuid: string;
  readonly orgId: string;
  readonly orgKey: string;
  /** Registers a device; `params` override valid ones, and `credentials` those of the remote server. */
  register(
    params?: TestParams,
    credentials?: string,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** Starts a bouncer. */
export async function startBouncer(): Promise<TestBouncer> {
  const keys = await newKeys();
  const chat = await startChat({ env: { PUSH_BOUNCER_KEYS: JSON.stringify([await newKeys(), keys]) } });
  const { bouncer } = chat.services;
  const { org_id, org_key } = await createRemoteServer(bouncer, "Neighbours");
  const realmUuid = crypto.randomUUID();
  await createRemoteRealm(bouncer, { org_id, realm_uuid: realmUuid });
  return {
    chat,
    keys,
    realmUuid,
    orgId: org_id,
    orgKey: org_key,
    async register(params = {}, credentials = basic(org_id, org_key)) {
      const timestamp = Math.floor(chat.clock.now() / 1000);
      const allParams: TestParams = {
        realm_uuid: realmUuid,
        token_id: "AAECAwQFBgc=",
        bouncer_public_key: keys.public_key,
        encrypted_push_registration: seal({ token: "abc", token_kind: "fcm", timestamp }, keys.public_key),
        ...params,
      };
      const sent = Object.entries(allParams).filter(([, value]) => value !== undefined);
      const body = new URLSearchParams(sent.map(([name, value]) => [name, String(value)]));
      const headers: HeadersInit = credentials === "" ? {} : { authorization: credentials };
      const init = { method: "POST", body, headers };
      const response = await chat.request("/api/v1/remotes/push/e2ee/register", init);
      return { status: response.status, body: await response.json() };
    },
    [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose](),
  };
}
