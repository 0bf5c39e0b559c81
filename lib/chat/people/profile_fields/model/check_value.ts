import { parseUtc } from "@/lib/core/clock.ts";
import { errorMessage } from "@/lib/core/errors.ts";
import { requireName, toNameForm } from "@/lib/core/names.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import {
  type FieldData,
  findExternalAccount,
  findKnownSubtype,
  isUrl,
  listChoiceKeys,
  parseFieldData,
  type ProfileValueInput,
  validateFieldData,
} from "./field_data.ts";
import {
  FIELD_TYPE,
  type FieldType,
  inputError,
  MAX_FIELD_HINT,
  MAX_FIELD_NAME,
  MAX_FIELDS,
  MAX_IN_SUMMARY,
  type ProfileFieldRecord,
} from "./profile_field.ts";

/** Maximum length of a short text in code points. */
const MAX_SHORT = 50;
/** Maximum length of a long text in code points. */
const MAX_LONG = 500;
/** Maximum length of a link in code points. */
const MAX_LINK = 2048;
/** Maximum length of a value quoted in an error message, in UTF-16 units. */
const MAX_QUOTED = 200;
/** Maximum number of users in one value. */
const MAX_USERS = 100;

/** The properties of an account that decide whether a value can reference it. */
export type ReferencedUser = Pick<UserRecord, "is_active" | "bot_type" | "is_system_bot">;

/**
 * Validates a value and returns it for storage: a text, or user ids as JSON; empty to clear the value.
 * @throws AppError BAD_REQUEST when the value is invalid for the field.
 */
export function checkValue(
  field: ProfileFieldRecord,
  value: ProfileValueInput["value"],
  findUser: (id: number) => ReferencedUser | null,
): string {
  if (field.type === FIELD_TYPE.people) return checkUsers(field, value, findUser);
  if (typeof value !== "string") throw valueError(field, `${field.name} is not a string`);
  switch (field.type) {
    case FIELD_TYPE.longText:
      return requireLength(field, value, MAX_LONG);
    case FIELD_TYPE.choice:
      return requireChoice(field, value);
    case FIELD_TYPE.date:
      if (!isDate(value)) throw valueError(field, `${field.name} is not a date`);
      return value;
    case FIELD_TYPE.link:
      if (!isUrl(requireLength(field, value, MAX_LINK))) {
        throw valueError(field, `${field.name} is not a URL`);
      }
      return value;
    default:
      return requireLength(field, value, MAX_SHORT);
  }
}

/** Lists the integers in a value that is a list; returns an empty list for other values. */
export function listUserIds(value: ProfileValueInput["value"]): number[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_USERS).filter((id): id is number => Number.isSafeInteger(id));
}

function checkUsers(
  field: ProfileFieldRecord,
  value: ProfileValueInput["value"],
  findUser: (id: number) => ReferencedUser | null,
): string {
  if (!Array.isArray(value)) throw valueError(field, "User IDs is not a list");
  if (value.length > MAX_USERS) {
    throw valueError(field, `${field.name} can name ${MAX_USERS} people at most.`);
  }
  const invalidIndex = value.findIndex((id) => !Number.isInteger(id));
  if (invalidIndex >= 0) throw valueError(field, `User IDs[${invalidIndex}] is not an integer`);
  const ids = listUserIds(value);
  const unknown = value.filter((id) => typeof id !== "number" || findUser(id) === null);
  if (unknown.length > 0) throw valueError(field, `Invalid user IDs: ${unknown.join(", ")}`);
  for (const id of ids) {
    const user = findUser(id);
    if (user?.is_active !== true) throw valueError(field, `User with ID ${id} is deactivated`);
    if (user.bot_type !== null || user.is_system_bot === true) {
      throw valueError(field, `User with ID ${id} is a bot`);
    }
  }
  return ids.length === 0 ? "" : JSON.stringify([...new Set(ids)]);
}

function requireChoice(field: ProfileFieldRecord, value: string): string {
  if (listChoiceKeys(field)?.has(value)) return value;
  const quoted = value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value;
  throw valueError(field, `'${quoted}' is not a valid choice for '${field.name}'.`);
}

function requireLength(field: ProfileFieldRecord, value: string, max: number): string {
  if (codePointLength(value) <= max) return value;
  throw valueError(field, `${field.name} is too long (limit: ${max} characters)`);
}

/** Returns whether a text is an existing date in the format YYYY-MM-DD. */
function isDate(text: string): boolean {
  return !text.includes("T") && !text.startsWith("0000") && !Number.isNaN(parseUtc(text));
}

function valueError({ id }: ProfileFieldRecord, message: string) {
  return inputError(String(id), message);
}

export interface ProfileFieldInput {
  readonly name: string;
  readonly hint: string;
  readonly field_type: number;
  readonly field_data: FieldData;
  readonly display_in_profile_summary: boolean;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  readonly use_for_user_matching: boolean;
}

/** A validated field without id and position. */
type CheckedField = Omit<ProfileFieldRecord, "id" | "order">;

/** Changes of a field; a missing or undefined one keeps the current value. */
export type FieldChanges = {
  readonly [Name in Exclude<keyof ProfileFieldInput, "field_type">]?: ProfileFieldInput[Name] | undefined;
};

/**
 * Validates a new field and returns it for storage. Built-in external accounts determine the label and hint.
 * @throws AppError BAD_REQUEST for the first problem; its details name the parameter.
 */
export function checkNewField(others: readonly ProfileFieldRecord[], input: ProfileFieldInput): CheckedField {
  requireRoomInSummary(others, input.display_in_profile_summary);
  if (others.length >= MAX_FIELDS) {
    throw inputError("name", `An organization can have ${MAX_FIELDS} profile fields at most.`);
  }
  return checkField(others, input, null);
}

/**
 * Validates a change of a field and returns the field for storage. Only the flags of built-in external
 * accounts change.
 * @throws AppError BAD_REQUEST for the first problem; its details name the parameter.
 */
export function checkFieldChange(
  all: readonly ProfileFieldRecord[],
  before: ProfileFieldRecord,
  changes: FieldChanges,
): CheckedField {
  const others = all.filter(({ id }) => id !== before.id);
  requireRoomInSummary(others, changes.display_in_profile_summary ?? false);
  const isBuiltIn = findKnownSubtype(before.type, before.field_data) !== null;
  if (isBuiltIn && changesBuiltInAccount(before, changes)) {
    throw inputError("name", "Default custom field cannot be updated.");
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
  }, before.name);
}

/**
 * Returns the fields in a new order of ids; the last position of a repeated id counts.
 * @throws AppError BAD_REQUEST for an order that omits a field.
 */
export function applyOrder(
  fields: readonly ProfileFieldRecord[],
  order: readonly number[],
): ProfileFieldRecord[] {
  const positions = new Map(order.map((id, index) => [id, index]));
  return fields.map((field) => {
    const position = positions.get(field.id);
    if (position === undefined) throw inputError("order", "Invalid order mapping.");
    return { ...field, order: position };
  }).sort((a, b) => a.order - b.order);
}

function checkField(
  others: readonly ProfileFieldRecord[],
  input: ProfileFieldInput,
  nameBefore: string | null,
): CheckedField {
  const field_data = validateFieldData(input.field_type, input.field_data);
  const subtype = findKnownSubtype(input.field_type, field_data);
  const builtIn = subtype === null ? null : findExternalAccount(subtype);
  const { name, hint } = builtIn ?? input;
  requireNameAndHint(name.trim(), hint);
  if (name !== nameBefore) requireLabel(name.trim());
  const type = requireType(input.field_type);
  const { display_in_profile_summary, use_for_user_matching, required, editable_by_user } = input;
  if (display_in_profile_summary && type === FIELD_TYPE.people) {
    throw inputError(
      "display_in_profile_summary",
      "Field type not supported for display in profile summary.",
    );
  }
  const form = toNameForm(name, { keepsCase: true });
  if (name !== nameBefore && others.some((other) => toNameForm(other.name, { keepsCase: true }) === form)) {
    throw inputError("name", "A field with that label already exists.");
  }
  if (use_for_user_matching && type !== FIELD_TYPE.shortText && type !== FIELD_TYPE.externalAccount) {
    throw inputError("use_for_user_matching", "Field type not supported for user matching.");
  }
  const flags = { display_in_profile_summary, required, editable_by_user, use_for_user_matching };
  return { name: name.trim(), hint, type, field_data, ...flags };
}

function requireRoomInSummary(others: readonly ProfileFieldRecord[], isRequested: boolean): void {
  const shown = others.filter((other) => other.display_in_profile_summary).length;
  if (!isRequested || shown < MAX_IN_SUMMARY) return;
  const message = `Only ${MAX_IN_SUMMARY} custom profile fields can be displayed in the profile summary.`;
  throw inputError("display_in_profile_summary", message);
}

function requireNameAndHint(name: string, hint: string): void {
  if (name === "") throw inputError("name", "Label cannot be blank.");
  if (codePointLength(hint) > MAX_FIELD_HINT) {
    throw inputError("hint", `hint is too long (limit: ${MAX_FIELD_HINT} characters)`);
  }
  if (codePointLength(name) > MAX_FIELD_NAME) {
    throw inputError("name", `name is too long (limit: ${MAX_FIELD_NAME} characters)`);
  }
}

/** Applies the rule for names to a new label; labels of an earlier version stay. */
function requireLabel(name: string): void {
  try {
    requireName(name, "label");
  } catch (error) {
    throw inputError("name", errorMessage(error));
  }
}

function requireType(type: number): FieldType {
  const known = Object.values(FIELD_TYPE).find((each) => each === type);
  if (known === undefined) throw inputError("field_type", "Invalid field type.");
  return known;
}

/** Returns whether a change affects more than the flags of a built-in external account. */
function changesBuiltInAccount(
  before: ProfileFieldRecord,
  { name, hint, field_data }: FieldChanges,
): boolean {
  const isSameData = field_data === undefined || JSON.stringify(field_data) === before.field_data;
  return (name ?? before.name) !== before.name || (hint ?? before.hint) !== before.hint || !isSameData;
}
