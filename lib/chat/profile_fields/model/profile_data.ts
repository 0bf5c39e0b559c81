import { listChoiceKeys } from "./field_data.ts";
import type { ProfileFieldRecord } from "./profile_field.ts";

/** A value as a request contains it; null clears it. */
export interface ProfileValueInput {
  readonly id: number;
  readonly value: string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** A stored value, also as the API returns it. */
export interface ProfileValue {
  /** A JSON list of user ids for fields that hold users. */
  readonly value: string;
  /** HTML rendered when the value was set; only for text fields. */
  readonly rendered_value?: string;
}

/** The values of one user by field id. */
export type ProfileData = Readonly<Record<string, ProfileValue>>;

/** Returns whether a value is current; its field or choice may have been deleted. */
export type ValueFilter = (fieldId: string, value: string) => boolean;

/** Returns a filter that accepts the values of the given fields and their choices. */
export function toValueFilter(fields: readonly ProfileFieldRecord[]): ValueFilter {
  const choices = new Map(fields.map((field) => [String(field.id), listChoiceKeys(field)]));
  return (fieldId, value) => {
    const keys = choices.get(fieldId);
    return keys === null || keys?.has(value) === true;
  };
}

/** Returns the values that the filter accepts, or the same object when it accepts all. */
export function filterValues(isCurrent: ValueFilter, data: ProfileData): ProfileData {
  const entries = Object.entries(data);
  const current = entries.filter(([id, { value }]) => isCurrent(id, value));
  return current.length === entries.length ? data : Object.fromEntries(current);
}
