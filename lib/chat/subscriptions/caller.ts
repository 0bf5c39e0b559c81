import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";

/** Who acts, and in which organization. */
export interface SubscriptionCaller {
  readonly realm: RealmRecord;
  readonly actingUser: UserRecord;
}

/** The line in which changes of an organization's subscriptions wait for each other within this process. */
export function subscriptionQueue(realmId: number): string {
  return `subscriptions ${realmId}`;
}
