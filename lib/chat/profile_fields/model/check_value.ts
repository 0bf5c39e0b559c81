import type { UserRecord } from "@/lib/chat/users/model.ts";
import { parseUtc } from "@/lib/core/days.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { isUrl, listChoiceKeys } from "./field_data.ts";
import type { ProfileValueInput } from "./profile_data.ts";
import { FIELD_TYPE, inputError, type ProfileFieldRecord } from "./profile_field.ts";

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
