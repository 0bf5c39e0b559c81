/** What the fields of one permission hold. */
export interface PickedPermission {
  /** A group's id, or CUSTOM. */
  readonly group: string;
  /** Ids of groups, where CUSTOM is picked. */
  readonly groups: readonly number[];
  /** People, one on each line, where CUSTOM is picked. */
  readonly people: string;
}

/** The choice of groups and people one by one. */
export const CUSTOM = "custom";

/** The names of the fields of one permission: what is picked, and hidden what the form was filled with. */
export function permissionFields(setting: string) {
  return {
    group: setting,
    groups: `${setting}_groups`,
    people: `${setting}_people`,
    wasGroup: `${setting}_was`,
    wasGroups: `${setting}_was_groups`,
    wasPeople: `${setting}_was_people`,
  };
}

/** What a form says that it was filled with; null where it does not say it. */
export function readWas(setting: string, text: (name: string) => string): PickedPermission | null {
  const names = permissionFields(setting);
  const group = text(names.wasGroup);
  if (group !== CUSTOM && !/^\d{1,15}$/.test(group)) return null;
  const groups = text(names.wasGroups).split(",").filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  return { group, groups, people: text(names.wasPeople) };
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
  return text.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line !== "");
}

/** How somebody is written into a field: by name and id, so that he is found again. */
export function toPersonLine({ id, full_name }: { readonly id: number; readonly full_name: string }): string {
  return `${full_name} (${id})`;
}

/** The ids at the ends of lines that `toPersonLine` wrote. */
export function idsInLines(text: string): readonly number[] {
  return linesOf(text).flatMap((line) => {
    const id = /\((\d{1,15})\)$/.exec(line)?.[1];
    return id === undefined ? [] : [Number(id)];
  });
}
