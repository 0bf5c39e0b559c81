import { codePointLength } from "@/lib/core/text.ts";
import { isUrl } from "./check_url.ts";
import { findExternalAccount } from "./external_accounts.ts";
import type { FieldData } from "./params.ts";
import { FIELD_TYPE, MAX_CHOICES, type ProfileFieldRecord } from "./profile_field.ts";
import { refusal } from "./refusal.ts";

/** What stands for the name of an account in the address of it. */
const USERNAME = "%(username)s";
/** The longest pattern, in code points. */
const MAX_PATTERN = 1024;

/**
 * What a field of this type is kept with, as JSON text: the choices, the kind of account, or nothing.
 * @throws AppError BAD_REQUEST.
 */
export function validateFieldData(type: number, data: FieldData): string {
  if (type === FIELD_TYPE.choice) return JSON.stringify(validateChoices(data));
  if (type === FIELD_TYPE.externalAccount) return JSON.stringify(validateAccount(data));
  return "";
}

/** The subtype of an account that is known from the start, or null for all other data; `data` as it is kept. */
export function knownSubtype(type: number, data: string): string | null {
  if (type !== FIELD_TYPE.externalAccount || data === "") return null;
  const { subtype } = parseFieldData(data);
  return typeof subtype === "string" && findExternalAccount(subtype) !== null ? subtype : null;
}

/** Kept data as an object; empty where there is none. */
export function parseFieldData(data: string): FieldData {
  return data === "" ? {} : JSON.parse(data);
}

/** The keys of the choices that a field offers; null where it takes other values. */
export function choicesOf({ type, field_data }: ProfileFieldRecord): ReadonlySet<string> | null {
  return type === FIELD_TYPE.choice ? new Set(Object.keys(parseFieldData(field_data))) : null;
}

function validateChoices(data: FieldData): FieldData {
  const entries = Object.entries(data);
  if (entries.length === 0) throw bad("Field must have at least one choice.");
  if (entries.length > MAX_CHOICES) throw bad(`Field can have ${MAX_CHOICES} choices at most.`);
  const texts = new Set<string>();
  for (const [key, choice] of entries) {
    if (key.trim() === "") throw bad("'value' cannot be blank.");
    if (typeof choice === "string") throw bad("field_data is not a dict");
    texts.add(requireText(choice, "text"));
    requireText(choice, "order");
    requireOnly(choice, ["text", "order"]);
  }
  if (texts.size < entries.length) throw bad("Field must not have duplicate choices.");
  return data;
}

function validateAccount(data: FieldData): FieldData {
  const subtype = requireText(data, "subtype");
  const pattern = data["url_pattern"];
  if (pattern !== undefined) requirePattern(pattern);
  requireOnly(data, ["subtype", "url_pattern"]);
  if (findExternalAccount(subtype) !== null) return { subtype };
  if (subtype !== "custom") throw bad("Invalid external account type");
  if (pattern === undefined) throw bad("Custom external account must define URL pattern");
  return { subtype, url_pattern: pattern };
}

function requirePattern(pattern: FieldData[string]): void {
  if (typeof pattern !== "string") throw bad('field_data["url_pattern"] is not a string');
  if (codePointLength(pattern) > MAX_PATTERN) {
    throw bad(`field_data["url_pattern"] is too long (limit: ${MAX_PATTERN} characters)`);
  }
  if (pattern.split(USERNAME).length !== 2) throw bad(`URL pattern must contain '${USERNAME}'.`);
  if (!isUrl(pattern.replace(USERNAME, "username"))) throw bad('field_data["url_pattern"] is not a URL');
}

function requireText(data: FieldData, key: string): string {
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  if (text === undefined) throw bad(`${key} key is missing from field_data`);
  if (typeof text !== "string") throw bad(`field_data["${key}"] is not a string`);
  if (text.trim() === "") throw bad(`field_data["${key}"] cannot be blank.`);
  return text;
}

function requireOnly(data: FieldData, keys: readonly string[]): void {
  const extra = Object.keys(data).filter((key) => !keys.includes(key));
  if (extra.length > 0) throw bad(`Unexpected arguments: ${extra.join(", ")}`);
}

function bad(message: string) {
  return refusal("field_data", message);
}
