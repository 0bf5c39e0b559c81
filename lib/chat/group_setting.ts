import { z } from "zod";
import { described, json, optional, type Param } from "./params/param.ts";

/** Users named one by one and by groups. */
export interface NamedUsers {
  readonly direct_members: readonly number[];
  readonly direct_subgroups: readonly number[];
}

/** Who holds a permission: the members of one group, or users and groups named one by one. */
export type GroupSetting = number | NamedUsers;

/** A change of a permission, and what the sender believes that it is now. */
export interface GroupSettingUpdate {
  readonly new: GroupSetting;
  readonly old?: GroupSetting | undefined;
}

const namedUsersSchema = z.object({
  direct_members: z.array(z.int()),
  direct_subgroups: z.array(z.int()),
});

/** Both forms of the value. */
export const groupSettingSchema: z.ZodType<GroupSetting> = z.union([z.int(), namedUsersSchema])
  .meta({ description: "A group's id, or users and groups by their ids." });

const updateSchema: z.ZodType<GroupSettingUpdate> = z.object({
  new: groupSettingSchema,
  old: groupSettingSchema.optional(),
});

/** A permission as it is set when its owner is made. */
export function groupSetting(description: string): Param<GroupSetting | undefined> {
  return described(optional(json(groupSettingSchema)), description);
}

/** A change of a permission. */
export function groupSettingUpdate(description: string): Param<GroupSettingUpdate | undefined> {
  return described(optional(json(updateSchema)), description);
}

/** One form for each meaning: one group alone is its id, nobody at all is the group of nobody, lists are sorted sets. */
export function normalizeGroupSetting(value: GroupSetting, nobodyId: number): GroupSetting {
  if (typeof value === "number") return value;
  const direct_members = sortedSet(value.direct_members);
  const direct_subgroups = sortedSet(value.direct_subgroups);
  const [group] = direct_subgroups;
  if (direct_members.length === 0 && group === undefined) return nobodyId;
  if (direct_members.length === 0 && direct_subgroups.length === 1 && group !== undefined) return group;
  return { direct_members, direct_subgroups };
}

/** Whether two normalized values mean the same. */
export function isSameGroupSetting(one: GroupSetting, other: GroupSetting): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The groups that a value names itself. */
export function groupsOf(value: GroupSetting): readonly number[] {
  return typeof value === "number" ? [value] : value.direct_subgroups;
}

/** Numbers ascending, each once. */
export function sortedSet(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other);
}
