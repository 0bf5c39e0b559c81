import { concatBytes } from "./bytes.ts";
import { lazily } from "./yield_to_event_loop.ts";

const NONCE_BYTES = 12;

/**
 * Creates a sealer, which encrypts secrets for storage: AES-GCM with a key derived from the server's secret, of 32
 * bytes or more, and a purpose.
 */
export function createSealer(secretKey: Uint8Array, purpose: string) {
  const getKey = lazily(() => deriveKey(secretKey, purpose));
  return {
    async seal(text: string): Promise<Uint8Array<ArrayBuffer>> {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const data = new TextEncoder().encode(text);
      const sealed = new Uint8Array(
        await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await getKey(), data),
      );
      return concatBytes([iv, sealed]);
    },
    /** Returns the text; null for bytes that were not sealed with this key for this purpose. */
    async open(sealed: Uint8Array<ArrayBuffer>): Promise<string | null> {
      const iv = sealed.subarray(0, NONCE_BYTES);
      try {
        const data = sealed.subarray(NONCE_BYTES);
        return new TextDecoder().decode(
          await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await getKey(), data),
        );
      } catch {
        return null;
      }
    },
  };
}

async function deriveKey(secretKey: Uint8Array, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", new Uint8Array(secretKey), "HKDF", false, [
    "deriveKey",
  ]);
  const info = new TextEncoder().encode(purpose);
  return await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}
