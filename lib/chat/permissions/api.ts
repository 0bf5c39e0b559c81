import { z } from "zod";
import { described, json, optional, type Param } from "../params/param.ts";
import type { GroupSetting, GroupSettingUpdate } from "./model/group_setting.ts";

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
