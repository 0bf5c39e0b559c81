import { type Key, toValue } from "@/lib/store/key.ts";

/** Data that an administrator chooses to delete when an account is deactivated. */
export interface ErasureScope {
  /** Whether the account loses its name and its avatar. */
  readonly delete_profile: boolean;
  readonly delete_public_channel_messages: boolean;
  readonly delete_private_channel_messages: boolean;
  readonly delete_direct_messages: boolean;
}

/** Data of an account that is still to be deleted. */
export interface ErasureRecord extends ErasureScope {
  /** Time of the deactivation in milliseconds since 1970 UTC; later messages are kept. */
  readonly sent_until: number;
  /** Id of the last message that was examined; 0 before the first. */
  readonly after: number;
}

/** Full name of an account whose profile was deleted. */
export const DELETED_USER_NAME = "Deleted user";

/** Keys of erasures in the store. */
export const erasureKeys = {
  /** Prefix of the erasures of all organizations, ordered by time in milliseconds since 1970 UTC. */
  dueRows: ["erasure_due"],
  due: (due: number, realmId: number, userId: number): Key => ["erasure_due", due, realmId, userId],
} as const;

/** Returns the ids of the organization and of the account in the key of an erasure. */
export function parseErasureKey(key: Key): { realmId: number; userId: number } {
  const [, , realmId, userId] = toValue<readonly [string, number, number, number]>(key);
  return { realmId, userId };
}

/** Returns whether anything is to be deleted. */
export function isErasing(scope: ErasureScope): boolean {
  return scope.delete_profile || isErasingMessages(scope);
}

/** Returns whether messages are to be deleted. */
export function isErasingMessages(scope: ErasureScope): boolean {
  return scope.delete_public_channel_messages || scope.delete_private_channel_messages ||
    scope.delete_direct_messages;
}

/** Returns whether a message is to be deleted; `isPrivate` is null for direct messages. */
export function includesMessage(scope: ErasureScope, isPrivate: boolean | null): boolean {
  if (isPrivate === null) return scope.delete_direct_messages;
  return isPrivate ? scope.delete_private_channel_messages : scope.delete_public_channel_messages;
}
