import { Snapshot } from "@/lib/store/snapshot.ts";
import type { NamedUsers } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { DEFAULT_REALM_SETTINGS } from "@/lib/chat/organization/organizations/settings.ts";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import {
  hasRealmPermission,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { type Row, toPlainRow } from "./table.ts";
import { medianOf } from "./wrk.ts";

const SIZES = [10, 100, 1000];
const SETTING = "can_create_groups";
const FIRST_GROUP = 100;
const CHECKS = 1000;
const ROUNDS = 15;

const user: UserRecord = {
  id: 7,
  delivery_email: "member@example.com",
  email_visibility: 1,
  full_name: "Member",
  role: 400,
  is_active: true,
  bot_type: null,
  bot_owner_id: null,
  date_joined: 0,
  timezone: "",
  avatar_version: 1,
  avatar: null,
  is_imported_stub: false,
  password_hash: null,
  key_generation: 1,
  session_epoch: 1,
};

const realm: RealmRecord = {
  id: 1,
  uuid: "",
  subdomain: "",
  name: "Load",
  description: "",
  date_created: 0,
  is_deactivated: false,
  first_system_group_id: 1,
  settings: DEFAULT_REALM_SETTINGS,
  permissions: {},
};

/**
 * Measures the cost of deciding one permission in this process, by the number of groups and their nesting.
 */
export function measurePermissions(): Promise<Row[]> {
  const everyone = { ...realm, permissions: { [SETTING]: systemGroupId(realm, "role:members") } };
  return Promise.resolve([
    ...rows("a system group", "flat", (size) => permissions(groups(size, () => []), everyone)),
    ...rows("groups each in the one before", "for information", (size) => {
      const chain = groups(size, (at) => at === size - 1 ? [] : [FIRST_GROUP + at + 1]);
      return permissions(chain, { ...realm, permissions: { [SETTING]: FIRST_GROUP } });
    }),
    ...rows("groups side by side", "for information", (size) => {
      const flat = groups(size, () => []);
      const all: NamedUsers = { direct_members: [], direct_subgroups: [...flat.keys()] };
      return permissions(flat, { ...realm, permissions: { [SETTING]: all } });
    }),
  ]);
}

/** Groups of which the last alone holds the user, so that all of them are walked. */
function groups(size: number, subgroupsOf: (at: number) => number[]): Map<number, GroupRecord> {
  return new Map(
    Array.from({ length: size }, (_, at) => {
      const id = FIRST_GROUP + at;
      const members = at === size - 1 ? [user.id] : [1_000_000 + at];
      const group = { id, name: `group ${id}`, description: "", creator_id: null, date_created: 0 };
      return [id, { ...group, deactivated: false, members, subgroups: subgroupsOf(at), permissions: {} }];
    }),
  );
}

function permissions(all: ReadonlyMap<number, GroupRecord>, of: RealmRecord): PermissionContext {
  return { realm: of, groups: all, organization: new Snapshot(of.id, { version: 0, stamp: "" }), now: 0 };
}

/** One row for each size; the ratios are to the first. */
function rows(what: string, aim: string, make: (size: number) => PermissionContext): Row[] {
  const contexts = SIZES.map(make);
  // The first time is for the compiler.
  for (const at of contexts) microsOf(at);
  const costs = contexts.map(microsOf);
  return costs.map((cost, at) => ({
    ...toPlainRow(
      `permission check, ${what}: ${SIZES[at]?.toLocaleString("en")} groups`,
      `${cost.toFixed(2)} µs`,
      at === 0 ? "" : aim,
    ),
    ratio: at === 0 ? "1" : (cost / (costs[0] ?? NaN)).toFixed(2),
  }));
}

/** Microseconds of one check. */
function microsOf(at: PermissionContext): number {
  return medianOf(Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    let held = 0;
    for (let check = 0; check < CHECKS; check++) if (hasRealmPermission(at, SETTING, user)) held++;
    if (held !== CHECKS) throw new Error("The user must hold the permission");
    return (performance.now() - started) / CHECKS * 1000;
  }));
}
