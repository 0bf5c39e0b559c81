/** Values of the fields of one permission. */
export interface PickedPermission {
  /** A group's id, or CUSTOM. */
  readonly group: string;
  /** Ids of groups, for CUSTOM. */
  readonly groups: readonly number[];
  /** Users, one per line, for CUSTOM. */
  readonly people: string;
}

/** The choice of individual groups and users. */
export const CUSTOM = "custom";

/** Returns the field names of a permission: the choice, and hidden fields with its initial values. */
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

/** Reads the initial values of a permission from a form; null when they are missing. */
export function readWas(setting: string, text: (name: string) => string): PickedPermission | null {
  const names = permissionFields(setting);
  const group = text(names.wasGroup);
  if (group !== CUSTOM && !/^\d{1,15}$/.test(group)) return null;
  const groups = text(names.wasGroups).split(",").filter((id) => /^\d{1,15}$/.test(id)).map(Number);
  return { group, groups, people: text(names.wasPeople) };
}

/** Whether two choices mean the same, regardless of unused fields and blank lines. */
export function isSamePicked(one: PickedPermission, other: PickedPermission): boolean {
  if (one.group !== other.group) return false;
  if (one.group !== CUSTOM) return true;
  const groups = new Set(one.groups);
  return groups.size === new Set(other.groups).size && other.groups.every((id) => groups.has(id)) &&
    linesOf(one.people).join("\n") === linesOf(other.people).join("\n");
}

/** Returns the non-blank lines of a text, trimmed. */
export function linesOf(text: string): readonly string[] {
  return text.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line !== "");
}

/** Formats a user for a field by name and id, so that the user can be found again. */
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

/** An account that a text may mean. */
export interface PersonChoice {
  readonly id: number;
  readonly name: string;
  readonly note: string;
}

/** Returns the name of the checkboxes with the accounts that the texts in a field for people may mean. */
export function choiceFieldOf(name: string): string {
  return `${name}_choice`;
}
