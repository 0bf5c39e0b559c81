import { z } from "zod";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import type { ApnsCredentials } from "./credentials.ts";
import {
  createTokenCache,
  type DeliveryResult,
  type Provider,
  type ProviderNotification,
} from "./provider.ts";

/**
 * Time that a token is used, in milliseconds. The provider accepts it for an hour, and a new one every 20
 * minutes.
 */
const TOKEN_MS = 40 * 60 * 1000;
/** Reasons for which the provider refuses a device token for good. */
const GONE: readonly string[] = ["BadDeviceToken", "DeviceTokenNotForTopic", "Unregistered", "ExpiredToken"];
/** Title shown by a device that cannot decrypt the notification. Client apps replace it. */
const PLACEHOLDER = "New notification";

const refused = z.object({ reason: z.string() });

/** Creates the APNs provider. It sends alerts that the client app decrypts before they are shown. */
export function createApns(credentials: ApnsCredentials, now: () => number): Provider {
  const tokens = createTokenCache(now, () => signToken(credentials, now));
  return {
    async send(notification) {
      try {
        const url = `${credentials.base_url}/3/device/${encodeURIComponent(notification.token)}`;
        const token = await tokens.get();
        const headers = { authorization: `bearer ${token}`, ...toHeaders(notification) };
        const response = await fetchJson(url, { method: "POST", headers, body: toBody(notification) });
        const reason = refused.safeParse(response.body).data?.reason ?? "";
        if (reason === "ExpiredProviderToken") tokens.invalidate(token);
        return toResult(response.status, reason);
      } catch {
        return "later";
      }
    },
  };
}

function toHeaders({ appId, priority }: ProviderNotification): Record<string, string> {
  return {
    "content-type": "application/json",
    "apns-topic": appId ?? "",
    "apns-push-type": priority === "high" ? "alert" : "background",
    "apns-priority": priority === "high" ? "10" : "5",
  };
}

/**
 * Returns the body: an alert if the priority is high, else a background notification that wakes the client
 * app.
 */
function toBody({ pushKeyId, encryptedData, priority }: ProviderNotification): string {
  const aps = priority === "high"
    ? { alert: { title: PLACEHOLDER }, sound: "default", "mutable-content": 1 }
    : { "content-available": 1 };
  return JSON.stringify({ aps, push_key_id: pushKeyId, encrypted_data: encryptedData });
}

function toResult(status: number, reason: string): DeliveryResult {
  if (status === 200) return "delivered";
  return status === 410 || GONE.includes(reason) ? "gone" : "later";
}

async function signToken({ key_id, team_id, private_key }: ApnsCredentials, now: () => number) {
  const { importPKCS8, SignJWT } = await import("jose");
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: key_id })
    .setIssuer(team_id).setIssuedAt(Math.floor(now() / 1000))
    .sign(await importPKCS8(private_key, "ES256"));
  return { token, until: now() + TOKEN_MS };
}
