import type { Tx } from "@/lib/store/transact.ts";
import { dueQueue } from "../organization/collection.ts";

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

/** Returns whether anything is to be deleted. */
export function isErasing(scope: ErasureScope): boolean {
  return scope.delete_profile || isErasingMessages(scope);
}

export function isErasingMessages(scope: ErasureScope): boolean {
  return scope.delete_public_channel_messages || scope.delete_private_channel_messages ||
    scope.delete_direct_messages;
}

/** Queues the deletion of what accounts leave, in the commit that deactivates them; `now` in milliseconds. */
export function enqueueErasures(
  tx: Tx,
  { realmId, now }: { readonly realmId: number; readonly now: number },
  { userIds, scope }: { userIds: readonly number[]; scope: ErasureScope },
): void {
  const record: ErasureRecord = { ...scope, sent_until: now, after: 0 };
  for (const userId of userIds) tx.set([...dueQueue("erasure"), now, realmId, userId], record);
}
