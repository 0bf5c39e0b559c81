import { createHmac, timingSafeEqual } from "node:crypto";
import type { ChatApp } from "../app.ts";
import type { UserRecord } from "./user.ts";

/** Characters of an API key. */
const API_KEY_LENGTH = 32;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Characters in front that tell whose key it is. */
const ID_LENGTH = 6;

/**
 * An account's API key: 32 letters and digits. The first six are the account's id, the others (154 bits) are what the
 * server's secret, the account and the key's generation determine, so that it is the same at each fetch and never stored.
 */
export function apiKeyOf({ secretKey }: Pick<ChatApp, "secretKey">, realmId: number, user: KeyOwner): string {
  const text = `api key|${realmId}|${user.id}|${user.key_generation}`;
  const digest = createHmac("sha256", secretKey).update(text).digest("hex");
  return toDigits(BigInt(user.id), ID_LENGTH) + toDigits(BigInt(`0x${digest}`), API_KEY_LENGTH - ID_LENGTH);
}

/** The id of the account that a well-formed key would be of; whether it is its key is for the caller to check. */
export function idInKey(key: string): number {
  return [...key.slice(0, ID_LENGTH)].reduceRight((id, digit) => id * 62 + DIGITS.indexOf(digit), 0);
}

/** The last digits of a number, the least first. */
function toDigits(number: bigint, length: number): string {
  let rest = number;
  let digits = "";
  while (digits.length < length) {
    digits += DIGITS[Number(rest % 62n)] ?? "";
    rest /= 62n;
  }
  return digits;
}

/** What of an account its key depends on. */
export type KeyOwner = Pick<UserRecord, "id" | "key_generation">;

/** Whether a key has the form that all keys have. */
export function isWellFormedKey(key: string): boolean {
  return key.length === API_KEY_LENGTH && /^[0-9A-Za-z]+$/.test(key);
}

/** Whether two keys are equal, in a time that does not tell how far they agree. */
export function isSameKey(one: string, other: string): boolean {
  return timingSafeEqual(
    encoder.encode(one.padEnd(API_KEY_LENGTH)),
    encoder.encode(other.padEnd(API_KEY_LENGTH)),
  );
}

const encoder = new TextEncoder();
