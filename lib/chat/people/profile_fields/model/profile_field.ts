import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";

/** Types of profile fields by the values they hold. */
export const FIELD_TYPE = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  people: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;
export type FieldType = typeof FIELD_TYPE[keyof typeof FIELD_TYPE];

/** Maximum length of a field's label in code points. */
export const MAX_FIELD_NAME = 40;
/** Maximum length of a field's hint in code points. */
export const MAX_FIELD_HINT = 80;
/** Maximum number of profile fields of an organization. */
export const MAX_FIELDS = 100;
/** Maximum number of choices of a field. */
export const MAX_CHOICES = 200;
/** Maximum number of fields in the profile summary. */
export const MAX_IN_SUMMARY = 2;

export interface ProfileFieldRecord {
  /** Never reused, so that values of a deleted field are never shown for another. */
  readonly id: number;
  readonly name: string;
  readonly type: FieldType;
  readonly hint: string;
  /** JSON of the choices or of the external account; empty for all other types. */
  readonly field_data: string;
  /** Position; fields are shown in ascending order. */
  readonly order: number;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  readonly display_in_profile_summary: boolean;
  readonly use_for_user_matching: boolean;
}

export const profileKeys = {
  /** All fields in order: one record, so that a single version check covers the rules that span fields. */
  fields: (realmId: number): Key => [realmId, "profile_fields"],
  values: (realmId: number): Key => [realmId, "profile_values"],
  valuesOf: (realmId: number, userId: number): Key => [realmId, "profile_values", userId],
};

/** Returns a BAD_REQUEST error whose details name the invalid parameter, so that forms can mark the input. */
export function inputError(parameter: string, message: string): AppError {
  return new AppError("BAD_REQUEST", message, { errors: [{ code: "custom", path: [parameter], message }] });
}

/** @throws AppError BAD_REQUEST when no field has the id. */
export function getField(fields: readonly ProfileFieldRecord[], id: number): ProfileFieldRecord {
  const field = fields.find((each) => each.id === id);
  if (field === undefined) throw new AppError("BAD_REQUEST", `Field id ${id} not found.`);
  return field;
}

/** Returns a field as clients receive it; the last two flags are only present when true. */
export function toProfileField(field: ProfileFieldRecord) {
  const { id, name, type, hint, field_data, order, required, editable_by_user } = field;
  return {
    id,
    name,
    type,
    hint,
    field_data,
    order,
    required,
    editable_by_user,
    ...(field.display_in_profile_summary ? { display_in_profile_summary: true } : {}),
    ...(field.use_for_user_matching ? { use_for_user_matching: true } : {}),
  };
}
