import type { default as Sodium } from "libsodium-wrappers";

/** A bouncer's key pair: 32 bytes each. */
export interface BoxKeys {
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
}

/** The first byte of a push key: what follows is a key of libsodium's secretbox. */
const SECRETBOX = 0x31;
/** Bytes of a push key: one that names its kind, and 32 of the key. */
const PUSH_KEY_BYTES = 33;

/** Loaded when it is first needed: most servers never push. */
async function loadSodium(): Promise<typeof Sodium> {
  const { default: sodium } = await import("libsodium-wrappers");
  await sodium.ready;
  return sodium;
}

/** What stands in a sealed box; null for what was not sealed for these keys, or was changed on the way. */
export async function openSealedBox(sealed: Uint8Array, keys: BoxKeys): Promise<Uint8Array | null> {
  const sodium = await loadSodium();
  try {
    return sodium.crypto_box_seal_open(sealed, keys.publicKey, keys.privateKey);
  } catch {
    return null;
  }
}

/** Whether bytes are a push key of the one kind that there is. */
export function isPushKey(bytes: Uint8Array): boolean {
  return bytes.length === PUSH_KEY_BYTES && bytes[0] === SECRETBOX;
}

/** Encrypts a text for the device that has a push key: a nonce of 24 bytes, and the box. */
export async function encryptForDevice(pushKey: Uint8Array, text: string): Promise<Uint8Array> {
  const sodium = await loadSodium();
  const nonce = sodium.randombytes_buf(sodium.crypto_secretbox_NONCEBYTES);
  const box = sodium.crypto_secretbox_easy(text, nonce, pushKey.subarray(1));
  const whole = new Uint8Array(nonce.length + box.length);
  whole.set(nonce);
  whole.set(box, nonce.length);
  return whole;
}

/** The text that was encrypted for a push key; null for what was not. */
export async function decryptOnDevice(pushKey: Uint8Array, encrypted: Uint8Array): Promise<string | null> {
  const sodium = await loadSodium();
  const nonceBytes = sodium.crypto_secretbox_NONCEBYTES;
  try {
    const [nonce, box] = [encrypted.subarray(0, nonceBytes), encrypted.subarray(nonceBytes)];
    return sodium.to_string(sodium.crypto_secretbox_open_easy(box, nonce, pushKey.subarray(1)));
  } catch {
    return null;
  }
}

/** The bytes of standard Base64 with its padding; null for what is none. */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
    return bytes.toBase64() === text ? bytes : null;
  } catch {
    return null;
  }
}
