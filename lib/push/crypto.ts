import type { default as Sodium } from "libsodium-wrappers";

/** A bouncer's key pair, with 32 bytes per key. */
interface BoxKeys {
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
}

/** First byte of a push key. It means that a key of libsodium's secretbox follows. */
const SECRETBOX = 0x31;
/** Length of a push key in bytes: one for its type, and 32 for the key. */
const PUSH_KEY_BYTES = 33;

/** Loads libsodium on first use: most servers never send notifications. */
async function loadSodium(): Promise<typeof Sodium> {
  const { default: sodium } = await import("libsodium-wrappers");
  await sodium.ready;
  return sodium;
}

/** Returns the content of a sealed box; null if it was sealed for other keys or altered. */
export async function openSealedBox(sealed: Uint8Array, keys: BoxKeys): Promise<Uint8Array | null> {
  const sodium = await loadSodium();
  try {
    return sodium.crypto_box_seal_open(sealed, keys.publicKey, keys.privateKey);
  } catch {
    return null;
  }
}

/** Returns whether bytes are a push key of the only supported type. */
export function isPushKey(bytes: Uint8Array): boolean {
  return bytes.length === PUSH_KEY_BYTES && bytes[0] === SECRETBOX;
}

/** Encrypts a text with a device's push key. Returns a 24-byte nonce followed by the box. */
export async function encryptForDevice(pushKey: Uint8Array, text: string): Promise<Uint8Array> {
  const sodium = await loadSodium();
  const nonce = sodium.randombytes_buf(sodium.crypto_secretbox_NONCEBYTES);
  const box = sodium.crypto_secretbox_easy(text, nonce, pushKey.subarray(1));
  const encrypted = new Uint8Array(nonce.length + box.length);
  encrypted.set(nonce);
  encrypted.set(box, nonce.length);
  return encrypted;
}

/** Decodes standard Base64 with padding; null for anything else. */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
    return bytes.toBase64() === text ? bytes : null;
  } catch {
    return null;
  }
}
