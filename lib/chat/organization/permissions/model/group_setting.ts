import { z } from "zod";
import { described, json, optional, type Param } from "@/lib/chat/organization/params/param.ts";

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

/** Returns the canonical value: one group as its id, none as role:nobody, lists sorted and distinct. */
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
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/**
 * Copies the lists of group settings: a list read from the store takes twice the size when it is stored
 * again.
 */
export function copyPermissions(
  permissions: Readonly<Record<string, GroupSetting>>,
): Readonly<Record<string, GroupSetting>> {
  return Object.fromEntries(
    Object.entries(permissions).map(([setting, value]) => [
      setting,
      typeof value === "number" ? value : {
        direct_members: sortedUnique(value.direct_members),
        direct_subgroups: sortedUnique(value.direct_subgroups),
      },
    ]),
  );
}

const namedUsersSchema = z.object({
  direct_members: z.array(z.int()),
  direct_subgroups: z.array(z.int()),
});

/** Schema of a permission's value in either form. */
export const groupSettingSchema: z.ZodType<GroupSetting> = z.union([z.int(), namedUsersSchema])
  .meta({ description: "Id of a group, or ids of users and groups." });

const updateSchema: z.ZodType<GroupSettingUpdate> = z.object({
  new: groupSettingSchema,
  old: groupSettingSchema.optional(),
});

/** Defines the parameter for a permission's initial value. */
export function groupSettingParam(description: string): Param<GroupSetting | undefined> {
  return described(optional(json(groupSettingSchema)), description);
}

export function groupSettingUpdateParam(description: string): Param<GroupSettingUpdate | undefined> {
  return described(optional(json(updateSchema)), description);
}
