import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";

/**
 * Number of passwords of one client that may wait to be hashed. A hash takes a core for a tenth of a second, so
 * the last one waits for a few seconds.
 */
const MAX_WAITING_PER_CLIENT = 32;
const RETRY_SECONDS = 2;

/**
 * Runs work that hashes or verifies a password, one at a time for each client, so that the clients take turns
 * however many passwords one of them sends. A client is the group of an address, or an account.
 * @throws AppError UNAVAILABLE when too many passwords of the client wait, and whatever `work` throws.
 */
export async function withPasswordTurn<T>(
  { store }: Pick<ChatApp, "store">,
  client: string,
  work: () => Promise<T>,
): Promise<T> {
  const name = `password ${client}`;
  if (store.queues.length(name) > MAX_WAITING_PER_CLIENT) throw tooManyPasswords();
  return await store.queues.run(name, work);
}

/** Name of an account as the client of `withPasswordTurn`. */
export function passwordClientOf(realmId: number, { id }: { readonly id: number }): string {
  return `${realmId} ${id}`;
}

/** Refusal while too many passwords wait to be hashed. */
function tooManyPasswords(): AppError {
  return new AppError("UNAVAILABLE", "Too many passwords are being checked. Please try again in a moment.", {
    retryAfter: RETRY_SECONDS,
  });
}
