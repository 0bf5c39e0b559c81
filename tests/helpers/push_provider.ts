import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "es-toolkit/function/once";
import { jwtVerify } from "jose";

/** A notification as a provider received it. */
export interface ReceivedPush {
  readonly kind: "fcm" | "apns";
  readonly token: string;
  readonly pushKeyId: number;
  /** Base64. */
  readonly encryptedData: string;
  /** Topic of an `apns` notification; null for `fcm`. */
  readonly topic: string | null;
}

/** Behavior of the fake provider for a device: accept the notification, report an unknown device, or fail. */
export type ProviderBehavior = "take" | "gone" | "fail";

/** A fake of both providers on loopback that authenticates the sender and records notifications. */
export interface PushProvider extends AsyncDisposable {
  readonly url: string;
  /** Environment variables of a bouncer that uses it. */
  readonly env: Readonly<Record<"PUSH_FCM" | "PUSH_APNS", string>>;
  /** Accepted notifications, in order. */
  readonly received: readonly ReceivedPush[];
  /** Reasons of requests that failed authentication. */
  readonly impostors: readonly string[];
  /** Returns how many access tokens were issued. */
  readonly countIssuedTokens: () => number;
  behave(token: string, behavior: ProviderBehavior): void;
  /** Refuses the access token that was issued last. */
  revoke(): void;
}

const FCM_PATH = "/v1/projects/garden/messages:send";
const APNS_PATH = /^\/3\/device\/([^/]+)$/;

/** Returns the key pairs of the providers, which are the same in a test process: an RSA key takes 30 ms to generate. */
const generateKeys = once(() => ({
  rsa: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ec: generateKeyPairSync("ec", { namedCurve: "P-256" }),
}));

/** Starts a fake of both providers. */
export function startPushProvider(): PushProvider {
  const keys = generateKeys();
  const state = {
    received: new Array<ReceivedPush>(),
    impostors: new Array<string>(),
    tokens: 0,
    revoked: 0,
  };
  const behaviors = new Map<string, ProviderBehavior>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    try {
      return await answer(request, { keys, state, behaviors });
    } catch (error) {
      state.impostors.push(String(error));
      return Response.json({ error: { status: "UNAUTHENTICATED" } }, { status: 401 });
    }
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const pem = ({ privateKey }: { privateKey: KeyObject }) =>
    String(privateKey.export({ type: "pkcs8", format: "pem" }));
  return {
    url,
    env: {
      PUSH_FCM: JSON.stringify({
        project_id: "garden",
        client_email: "push@garden.example",
        private_key: pem(keys.rsa),
        scope: "messaging",
        token_uri: `${url}/token`,
        base_url: url,
      }),
      PUSH_APNS: JSON.stringify({
        key_id: "K1",
        team_id: "T1",
        private_key: pem(keys.ec),
        base_url: `${url}/`,
      }),
    },
    received: state.received,
    impostors: state.impostors,
    countIssuedTokens: () => state.tokens,
    revoke: () => void (state.revoked = state.tokens),
    behave: (token, behavior) => void behaviors.set(token, behavior),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

interface Parts {
  readonly keys: { rsa: { publicKey: KeyObject }; ec: { publicKey: KeyObject } };
  readonly state: { received: ReceivedPush[]; impostors: string[]; tokens: number; revoked: number };
  readonly behaviors: ReadonlyMap<string, ProviderBehavior>;
}

async function answer(request: Request, parts: Parts): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/token") return await issueToken(request, parts);
  if (pathname === FCM_PATH) return await receiveFcm(request, parts);
  const token = APNS_PATH.exec(pathname)?.[1];
  return token === undefined
    ? new Response(null, { status: 404 })
    : await receiveApns(request, { ...parts, token });
}

async function issueToken(request: Request, { keys, state }: Parts): Promise<Response> {
  const form = await request.formData();
  const { payload } = await jwtVerify(String(form.get("assertion")), keys.rsa.publicKey, {
    audience: request.url,
    issuer: "push@garden.example",
    currentDate: new Date(0),
  });
  if (payload["scope"] !== "messaging") throw new Error("wrong scope");
  return Response.json({ access_token: `access-${++state.tokens}`, expires_in: 3600 });
}

async function receiveFcm(request: Request, { state, behaviors }: Parts): Promise<Response> {
  const isCurrent = state.tokens > state.revoked;
  if (!isCurrent || request.headers.get("authorization") !== `Bearer access-${state.tokens}`) {
    throw new Error("no access");
  }
  const { message } = await request.json();
  const behavior = behaviors.get(message.token) ?? "take";
  if (behavior === "fail") return Response.json({ error: { status: "UNAVAILABLE" } }, { status: 503 });
  if (behavior === "gone") {
    return Response.json({ error: { details: [{ errorCode: "UNREGISTERED" }] } }, { status: 404 });
  }
  const { push_key_id, encrypted_data } = message.data;
  state.received.push({
    kind: "fcm",
    token: message.token,
    pushKeyId: Number(push_key_id),
    encryptedData: encrypted_data,
    topic: null,
  });
  return Response.json({ name: "projects/garden/messages/1" });
}

async function receiveApns(
  request: Request,
  { state, behaviors, keys, token }: Parts & { token: string },
): Promise<Response> {
  const jwt = request.headers.get("authorization")?.replace(/^bearer /, "") ?? "";
  await jwtVerify(jwt, keys.ec.publicKey, { issuer: "T1", currentDate: new Date(0) });
  const behavior = behaviors.get(token) ?? "take";
  if (behavior === "fail") return Response.json({ reason: "InternalServerError" }, { status: 500 });
  if (behavior === "gone") return Response.json({ reason: "Unregistered" }, { status: 410 });
  const { aps, push_key_id, encrypted_data } = await request.json();
  const isBackground = request.headers.get("apns-push-type") === "background";
  const wanted = isBackground ? { "content-available": 1 } : { "mutable-content": 1, sound: "default" };
  for (const [name, value] of Object.entries(wanted)) {
    if (aps[name] !== value) throw new Error("not decryptable before display");
  }
  if (isBackground && (aps.alert !== undefined || request.headers.get("apns-priority") !== "5")) {
    throw new Error("a background notification with an alert");
  }
  const topic = request.headers.get("apns-topic");
  state.received.push({ kind: "apns", token, pushKeyId: push_key_id, encryptedData: encrypted_data, topic });
  return new Response(null, { status: 200 });
}
