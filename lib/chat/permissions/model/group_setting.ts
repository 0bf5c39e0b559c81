export interface NamedUsers {
  readonly direct_members: readonly number[];
  readonly direct_subgroups: readonly number[];
}

/** Value of a permission: the id of a group, or users and groups. */
export type GroupSetting = number | NamedUsers;

/** New value of a permission, optionally with the value the client expects to replace. */
export interface GroupSettingUpdate {
  readonly new: GroupSetting;
  readonly old?: GroupSetting | undefined;
}

/**
 * Returns the canonical form of a value: a single group becomes its id, an empty value the group role:nobody,
 * and lists are sorted without duplicates.
 */
export function normalizeGroupSetting(value: GroupSetting, nobodyId: number): GroupSetting {
  if (typeof value === "number") return value;
  const direct_members = sortedUnique(value.direct_members);
  const direct_subgroups = sortedUnique(value.direct_subgroups);
  const [group] = direct_subgroups;
  if (direct_members.length === 0 && group === undefined) return nobodyId;
  if (direct_members.length === 0 && direct_subgroups.length === 1 && group !== undefined) return group;
  return { direct_members, direct_subgroups };
}

/** Whether two normalized values are equal. */
export function isSameGroupSetting(one: GroupSetting, other: GroupSetting): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function listNamedGroups(value: GroupSetting): readonly number[] {
  return typeof value === "number" ? [value] : value.direct_subgroups;
}

/** Returns numbers in ascending order without duplicates. */
export function sortedUnique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other);
}
