import { createHmac, timingSafeEqual } from "node:crypto";
import type { ChatApp, KeyChecker, KeyUseRecorder } from "@/lib/chat/organization/app.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { type EventContext, sendChangeEvent } from "@/lib/chat/organization/events/send_events.ts";
import { act } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { type Clock, dayOf } from "@/lib/core/clock.ts";
import { AppError } from "@/lib/core/errors.ts";
import { createLru } from "@/lib/core/lru.ts";
import type { BatchedReads } from "@/lib/store/reads.ts";
import { CommitQueue } from "@/lib/store/commit_queue.ts";
import { type Key, keyText } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";

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

/** Number of accounts whose keys, and whose uses of the day, are remembered. */
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

/** @throws AppError INVALID_API_KEY when the caller's key was replaced in the meantime. */
export async function regenerateApiKey(app: ChatApp, caller: Caller): Promise<{ api_key: string }> {
  return await act(app, caller, async (context) => {
    const { realm, actingUser: before } = context;
    if (before.key_generation !== caller.actingUser.key_generation) {
      throw new AppError("INVALID_API_KEY", "Invalid API key");
    }
    return { api_key: deriveApiKey(app, realm.id, await rotateApiKey(context, before)) };
  });
}

/** Replaces an API key. The event to the account and to a bot's owner does not contain the key. */
export async function rotateApiKey(context: EventContext, user: UserRecord): Promise<UserRecord> {
  const changed = { ...user, key_generation: user.key_generation + 1 };
  await putUser(context.tx, context.realm.id, changed);
  const event = { type: "api_key", op: "regenerate", user_id: user.id };
  sendChangeEvent(context, event, [user.id, user.bot_owner_id].filter((id) => id !== null));
  return changed;
}

/** Latest day on which an account used its API key. */
interface KeyUse {
  readonly generation: number;
  /** Whole days since 1970 UTC. */
  readonly day: number;
}

/** Maximum number of uses in a commit, which checks each of them. */
const MAX_USES = 50;

function keyOfUse(realmId: number, userId: number): Key {
  return [realmId, "api_key_use", userId];
}

/** Returns the day of the latest use of the current API key, in days since 1970 UTC; null for none. */
export async function readKeyUseDay(
  { reads }: { readonly reads: BatchedReads },
  realmId: number,
  { id, key_generation }: ApiKeyOwner,
): Promise<number | null> {
  const use = await reads.read<KeyUse>(keyOfUse(realmId, id));
  return use !== null && use.generation === key_generation ? use.day : null;
}

/**
 * Creates a recorder of the uses of API keys. The first request of an account on a day writes, others find the day in
 * memory or, in another process, in the store; requests that arrive together share the commit.
 */
export function createKeyUseRecorder(
  { store, reads, clock }: { store: Store; reads: BatchedReads; clock: Clock },
): KeyUseRecorder {
  const known = createLru<string, string>(MAX_KNOWN);
  const queue = new CommitQueue<{ readonly key: Key; readonly use: KeyUse }, null>({
    maxItems: MAX_USES,
    commit: async (uses) => {
      const byKey = new Map(uses.map((use) => [keyText(use.key), use]));
      await transact(store, async (tx) => {
        for (const { key, use } of byKey.values()) {
          if (isNewer(use, await tx.get<KeyUse>(key))) tx.set(key, use);
        }
      });
      return uses.map(() => null);
    },
  });
  return {
    async record(realmId, { id, key_generation: generation }) {
      const day = dayOf(clock.now());
      const [name, use] = [`${realmId} ${id}`, `${generation} ${day}`];
      if (known.get(name) === use) return;
      const key = keyOfUse(realmId, id);
      try {
        const stored = await reads.read<KeyUse>(key);
        if (isNewer({ generation, day }, stored)) await queue.submit({ key, use: { generation, day } });
        known.set(name, use);
      } catch {
        // A store that cannot be written must not fail a request that only reads. The next request tries again.
      }
    },
  };
}

/** Whether a use is later than the stored one, also when the clocks of processes differ. */
function isNewer(use: KeyUse, stored: KeyUse | null): boolean {
  if (stored === null || use.generation > stored.generation) return true;
  return use.generation === stored.generation && use.day > stored.day;
}
