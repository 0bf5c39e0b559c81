import { codePointLength } from "@/lib/core/text.ts";
import type { UserRecord } from "../users/user.ts";
import { isUrl } from "./check_url.ts";
import type { SentValue } from "./params.ts";
import { FIELD_TYPE, type ProfileFieldRecord } from "./profile_field.ts";
import { refusal } from "./refusal.ts";
import { choicesOf } from "./validate_field_data.ts";

/** The longest short text, in code points. */
const MAX_SHORT = 50;
/** The longest long text, in code points. */
const MAX_LONG = 500;
/** The longest link, in code points. */
const MAX_LINK = 2048;
/** What a refusal repeats of a value at most, in UTF-16 units. */
const MAX_ECHO = 200;
/** People that one value can name. */
const MAX_PEOPLE = 100;

/** An account as far as values ask for it. */
export type KnownPerson = Pick<UserRecord, "is_active" | "bot_type" | "is_system_bot">;

/**
 * A value as it is kept: text, or the ids of people as JSON text; empty where there is nothing to keep.
 * @throws AppError BAD_REQUEST where the field cannot have this value.
 */
export function checkValue(
  field: ProfileFieldRecord,
  value: SentValue["value"],
  findPerson: (id: number) => KnownPerson | null,
): string {
  if (field.type === FIELD_TYPE.people) return checkPeople(field, value, findPerson);
  if (typeof value !== "string") throw bad(field, `${field.name} is not a string`);
  switch (field.type) {
    case FIELD_TYPE.longText:
      return requireLength(field, value, MAX_LONG);
    case FIELD_TYPE.choice:
      return requireChoice(field, value);
    case FIELD_TYPE.date:
      if (!isDate(value)) throw bad(field, `${field.name} is not a date`);
      return value;
    case FIELD_TYPE.link:
      if (!isUrl(requireLength(field, value, MAX_LINK))) throw bad(field, `${field.name} is not a URL`);
      return value;
    default:
      return requireLength(field, value, MAX_SHORT);
  }
}

/** The ids in a value that is a list; nothing for all others. */
export function idsIn(value: SentValue["value"]): number[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_PEOPLE).filter((id): id is number => Number.isSafeInteger(id));
}

function checkPeople(
  field: ProfileFieldRecord,
  value: SentValue["value"],
  findPerson: (id: number) => KnownPerson | null,
): string {
  if (!Array.isArray(value)) throw bad(field, "User IDs is not a list");
  if (value.length > MAX_PEOPLE) throw bad(field, `${field.name} can name ${MAX_PEOPLE} people at most.`);
  const odd = value.findIndex((id) => !Number.isInteger(id));
  if (odd >= 0) throw bad(field, `User IDs[${odd}] is not an integer`);
  const ids = idsIn(value);
  const unknown = value.filter((id) => typeof id !== "number" || findPerson(id) === null);
  if (unknown.length > 0) throw bad(field, `Invalid user IDs: ${unknown.join(", ")}`);
  for (const id of ids) {
    const person = findPerson(id);
    if (person?.is_active !== true) throw bad(field, `User with ID ${id} is deactivated`);
    if (person.bot_type !== null || person.is_system_bot === true) {
      throw bad(field, `User with ID ${id} is a bot`);
    }
  }
  return ids.length === 0 ? "" : JSON.stringify([...new Set(ids)]);
}

function requireChoice(field: ProfileFieldRecord, value: string): string {
  if (choicesOf(field)?.has(value)) return value;
  const shown = value.length > MAX_ECHO ? `${value.slice(0, MAX_ECHO)}…` : value;
  throw bad(field, `'${shown}' is not a valid choice for '${field.name}'.`);
}

function requireLength(field: ProfileFieldRecord, value: string, max: number): string {
  if (codePointLength(value) <= max) return value;
  throw bad(field, `${field.name} is too long (limit: ${max} characters)`);
}

/** Only days that there are, written in full. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith("0000")) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function bad({ id }: ProfileFieldRecord, message: string) {
  return refusal(String(id), message);
}
