import type { Key } from "@/lib/kv/key.ts";

/** The kinds of profile fields by what they hold. */
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
/** One of the eight kinds. */
export type FieldType = typeof FIELD_TYPE[keyof typeof FIELD_TYPE];

/** The longest label of a field, in code points. */
export const MAX_FIELD_NAME = 40;
/** The longest hint of a field, in code points. */
export const MAX_FIELD_HINT = 80;
/** Fields that an organization can have. */
export const MAX_FIELDS = 100;
/** Choices that one field can offer. */
export const MAX_CHOICES = 200;
/** Fields that can be shown in the summary of a profile. */
export const MAX_IN_SUMMARY = 2;

/** One field that people of an organization can fill in. */
export interface ProfileFieldRecord {
  /** Never given again, so that no value of a removed field is taken for another's. */
  readonly id: number;
  readonly name: string;
  readonly type: FieldType;
  readonly hint: string;
  /** JSON text: the choices, or the kind of external account; empty for all other types. */
  readonly field_data: string;
  /** Fields are shown in ascending order of this. */
  readonly order: number;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  readonly display_in_profile_summary: boolean;
  readonly use_for_user_matching: boolean;
}

/** Where profile fields and their values lie in the store. */
export const profileKeys = {
  /** All fields in their order: one record, so that one check covers the rules over all of them. */
  fields: (realmId: number): Key => [realmId, "profile_fields"],
  values: (realmId: number): Key => [realmId, "profile_values"],
  /** The values of one person, by the id of the field. */
  valuesOf: (realmId: number, userId: number): Key => [realmId, "profile_values", userId],
};

/** The line in which changes of an organization's profile fields wait for each other within this process. */
export function fieldQueue(realmId: number): string {
  return `profile fields ${realmId}`;
}
