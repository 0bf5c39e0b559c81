import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { ROLE, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { DAY_MS } from "@/lib/core/clock.ts";

/** System groups in the order of their ids; each includes the previous one, except the first two. */
export const SYSTEM_GROUPS = [
  { name: "role:nobody", description: "Nobody" },
  { name: "role:owners", description: "Owners of this organization" },
  { name: "role:administrators", description: "Administrators of this organization, including owners" },
  { name: "role:moderators", description: "Moderators of this organization, including administrators" },
  {
    name: "role:fullmembers",
    description: "Members of this organization, not including new accounts and guests",
  },
  { name: "role:members", description: "Members of this organization, not including guests" },
  { name: "role:everyone", description: "Everyone in this organization, including guests" },
  { name: "role:internet", description: "Everyone on the Internet" },
] as const;

export type SystemGroupName = typeof SYSTEM_GROUPS[number]["name"];

export function systemGroupId({ first_system_group_id }: RealmRecord, name: SystemGroupName): number {
  return first_system_group_id + SYSTEM_GROUPS.findIndex((group) => group.name === name);
}

export function systemGroupName({ first_system_group_id }: RealmRecord, id: number): SystemGroupName | null {
  return SYSTEM_GROUPS[id - first_system_group_id]?.name ?? null;
}

/** Whether a user has passed the waiting period; moderators and above always have. */
export function isFullMember(realm: RealmRecord, user: UserRecord, now: number): boolean {
  if (user.role <= ROLE.moderator) return true;
  const days = (now - user.date_joined) / DAY_MS;
  return user.role === ROLE.member && days >= realm.settings.waiting_period_threshold;
}

/** Whether a user's role makes them a member of a system group, directly or through its subgroups. */
export function isSystemGroupMember(
  name: SystemGroupName,
  user: UserRecord,
  { realm, now }: { realm: RealmRecord; now: number },
): boolean {
  switch (name) {
    case "role:nobody":
      return false;
    case "role:owners":
      return user.role <= ROLE.owner;
    case "role:administrators":
      return user.role <= ROLE.administrator;
    case "role:moderators":
      return user.role <= ROLE.moderator;
    case "role:fullmembers":
      return isFullMember(realm, user, now);
    case "role:members":
      return user.role <= ROLE.member;
    case "role:everyone":
    case "role:internet":
      return true;
  }
}

export function isDirectSystemGroupMember(
  name: SystemGroupName,
  user: UserRecord,
  { realm, now }: { realm: RealmRecord; now: number },
): boolean {
  switch (name) {
    case "role:owners":
      return user.role === ROLE.owner;
    case "role:administrators":
      return user.role === ROLE.administrator;
    case "role:moderators":
      return user.role === ROLE.moderator;
    case "role:fullmembers":
      return user.role === ROLE.member && isFullMember(realm, user, now);
    case "role:members":
      return user.role === ROLE.member;
    case "role:everyone":
      return user.role === ROLE.guest;
    case "role:nobody":
    case "role:internet":
      return false;
  }
}

/** Returns the id of the group's only direct subgroup, which is the previous system group, or null. */
export function directSubgroupId(realm: RealmRecord, name: SystemGroupName): number | null {
  const index = SYSTEM_GROUPS.findIndex((group) => group.name === name);
  return index < 2 ? null : realm.first_system_group_id + index - 1;
}
