import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { getUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";

/** Counts what must not be done too often. */
export interface AttemptLimits {
  /**
   * Counts one attempt.
   * @throws AppError RATE_LIMIT_HIT when it is one too many.
   */
  consume(name: "sign_in" | "email_change", client: string): Promise<unknown>;
  /**
   * Counts nothing.
   * @throws AppError RATE_LIMIT_HIT when none is left.
   */
  requireLeft(name: "sign_in", client: string): Promise<void>;
}

/** Who changes his own account, in which organization; `limits` is null where nothing is limited. */
export interface AccountHolder {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  readonly limits: AttemptLimits | null;
}

/**
 * Who acts, as he is at the moment of the change.
 * @throws AppError USER_DEACTIVATED for one whose account was ended meanwhile.
 */
export async function getActingUser(tx: Tx, realmId: number, actingUser: UserRecord): Promise<UserRecord> {
  const user = await getUser(tx, realmId, actingUser.id);
  if (!user.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
  return user;
}
