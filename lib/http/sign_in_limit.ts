import type { RealmRecord } from "@/lib/chat/realm/realm.ts";
import { foldEmail } from "@/lib/chat/users/user.ts";
import { AppError } from "@/lib/core/errors.ts";
import { toAddressGroup } from "./client_address.ts";
import type { Services } from "./services.ts";

/** Characters of a user name that its counter is kept under; no account's address is longer. */
const MAX_NAME = 254;

/**
 * Runs an attempt to sign in, `work`, unless too many failed before: for this account from this address, or from this
 * address at all. Others' failures never keep an account's owner out, as they count for their own addresses; a success
 * makes the account's failures forgotten.
 * @throws AppError RATE_LIMIT_HIT, and whatever `work` throws.
 */
export async function withSignInLimit<T>(
  { limiter, store }: Pick<Services, "limiter" | "store">,
  { realm, username, clientAddress }: { realm: RealmRecord; username: string; clientAddress: string },
  work: () => Promise<T>,
): Promise<T> {
  if (limiter === null) return await work();
  const address = toAddressGroup(clientAddress);
  const account = `${realm.id} ${foldEmail(username).slice(0, MAX_NAME)} ${address}`;
  // One at a time, or attempts made at once would all start before the first has failed.
  return await store.queues.run(`sign in ${address}`, async () => {
    await limiter.requireLeft("sign_in", account);
    await limiter.requireLeft("sign_in_address", address);
    try {
      const result = await work();
      await limiter.forget("sign_in", account);
      return result;
    } catch (error) {
      if (error instanceof AppError && error.code === "AUTHENTICATION_FAILED") {
        await limiter.consume("sign_in", account);
        await limiter.consume("sign_in_address", address);
      }
      throw error;
    }
  });
}
