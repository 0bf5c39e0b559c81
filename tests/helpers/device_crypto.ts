import sodium from "libsodium-wrappers";

/**
 * Decrypts a notification with a device's push key, as the client app does; null if it was encrypted
 * otherwise.
 */
export async function decryptOnDevice(pushKey: Uint8Array, encrypted: Uint8Array): Promise<string | null> {
  await sodium.ready;
  const nonceBytes = sodium.crypto_secretbox_NONCEBYTES;
  try {
    const [nonce, box] = [encrypted.subarray(0, nonceBytes), encrypted.subarray(nonceBytes)];
    return sodium.to_string(sodium.crypto_secretbox_open_easy(box, nonce, pushKey.subarray(1)));
  } catch {
    return null;
  }
}
