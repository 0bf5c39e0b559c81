import { z } from "zod";
import { fetchJson, type JsonAnswer } from "@/lib/core/fetch_json.ts";
import type { FcmCredentials } from "./credentials.ts";
import { createTokenKeeper, type Delivery, type DeliveryResult, type Provider } from "./provider.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ASSERTION_SECONDS = 60 * 60;
/** A token is renewed before it ends, so that none ends on the way. */
const SPARE_SECONDS = 60;

const granted = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });
const refused = z.object({
  error: z.object({ details: z.array(z.object({ errorCode: z.string().optional() })).optional() }),
});
/** What is said of a token that will never be right again. */
const GONE: readonly string[] = ["UNREGISTERED", "SENDER_ID_MISMATCH"];

/** The provider of most devices: data messages by its HTTP interface, with an access token of a service account. */
export function createFcm(credentials: FcmCredentials, now: () => number): Provider {
  const keeper = createTokenKeeper(now, () => askForToken(credentials, now));
  const url = `${credentials.base_url}/v1/projects/${
    encodeURIComponent(credentials.project_id)
  }/messages:send`;
  return {
    async send(delivery) {
      try {
        const token = await keeper.get();
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const answer = await fetchJson(url, { method: "POST", headers, body: toBody(delivery) });
        if (answer.status === 401) keeper.forget(token);
        return toResult(answer);
      } catch {
        return "later";
      }
    },
  };
}

function toBody({ token, pushKeyId, encryptedData, priority }: Delivery): string {
  const data = { push_key_id: String(pushKeyId), encrypted_data: encryptedData };
  return JSON.stringify({ message: { token, data, android: { priority } } });
}

function toResult({ status, body }: JsonAnswer): DeliveryResult {
  if (status === 200) return "delivered";
  const codes = refused.safeParse(body).data?.error.details?.map(({ errorCode }) => errorCode ?? "") ?? [];
  return codes.some((code) => GONE.includes(code)) ? "gone" : "later";
}

async function askForToken(credentials: FcmCredentials, now: () => number) {
  const { client_email, private_key, scope, token_uri } = credentials;
  const at = Math.floor(now() / 1000);
  const { importPKCS8, SignJWT } = await import("jose");
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(client_email).setAudience(token_uri)
    .setIssuedAt(at).setExpirationTime(at + ASSERTION_SECONDS)
    .sign(await importPKCS8(private_key, "RS256"));
  const body = new URLSearchParams({ grant_type: GRANT, assertion });
  const answer = await fetchJson(token_uri, { method: "POST", body });
  const { access_token, expires_in } = granted.parse(answer.status === 200 ? answer.body : undefined);
  return { token: access_token, until: now() + (expires_in - SPARE_SECONDS) * 1000 };
}
