import { z } from "zod";
import { fetchJson, type JsonResponse } from "@/lib/core/fetch_json.ts";
import { redeemAssertion } from "@/lib/core/oauth_tokens.ts";
import type { FcmCredentials } from "./credentials.ts";
import {
  createTokenCache,
  type DeliveryResult,
  type Provider,
  type ProviderNotification,
} from "./provider.ts";

const ASSERTION_SECONDS = 60 * 60;
/** Time before its expiry at which a token is renewed, in seconds, so that none expires during a request. */
const SPARE_SECONDS = 60;

const refused = z.object({
  error: z.object({ details: z.array(z.object({ errorCode: z.string().optional() })).optional() }),
});
/** Error codes for which the provider refuses a device token for good. */
const GONE: readonly string[] = ["UNREGISTERED", "SENDER_ID_MISMATCH"];

/** Creates the FCM provider. It sends data messages over HTTP with an access token of a service account. */
export function createFcm(credentials: FcmCredentials, now: () => number): Provider {
  const tokens = createTokenCache(now, () => requestToken(credentials, now));
  const url = `${credentials.base_url}/v1/projects/${
    encodeURIComponent(credentials.project_id)
  }/messages:send`;
  return {
    async send(notification) {
      try {
        const token = await tokens.get();
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const response = await fetchJson(url, { method: "POST", headers, body: toBody(notification) });
        if (response.status === 401) tokens.invalidate(token);
        return toResult(response);
      } catch {
        return "later";
      }
    },
  };
}

function toBody({ token, pushKeyId, encryptedData, priority }: ProviderNotification): string {
  const data = { push_key_id: String(pushKeyId), encrypted_data: encryptedData };
  return JSON.stringify({ message: { token, data, android: { priority } } });
}

function toResult({ status, body }: JsonResponse): DeliveryResult {
  if (status === 200) return "delivered";
  const codes = refused.safeParse(body).data?.error.details?.map(({ errorCode }) => errorCode ?? "") ?? [];
  return codes.some((code) => GONE.includes(code)) ? "gone" : "later";
}

async function requestToken(credentials: FcmCredentials, now: () => number) {
  const { client_email, private_key, scope, token_uri } = credentials;
  const at = Math.floor(now() / 1000);
  const { importPKCS8, SignJWT } = await import("jose");
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(client_email).setAudience(token_uri)
    .setIssuedAt(at).setExpirationTime(at + ASSERTION_SECONDS)
    .sign(await importPKCS8(private_key, "RS256"));
  const endpoint = { url: token_uri, clientId: client_email, clientSecret: null };
  const { token } = await redeemAssertion(endpoint, assertion);
  if (token?.expires_in === undefined) throw new Error("no access token with an expiry");
  return { token: token.access_token, until: now() + (token.expires_in - SPARE_SECONDS) * 1000 };
}
