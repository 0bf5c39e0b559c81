import { z } from "zod";
import { type GroupSetting, groupSettingSchema } from "@/lib/chat/group_setting.ts";

/** What the fields of one permission hold. */
export interface PickedPermission {
  /** A group's id, or CUSTOM. */
  readonly group: string;
  /** Ids of groups, where CUSTOM is picked. */
  readonly groups: readonly number[];
  /** People, one on each line, where CUSTOM is picked. */
  readonly people: string;
}

/** A permission as a form showed it. */
export interface SeenPermission {
  readonly value: GroupSetting;
  readonly picked: PickedPermission;
}

/** The choice of groups and people one by one. */
export const CUSTOM = "custom";

/** The names of the fields of one permission. */
export function permissionFields(setting: string) {
  return {
    group: setting,
    groups: `${setting}_groups`,
    people: `${setting}_people`,
    /** What the form was filled with, hidden. */
    seen: `${setting}_seen`,
  };
}

/** What the fields hold for a value; `people` is how its people are written. */
export function pickedOf(value: GroupSetting, people: string): PickedPermission {
  if (typeof value === "number") return { group: String(value), groups: [], people: "" };
  return { group: CUSTOM, groups: value.direct_subgroups, people };
}

/** Whether two mean the same: what stands in fields that are not asked for is no matter, nor are blank lines. */
export function isSamePicked(one: PickedPermission, other: PickedPermission): boolean {
  if (one.group !== other.group) return false;
  if (one.group !== CUSTOM) return true;
  const groups = new Set(one.groups);
  return groups.size === new Set(other.groups).size && other.groups.every((id) => groups.has(id)) &&
    linesOf(one.people).join("\n") === linesOf(other.people).join("\n");
}

/** The lines of a text that hold something, without blanks around them. */
export function linesOf(text: string): readonly string[] {
  return text.split(/[\r\n;]+/).map((line) => line.trim()).filter((line) => line !== "");
}

const seenSchema = z.object({
  value: groupSettingSchema,
  picked: z.object({ group: z.string(), groups: z.array(z.int()), people: z.string() }),
});

/** What a form says it was filled with; null for what no form says. */
export function readSeen(text: string): SeenPermission | null {
  try {
    return seenSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
