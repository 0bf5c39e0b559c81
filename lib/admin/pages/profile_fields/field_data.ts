import { type CardEntry, toCardEntry } from "@/components/admin/profile_fields/card_entry.ts";
import {
  type ChoiceRow,
  type StoredChoice,
  toChoiceRows,
} from "@/components/admin/profile_fields/choice_rows.ts";
import type { ProfileFieldInput } from "@/lib/chat/people/profile_fields/model/check_value.ts";
import {
  EXTERNAL_ACCOUNTS,
  type FieldData,
  findExternalAccount,
  findKnownSubtype,
  parseFieldData,
} from "@/lib/chat/people/profile_fields/model/field_data.ts";
import {
  FIELD_TYPE,
  MAX_CHOICES,
  MAX_FIELD_HINT,
  MAX_FIELD_NAME,
  MAX_IN_SUMMARY,
  type ProfileFieldRecord,
} from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { revisionOf } from "@/lib/admin/revision.ts";

/** Placeholder of the account name in a URL pattern. */
export const ACCOUNT_NAME = "%(username)s";

/**
 * Returns the choices of a field in order, with the number of users of each by its key; none for other types.
 */
export function storedChoices(
  { type, field_data }: ProfileFieldRecord,
  counts: ReadonlyMap<string, number>,
): readonly StoredChoice[] {
  if (type !== FIELD_TYPE.choice) return [];
  return Object.entries(parseFieldData(field_data)).map(([key, choice]) => {
    const { text = "", order = "" } = typeof choice === "string" ? {} : choice;
    return { key, text, order: Number(order), people: counts.get(key) ?? 0 };
  }).sort((one, other) => one.order - other.order).map(({ key, text, people }) => ({ key, text, people }));
}

/**
 * Converts the choices of a form to stored ones: rows with the key of a stored choice remain that choice,
 * others get a new key, empty rows are dropped.
 */
function toChoiceData(stored: readonly StoredChoice[], rows: readonly ChoiceRow[]): FieldData {
  const free = new Set(stored.map(({ key }) => key));
  let next = Math.max(-1, ...stored.map(({ key }) => Number(key)).filter(Number.isSafeInteger)) + 1;
  const filled = rows.filter(({ text }) => text.trim() !== "");
  return Object.fromEntries(filled.map(({ key, text }, at) => {
    const isStored = free.delete(key);
    return [isStored ? key : String(next++), { text: text.trim(), order: String(at + 1) }];
  }));
}

/** Returns the text of several rows, or null. */
export function findTwice(rows: readonly ChoiceRow[]): string | null {
  const texts = rows.map(({ text }) => text.trim()).filter((text) => text !== "");
  return texts.find((text, at) => texts.indexOf(text) !== at) ?? null;
}

/** Account type with a URL pattern that administrators write. */
export const CUSTOM_ACCOUNT = "custom";

/** The field that a form describes. */
export interface FieldForm {
  readonly sent: ProfileFieldInput;
  readonly rows: readonly ChoiceRow[];
  readonly pattern: string;
}

/** Subject of a form: an existing field or a new one. */
interface FormSubject {
  readonly before: ProfileFieldRecord | null;
  readonly choices: readonly StoredChoice[];
}

/** Reads a submitted form; drops what does not belong to the field's type. */
export function readFieldForm(
  { messages }: AdminRequest,
  fields: FormFields,
  { before, choices }: FormSubject,
): FieldForm {
  const field_type = before?.type ?? fields.int("field_type") ?? 0;
  const rows = toChoiceRows(fields.all("choice_key"), fields.all("choice_text"));
  const pattern = fields.text("url_pattern").trim();
  const subtype = before === null ? fields.text("account") : accountOf(before).subtype;
  const dataOf: Readonly<Record<number, FieldData>> = {
    [FIELD_TYPE.choice]: toChoiceData(choices, rows),
    [FIELD_TYPE.externalAccount]: subtype === CUSTOM_ACCOUNT
      ? { subtype, url_pattern: pattern }
      : { subtype },
  };
  const name = fields.exact("name").trim();
  const hint = fields.text("hint").trim();
  const isBare = before === null && field_type === FIELD_TYPE.pronouns && name === "";
  const { pronounsName, pronounsHint } = messages.profileFields;
  const isShown = before?.display_in_profile_summary ?? false;
  const sent = {
    name: isBare ? pronounsName : name,
    hint: isBare && hint === "" ? pronounsHint : hint,
    field_type,
    field_data: dataOf[field_type] ?? {},
    display_in_profile_summary: fields.flag("on_card") && (isShown || fitsOnCard(field_type)),
    required: fields.flag("required"),
    editable_by_user: fields.flag("editable"),
    use_for_user_matching: fields.flag("matching") && canMatch(field_type),
  };
  return { sent, rows, pattern };
}

/**
 * Whether pages offer to show a field of this type on the card, where neither a paragraph nor a list of users
 * fits.
 */
export function fitsOnCard(type: number): boolean {
  return type !== FIELD_TYPE.longText && type !== FIELD_TYPE.people;
}

/** Whether users can be found by values of this type. */
function canMatch(type: number): boolean {
  return type === FIELD_TYPE.shortText || type === FIELD_TYPE.externalAccount;
}

/** Returns the account type of a field and its URL pattern; both empty for other types. */
function accountOf(field: ProfileFieldRecord): { subtype: string; pattern: string } {
  if (field.type !== FIELD_TYPE.externalAccount) return { subtype: "", pattern: "" };
  const { subtype, url_pattern } = parseFieldData(field.field_data);
  return {
    subtype: typeof subtype === "string" ? subtype : "",
    pattern: typeof url_pattern === "string" ? url_pattern : "",
  };
}

/** Previews the field that a form describes on the administrator's own card. */
export function previewOf(request: AdminRequest, { sent, rows, pattern }: FieldForm): CardEntry {
  const { subtype } = sent.field_data;
  const known = typeof subtype === "string" ? findExternalAccount(subtype) : null;
  return toCardEntry({
    type: sent.field_type,
    label: known?.name ?? sent.name,
    hint: known?.hint ?? sent.hint,
    pattern: known?.url_pattern ?? pattern,
    firstChoice: rows.find(({ text }) => text.trim() !== "")?.text ?? "",
    isOnCard: sent.display_in_profile_summary,
  }, { ...request, name: request.user.full_name, now: request.chat.clock.now() });
}

/** Returns an existing field as a form would submit it unchanged. */
export function formOf(field: ProfileFieldRecord, choices: readonly StoredChoice[]): FieldForm {
  const { type, field_data, ...rest } = field;
  return {
    sent: { ...rest, field_type: type, field_data: parseFieldData(field_data) },
    rows: choices,
    pattern: accountOf(field).pattern,
  };
}

/** A built-in account type. */
interface KnownAccount {
  readonly subtype: string;
  readonly text: string;
  /** Label of its field. */
  readonly name: string;
  readonly hint: string;
  readonly pattern: string;
  /** Whether a field of this type exists. */
  readonly isTaken: boolean;
}

/** Data of a field's form. */
export interface FieldFormData {
  /** Null for a new field. */
  readonly id: number | null;
  readonly type: number;
  readonly name: string;
  readonly hint: string;
  /** Account type; empty for other field types. */
  readonly account: string;
  readonly pattern: string;
  readonly isOnCard: boolean;
  readonly isRequired: boolean;
  readonly isEditable: boolean;
  readonly isMatching: boolean;
  readonly offersCard: boolean;
  readonly offersMatching: boolean;
  readonly choices: readonly StoredChoice[];
  readonly accounts: readonly KnownAccount[];
  /** The other fields on the card. */
  readonly othersOnCard: readonly CardEntry[];
  /** Number of them before this field. */
  readonly cardPosition: number;
  readonly isCardFull: boolean;
  readonly line: CardEntry;
  readonly seen: string;
  /** Sample account name in the URL pattern. */
  readonly accountName: string;
  readonly limits: { readonly name: number; readonly hint: number; readonly choices: number };
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Returns the form data of an existing field. */
export function toFormData(
  request: AdminRequest,
  { field, fields, choices }: {
    field: ProfileFieldRecord;
    fields: readonly ProfileFieldRecord[];
    choices: readonly StoredChoice[];
  },
): FieldFormData {
  const { type, name, hint, display_in_profile_summary: isOnCard } = field;
  const { subtype, pattern } = accountOf(field);
  return {
    ...around(request, fields.filter(({ id }) => id !== field.id)),
    cardPosition:
      fields.slice(0, fields.indexOf(field)).filter((one) => one.display_in_profile_summary).length,
    id: field.id,
    type,
    name,
    hint,
    account: subtype,
    pattern,
    isOnCard,
    isRequired: field.required,
    isEditable: field.editable_by_user,
    isMatching: field.use_for_user_matching,
    offersCard: isOnCard || fitsOnCard(type),
    offersMatching: canMatch(type),
    choices,
    line: previewOf(request, formOf(field, choices)),
    seen: revisionOf({ ...field, order: 0 }),
  };
}

/** Initial values of a field. */
const BLANK = {
  id: 0,
  order: 0,
  required: false,
  editable_by_user: true,
  display_in_profile_summary: false,
  use_for_user_matching: false,
};

/** Returns the form data of a new field of the type that the URL names. */
export function toNewFormData(
  request: AdminRequest,
  others: readonly ProfileFieldRecord[],
): FieldFormData {
  const { messages, query } = request;
  const type = Object.values(FIELD_TYPE).find((known) => String(known) === query.get("type")) ??
    FIELD_TYPE.shortText;
  const isPronouns = type === FIELD_TYPE.pronouns;
  const name = isPronouns ? messages.profileFields.pronounsName : "";
  const hint = isPronouns ? messages.profileFields.pronounsHint : "";
  const data = around(request, others);
  const account = data.accounts.find(({ isTaken }) => !isTaken)?.subtype ?? CUSTOM_ACCOUNT;
  const field_data = type === FIELD_TYPE.externalAccount ? JSON.stringify({ subtype: account }) : "";
  return {
    ...data,
    cardPosition: data.othersOnCard.length,
    id: null,
    type,
    name,
    hint,
    account,
    pattern: "",
    isOnCard: false,
    isRequired: false,
    isEditable: true,
    isMatching: false,
    offersCard: true,
    offersMatching: true,
    choices: [],
    line: previewOf(request, formOf({ ...BLANK, name, hint, type, field_data }, [])),
    seen: "",
  };
}

/** Returns the data of a form besides its own field. */
function around(request: AdminRequest, others: readonly ProfileFieldRecord[]) {
  const onCard = others.filter((other) => other.display_in_profile_summary);
  const taken = others.map(({ type, field_data }) => findKnownSubtype(type, field_data));
  return {
    accounts: Object.entries(EXTERNAL_ACCOUNTS).map(([subtype, { text, name, hint, url_pattern }]) => ({
      subtype,
      text,
      name,
      hint,
      pattern: url_pattern,
      isTaken: taken.includes(subtype),
    })),
    othersOnCard: onCard.map((other) => previewOf(request, formOf(other, storedChoices(other, new Map())))),
    isCardFull: onCard.length >= MAX_IN_SUMMARY,
    accountName: ACCOUNT_NAME,
    limits: { name: MAX_FIELD_NAME, hint: MAX_FIELD_HINT, choices: MAX_CHOICES },
    now: request.chat.clock.now(),
  };
}
