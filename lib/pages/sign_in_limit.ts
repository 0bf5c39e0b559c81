import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { foldEmail } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { toAddressGroup } from "../services/client_address.ts";
import type { Services } from "../services/services.ts";

/**
 * Length of the user name under which failures are counted, in characters; no account's address is longer.
 */
const MAX_NAME = 254;

/**
 * Runs an attempt to sign in unless too many failed before, for this account from this address or for this
 * address at all. Failures of others never lock an account's owner out, because they count for other
 * addresses; a success resets the account's failures.
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
  // One at a time: parallel attempts would all start before the first has failed.
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
