import { z } from "zod";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import type { ApnsCredentials } from "./credentials.ts";
import { createTokenKeeper, type Delivery, type DeliveryResult, type Provider } from "./provider.ts";

/** The provider takes a token for an hour, and no more than one in 20 minutes. */
const TOKEN_MS = 40 * 60 * 1000;
/** What is said of a token that will never be right again. */
const GONE: readonly string[] = ["BadDeviceToken", "DeviceTokenNotForTopic", "Unregistered", "ExpiredToken"];
/** What a device shows that cannot decrypt: the programs replace it. */
const PLACEHOLDER = "New notification";

const refused = z.object({ reason: z.string() });

/** The provider of the other devices: alerts that the program decrypts before they are shown. */
export function createApns(credentials: ApnsCredentials, now: () => number): Provider {
  const keeper = createTokenKeeper(now, () => signToken(credentials, now));
  return {
    async send(delivery) {
      try {
        const url = `${credentials.base_url}/3/device/${encodeURIComponent(delivery.token)}`;
        const token = await keeper.get();
        const headers = { authorization: `bearer ${token}`, ...toHeaders(delivery) };
        const answer = await fetchJson(url, { method: "POST", headers, body: toBody(delivery) });
        const reason = refused.safeParse(answer.body).data?.reason ?? "";
        if (reason === "ExpiredProviderToken") keeper.forget(token);
        return toResult(answer.status, reason);
      } catch {
        return "later";
      }
    },
  };
}

function toHeaders({ appId, priority }: Delivery): Record<string, string> {
  return {
    "content-type": "application/json",
    "apns-topic": appId ?? "",
    "apns-push-type": priority === "high" ? "alert" : "background",
    "apns-priority": priority === "high" ? "10" : "5",
  };
}

/** What is not urgent is nothing that is shown: the program is woken to decrypt it, and does what it says. */
function toBody({ pushKeyId, encryptedData, priority }: Delivery): string {
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
