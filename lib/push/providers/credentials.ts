import { trimEnd } from "es-toolkit/string/trimEnd";
import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { safeAddress } from "@/lib/core/fetch_json.ts";

const name = z.string().min(1);
const baseAddress = safeAddress.transform((text) => trimEnd(text, "/"));

/** Schema of a private key in PEM (PKCS #8), of the type that the provider requires. */
function privateKey(kind: "rsa" | "ec") {
  return z.string().refine((pem) => {
    try {
      return pem.includes("BEGIN PRIVATE KEY") && createPrivateKey(pem).asymmetricKeyType === kind;
    } catch {
      return false;
    }
  });
}

/** Schema of `PUSH_FCM`. */
export const fcmCredentials = z.object({
  project_id: name,
  client_email: name,
  private_key: privateKey("rsa"),
  scope: name,
  token_uri: safeAddress,
  base_url: baseAddress,
});
/** A service account, the scope it requests, and the provider's `base_url` without a final slash. */
export type FcmCredentials = z.infer<typeof fcmCredentials>;

/** Schema of `PUSH_APNS`. */
export const apnsCredentials = z.object({
  key_id: name,
  team_id: name,
  private_key: privateKey("ec"),
  base_url: baseAddress,
});
/** A team's signing key, and the provider's `base_url` without a final slash. */
export type ApnsCredentials = z.infer<typeof apnsCredentials>;
