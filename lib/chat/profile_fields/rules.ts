import { codePointLength } from "@/lib/core/text.ts";
import { findExternalAccount } from "./external_accounts.ts";
import type { FieldData } from "./params.ts";
import {
  FIELD_TYPE,
  type FieldType,
  MAX_FIELD_HINT,
  MAX_FIELD_NAME,
  MAX_FIELDS,
  MAX_IN_SUMMARY,
  type ProfileFieldRecord,
} from "./profile_field.ts";
import { refusal } from "./refusal.ts";
import { knownSubtype, parseFieldData, validateFieldData } from "./validate_field_data.ts";

/** What a field is to be, as an administrator sends it. */
export interface SentField {
  readonly name: string;
  readonly hint: string;
  readonly field_type: number;
  readonly field_data: FieldData;
  readonly display_in_profile_summary: boolean;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  readonly use_for_user_matching: boolean;
}

/** A field without its place. */
export type CheckedField = Omit<ProfileFieldRecord, "id" | "order">;

/** What of a field is to be other than it is; undefined leaves a thing alone. */
export type FieldChanges = {
  readonly [Name in Exclude<keyof SentField, "field_type">]: SentField[Name] | undefined;
};

/**
 * A new field as it is kept beside `others`. Fields of known external accounts have their own label and hint.
 * @throws AppError BAD_REQUEST for the first problem; its details name the parameter.
 */
export function checkNewField(others: readonly ProfileFieldRecord[], sent: SentField): CheckedField {
  requireRoomInSummary(others, sent.display_in_profile_summary);
  if (others.length >= MAX_FIELDS) {
    throw refusal("name", `An organization can have ${MAX_FIELDS} profile fields at most.`);
  }
  return checkField(others, sent);
}

/**
 * A field as it is kept after a change; of known external accounts only switches change.
 * @throws AppError BAD_REQUEST for the first problem; its details name the parameter.
 */
export function checkFieldChange(
  all: readonly ProfileFieldRecord[],
  before: ProfileFieldRecord,
  changes: FieldChanges,
): CheckedField {
  const others = all.filter(({ id }) => id !== before.id);
  requireRoomInSummary(others, changes.display_in_profile_summary ?? false);
  const isKnown = knownSubtype(before.type, before.field_data) !== null;
  if (isKnown && isOther(before, changes)) {
    throw refusal("name", "Default custom field cannot be updated.");
  }
  return checkField(others, {
    name: changes.name ?? before.name,
    hint: changes.hint ?? before.hint,
    field_type: before.type,
    field_data: changes.field_data ?? parseFieldData(before.field_data),
    display_in_profile_summary: changes.display_in_profile_summary ?? before.display_in_profile_summary,
    required: changes.required ?? before.required,
    editable_by_user: changes.editable_by_user ?? before.editable_by_user,
    use_for_user_matching: changes.use_for_user_matching ?? before.use_for_user_matching,
  });
}

/**
 * The fields in another order, which names each of them; where it names one twice, the last place counts.
 * @throws AppError BAD_REQUEST for an order that leaves one out.
 */
export function putInOrder(
  fields: readonly ProfileFieldRecord[],
  order: readonly number[],
): ProfileFieldRecord[] {
  const places = new Map(order.map((id, at) => [id, at]));
  return fields.map((field) => {
    const place = places.get(field.id);
    if (place === undefined) throw refusal("order", "Invalid order mapping.");
    return { ...field, order: place };
  }).sort((one, other) => one.order - other.order);
}

function checkField(others: readonly ProfileFieldRecord[], sent: SentField): CheckedField {
  const field_data = validateFieldData(sent.field_type, sent.field_data);
  const subtype = knownSubtype(sent.field_type, field_data);
  const known = subtype === null ? null : findExternalAccount(subtype);
  const { name, hint } = known ?? sent;
  requireNameAndHint(name.trim(), hint);
  const type = requireType(sent.field_type);
  const { display_in_profile_summary, use_for_user_matching, required, editable_by_user } = sent;
  if (display_in_profile_summary && type === FIELD_TYPE.people) {
    throw refusal("display_in_profile_summary", "Field type not supported for display in profile summary.");
  }
  if (others.some((other) => other.name === name.trim())) {
    throw refusal("name", "A field with that label already exists.");
  }
  if (use_for_user_matching && type !== FIELD_TYPE.shortText && type !== FIELD_TYPE.externalAccount) {
    throw refusal("use_for_user_matching", "Field type not supported for user matching.");
  }
  const flags = { display_in_profile_summary, required, editable_by_user, use_for_user_matching };
  return { name: name.trim(), hint, type, field_data, ...flags };
}

function requireRoomInSummary(others: readonly ProfileFieldRecord[], isWanted: boolean): void {
  const shown = others.filter((other) => other.display_in_profile_summary).length;
  if (!isWanted || shown < MAX_IN_SUMMARY) return;
  const message = `Only ${MAX_IN_SUMMARY} custom profile fields can be displayed in the profile summary.`;
  throw refusal("display_in_profile_summary", message);
}

function requireNameAndHint(name: string, hint: string): void {
  if (name === "") throw refusal("name", "Label cannot be blank.");
  if (codePointLength(hint) > MAX_FIELD_HINT) {
    throw refusal("hint", `hint is too long (limit: ${MAX_FIELD_HINT} characters)`);
  }
  if (codePointLength(name) > MAX_FIELD_NAME) {
    throw refusal("name", `name is too long (limit: ${MAX_FIELD_NAME} characters)`);
  }
}

function requireType(type: number): FieldType {
  const known = Object.values(FIELD_TYPE).find((each) => each === type);
  if (known === undefined) throw refusal("field_type", "Invalid field type.");
  return known;
}

/** Whether a change would make another account of a known one. */
function isOther(before: ProfileFieldRecord, { name, hint, field_data }: FieldChanges): boolean {
  const isSameData = field_data === undefined || JSON.stringify(field_data) === before.field_data;
  return (name ?? before.name) !== before.name || (hint ?? before.hint) !== before.hint || !isSameData;
}
