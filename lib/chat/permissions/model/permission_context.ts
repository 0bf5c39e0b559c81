import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import type { GroupRecord } from "@/lib/chat/user_groups/model/group.ts";

/** Realm, groups and clock read for one decision about permissions. */
export interface PermissionContext {
  readonly realm: RealmRecord;
  /** Custom groups by id; system groups are not included. */
  readonly groups: ReadonlyMap<number, GroupRecord>;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}
