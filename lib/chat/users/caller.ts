import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "./user.ts";

/** Who acts, and in which organization. */
export interface Caller {
  readonly realm: RealmRecord;
  readonly actingUser: UserRecord;
}
