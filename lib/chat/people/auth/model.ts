import { createHmac, timingSafeEqual } from "node:crypto";
import type { ChatApp, KeyChecker } from "@/lib/chat/organization/app.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { createLru } from "@/lib/core/lru.ts";

/** Length of an API key in characters. */
const API_KEY_LENGTH = 32;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Length of the encoded account id at the start of a key. */
const ID_LENGTH = 6;

/**
 * Returns an account's API key: 32 letters and digits. The first six encode the account's id, the others (154
 * bits) are derived from the server's secret, the account and the key's generation, so the key is never
 * stored.
 */
export function deriveApiKey(
  { secretKey }: Pick<ChatApp, "secretKey">,
  realmId: number,
  user: ApiKeyOwner,
): string {
  const text = `api key|${realmId}|${user.id}|${user.key_generation}`;
  const digest = createHmac("sha256", secretKey).update(text).digest("hex");
  return toDigits(BigInt(user.id), ID_LENGTH) + toDigits(BigInt(`0x${digest}`), API_KEY_LENGTH - ID_LENGTH);
}

/** Returns the account id in a well-formed key, without checking that the key is valid. */
export function parseApiKeyUserId(key: string): number {
  return [...key.slice(0, ID_LENGTH)].reduceRight((id, digit) => id * 62 + DIGITS.indexOf(digit), 0);
}

/** Returns the lowest digits of a number in base 62, the least significant first. */
function toDigits(number: bigint, length: number): string {
  let remaining = number;
  let digits = "";
  while (digits.length < length) {
    digits += DIGITS[Number(remaining % 62n)] ?? "";
    remaining /= 62n;
  }
  return digits;
}

/** The fields of an account that determine its API key. */
export type ApiKeyOwner = Pick<UserRecord, "id" | "key_generation">;

/** Returns whether a text has the length and characters of an API key. */
export function isWellFormedApiKey(key: string): boolean {
  return key.length === API_KEY_LENGTH && /^[0-9A-Za-z]+$/.test(key);
}

/** Compares two keys in constant time. */
function isSameApiKey(one: string, other: string): boolean {
  return timingSafeEqual(
    encoder.encode(one.padEnd(API_KEY_LENGTH)),
    encoder.encode(other.padEnd(API_KEY_LENGTH)),
  );
}

const encoder = new TextEncoder();

/** Number of accounts whose keys are remembered. */
const MAX_KNOWN = 10_000;
/** Placeholder for a missing account, so that a request for one takes as long as checking a key. */
const NOBODY: ApiKeyOwner = { id: 0, key_generation: 0 };

export function createKeyChecker(secretKey: Uint8Array): KeyChecker {
  const known = createLru<string, string>(MAX_KNOWN);
  return {
    isKeyOf(realmId, user, key) {
      const { id, key_generation } = user ?? NOBODY;
      const name = `${realmId} ${id} ${key_generation}`;
      if (isSameApiKey(known.get(name) ?? "", key)) return user !== null;
      const isRight = isSameApiKey(deriveApiKey({ secretKey }, realmId, { id, key_generation }), key);
      if (user === null || !isRight) return false;
      known.set(name, key);
      return true;
    },
  };
}
