import type { RealmRecord } from "../realm/realm.ts";
import { ROLE, type UserRecord } from "../users/user.ts";

/** The groups that every organization has, in the order of their ids; each holds all of those in front of it but the first. */
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

/** The name of a system group. */
export type SystemGroupName = typeof SYSTEM_GROUPS[number]["name"];

const DAY_MS = 24 * 60 * 60 * 1000;

/** The id that a system group has in an organization. */
export function systemGroupId({ first_system_group_id }: RealmRecord, name: SystemGroupName): number {
  return first_system_group_id + SYSTEM_GROUPS.findIndex((group) => group.name === name);
}

/** The system group with this id, or null. */
export function systemGroupName({ first_system_group_id }: RealmRecord, id: number): SystemGroupName | null {
  return SYSTEM_GROUPS[id - first_system_group_id]?.name ?? null;
}

/** Whether an account has been a member long enough; moderators and above always have. */
export function isFullMember(realm: RealmRecord, user: UserRecord, now: number): boolean {
  if (user.role <= ROLE.moderator) return true;
  const days = (now - user.date_joined) / DAY_MS;
  return user.role === ROLE.member && days >= realm.settings.waiting_period_threshold;
}

/** Whether an account belongs to a system group, by its role alone. */
export function isInSystemGroup(
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

/** The accounts that stand in a system group themselves, not by way of the group in front of it. */
export function isDirectMember(
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

/** The group that a system group holds directly: the one in front of it, or none. */
export function directSubgroupId(realm: RealmRecord, name: SystemGroupName): number | null {
  const at = SYSTEM_GROUPS.findIndex((group) => group.name === name);
  return at < 2 ? null : realm.first_system_group_id + at - 1;
}
