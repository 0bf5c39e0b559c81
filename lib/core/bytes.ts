import { timingSafeEqual } from "node:crypto";

const encoder = new TextEncoder();

/**
 * Whether two secrets are equal, in a time that depends on neither; both are hashed first, so lengths may
 * differ.
 */
export async function equalSecrets(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(left), sha256(right)]);
  return timingSafeEqual(a, b);
}

/** Returns the SHA-256 digest of a text's UTF-8 bytes: 32 bytes. */
export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}

/** Formats bytes as lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  return bytes.toHex();
}

/** Joins bytes. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** Formats bytes, whose number is a multiple of five, as lower-case base32. */
export function toBase32(bytes: Uint8Array): string {
  let letters = "";
  for (let bit = 0; bit < 8 * bytes.length; bit += 5) {
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    letters += BASE32[(pair >> (11 - (bit & 7))) & 31] ?? "";
  }
  return letters;
}

/** Returns a strong ETag of some bytes. */
export async function toEtag(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return `"${new Uint8Array(digest).toHex().slice(0, 32)}"`;
}

export function isTagKnown(etag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
