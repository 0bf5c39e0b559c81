import { codePointLength } from "@/lib/core/text.ts";
import { FIELD_TYPE, inputError, MAX_CHOICES, type ProfileFieldRecord } from "./profile_field.ts";

/** Data of a field as a request contains it: choices by key, or an external account. */
export type FieldData = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

interface ExternalAccount {
  readonly text: string;
  /** URL of an account, with `%(username)s` for the user name. */
  readonly url_pattern: string;
  /** Label of the field. */
  readonly name: string;
  readonly hint: string;
}

/** The built-in external accounts by subtype. */
export const EXTERNAL_ACCOUNTS: Readonly<Record<string, ExternalAccount>> = {
  twitter: {
    text: "Twitter",
    url_pattern: "https://twitter.com/%(username)s",
    name: "Twitter username",
    hint: "",
  },
  github: {
    text: "GitHub",
    url_pattern: "https://github.com/%(username)s",
    name: "GitHub username",
    hint: "",
  },
};

/** Placeholder for the user name in the URL of an external account. */
export const USERNAME = "%(username)s";
/** Maximum length of a URL pattern in code points. */
const MAX_PATTERN = 1024;

/** Returns the built-in external account of a subtype, or null. */
export function findExternalAccount(subtype: string): ExternalAccount | null {
  return Object.hasOwn(EXTERNAL_ACCOUNTS, subtype) ? EXTERNAL_ACCOUNTS[subtype] ?? null : null;
}

/**
 * Validates the data of a field and returns it as JSON for storage: choices, an external account, or the
 * empty text.
 * @throws AppError BAD_REQUEST for the first problem.
 */
export function validateFieldData(type: number, data: FieldData): string {
  if (type === FIELD_TYPE.choice) return JSON.stringify(validateChoices(data));
  if (type === FIELD_TYPE.externalAccount) return JSON.stringify(validateAccount(data));
  return "";
}

/** Returns the subtype of a built-in external account, or null for all other stored data. */
export function findKnownSubtype(type: number, data: string): string | null {
  if (type !== FIELD_TYPE.externalAccount || data === "") return null;
  const { subtype } = parseFieldData(data);
  return typeof subtype === "string" && findExternalAccount(subtype) !== null ? subtype : null;
}

/** Parses stored data; the empty text becomes an empty object. */
export function parseFieldData(data: string): FieldData {
  return data === "" ? {} : JSON.parse(data);
}

export function listChoiceKeys({ type, field_data }: ProfileFieldRecord): ReadonlySet<string> | null {
  return type === FIELD_TYPE.choice ? new Set(Object.keys(parseFieldData(field_data))) : null;
}

function validateChoices(data: FieldData): FieldData {
  const entries = Object.entries(data);
  if (entries.length === 0) throw fieldDataError("Field must have at least one choice.");
  if (entries.length > MAX_CHOICES) throw fieldDataError(`Field can have ${MAX_CHOICES} choices at most.`);
  const texts = new Set<string>();
  for (const [key, choice] of entries) {
    if (key.trim() === "") throw fieldDataError("'value' cannot be blank.");
    if (typeof choice === "string") throw fieldDataError("field_data is not a dict");
    texts.add(requireText(choice, "text"));
    requireText(choice, "order");
    requireOnly(choice, ["text", "order"]);
  }
  if (texts.size < entries.length) throw fieldDataError("Field must not have duplicate choices.");
  return data;
}

function validateAccount(data: FieldData): FieldData {
  const subtype = requireText(data, "subtype");
  const pattern = data["url_pattern"];
  if (pattern !== undefined) requirePattern(pattern);
  requireOnly(data, ["subtype", "url_pattern"]);
  if (findExternalAccount(subtype) !== null) return { subtype };
  if (subtype !== "custom") throw fieldDataError("Invalid external account type");
  if (pattern === undefined) throw fieldDataError("Custom external account must define URL pattern");
  return { subtype, url_pattern: pattern };
}

function requirePattern(pattern: FieldData[string]): void {
  if (typeof pattern !== "string") throw fieldDataError('field_data["url_pattern"] is not a string');
  if (codePointLength(pattern) > MAX_PATTERN) {
    throw fieldDataError(`field_data["url_pattern"] is too long (limit: ${MAX_PATTERN} characters)`);
  }
  if (pattern.split(USERNAME).length !== 2) throw fieldDataError(`URL pattern must contain '${USERNAME}'.`);
  if (!isUrl(pattern.replace(USERNAME, "username"))) {
    throw fieldDataError('field_data["url_pattern"] is not a URL');
  }
}

function requireText(data: FieldData, key: string): string {
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  if (text === undefined) throw fieldDataError(`${key} key is missing from field_data`);
  if (typeof text !== "string") throw fieldDataError(`field_data["${key}"] is not a string`);
  if (text.trim() === "") throw fieldDataError(`field_data["${key}"] cannot be blank.`);
  return text;
}

function requireOnly(data: FieldData, keys: readonly string[]): void {
  const extra = Object.keys(data).filter((key) => !keys.includes(key));
  if (extra.length > 0) throw fieldDataError(`Unexpected arguments: ${extra.join(", ")}`);
}

function fieldDataError(message: string) {
  return inputError("field_data", message);
}

/**
 * Returns whether a text is the URL of a web page: http or https, with localhost, an IP address or a dotted
 * host name. Text with line breaks or backslashes is refused, because browsers ignore the first and read the
 * second as slashes.
 */
export function isUrl(text: string): boolean {
  if (!/^https?:\/\/[^/?#]/i.test(text) || /[\p{C}\p{Z}\\<>"^`{|}]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && /^(?:localhost|\[.+\]|[^.]+(?:\.[^.]+)+)$/.test(url.hostname);
}

/** A value as a request contains it; null clears it. */
export interface ProfileValueInput {
  readonly id: number;
  readonly value: string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>;
}

export interface ProfileValue {
  /** A JSON list of user ids for fields that hold users. */
  readonly value: string;
  /** HTML rendered when the value was set; only for text fields. */
  readonly rendered_value?: string;
}

export type ProfileData = Readonly<Record<string, ProfileValue>>;

/** Returns whether a value is current; its field or choice may have been deleted. */
type ValueFilter = (fieldId: string, value: string) => boolean;

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
