import { mapValues } from "es-toolkit/object/mapValues";
import type { ChoiceRow, StoredChoice } from "@/components/admin/profile_fields/choice_rows.ts";
import {
  checkFieldChange,
  checkNewField,
  type FieldChanges,
  type ProfileFieldInput,
} from "@/lib/chat/people/profile_fields/model/check_value.ts";
import {
  EXTERNAL_ACCOUNTS,
  type FieldData,
  findExternalAccount,
  findKnownSubtype,
  parseFieldData,
  USERNAME,
} from "@/lib/chat/people/profile_fields/model/field_data.ts";
import {
  FIELD_TYPE,
  MAX_FIELD_HINT,
  MAX_FIELD_NAME,
  type ProfileFieldRecord,
} from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { countValues } from "@/lib/chat/people/profile_fields/change_fields.ts";
import { readFields } from "@/lib/chat/people/profile_fields/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { findTooLong } from "@/lib/admin/find_too_long.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";

/** Name and explanation of each field type. */
export const TYPES = {
  1: { name: "Short text", about: "One line of up to 50 characters, such as a phone number." },
  2: { name: "Paragraph", about: "Several lines of up to 500 characters, such as a biography." },
  3: { name: "List of choices", about: "One of the choices that you define, such as an office." },
  4: { name: "Date", about: "A day, such as a birthday." },
  5: { name: "Link", about: "A URL, such as a personal website." },
  6: { name: "Users", about: "One or more users of the organization, such as a mentor." },
  7: { name: "External account", about: "A user name on another site, shown as a link." },
  8: { name: "Pronouns", about: "How to refer to the user, such as she/her." },
};
/** Label and hint of pronouns, unless others are entered. */
export const PRONOUNS = { name: "Pronouns", hint: "What pronouns should people use to refer to you?" };

/** Account type with a URL pattern that administrators write. */
export const CUSTOM_ACCOUNT = "custom";

/** Returns the choices in a field's data, in their order. */
export function listChoices(data: FieldData): readonly ChoiceRow[] {
  return Object.entries(data).map(([key, choice]) => {
    const { text = "", order = "" } = typeof choice === "string" ? {} : choice;
    return { key, text, order: Number(order) };
  }).sort((one, other) => one.order - other.order).map(({ key, text }) => ({ key, text }));
}

/** Returns the choices of a field in order, with the number of users of each by its key; none for other types. */
export function storedChoices(
  { type, field_data }: ProfileFieldRecord,
  counts?: ReadonlyMap<string, number>,
): readonly StoredChoice[] {
  const choices = type === FIELD_TYPE.choice ? listChoices(parseFieldData(field_data)) : [];
  return choices.map((choice) => ({ ...choice, people: counts?.get(choice.key) ?? 0 }));
}

/** Returns the rows of the choice editor in a submitted form. */
export function readRows(fields: FormFields): readonly ChoiceRow[] {
  const keys = fields.all("choice_key");
  return fields.all("choice_text").map((text, at) => ({ key: keys[at] ?? "", text }));
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

/** Reads a submitted form; drops what does not belong to the field's type. */
export function readInput(
  { t }: Pick<AdminRequest, "t">,
  fields: FormFields,
  { isNew, field, choices }: FieldPageData,
  rows = readRows(fields),
): ProfileFieldInput {
  const field_type = isNew ? fields.int("field_type") ?? 0 : field.type;
  const subtype = isNew ? fields.text("account") : accountOf(toInput(field)).subtype;
  const dataOf: Readonly<Record<number, FieldData>> = {
    [FIELD_TYPE.choice]: toChoiceData(choices, rows),
    [FIELD_TYPE.externalAccount]: subtype === CUSTOM_ACCOUNT
      ? { subtype, url_pattern: fields.text("url_pattern").trim() }
      : { subtype },
  };
  const name = fields.exact("name").trim();
  const hint = fields.text("hint").trim();
  const isBare = isNew && field_type === FIELD_TYPE.pronouns && name === "";
  const isOffered = field.display_in_profile_summary || fitsOnCard(field_type);
  return {
    name: isBare ? t(PRONOUNS.name) : name,
    hint: isBare && hint === "" ? t(PRONOUNS.hint) : hint,
    field_type,
    field_data: dataOf[field_type] ?? {},
    display_in_profile_summary: fields.flag("on_card") && isOffered,
    required: fields.flag("required"),
    editable_by_user: fields.flag("editable"),
    use_for_user_matching: fields.flag("matching") && canMatch(field_type),
  };
}

/** Returns a stored field as its form would send it unchanged. */
export function toInput({ type, field_data, ...field }: ProfileFieldRecord): ProfileFieldInput {
  return { ...field, field_type: type, field_data: parseFieldData(field_data) };
}

/**
 * Whether pages offer to show a field of this type on the card, where neither a paragraph nor a list of users
 * fits.
 */
export function fitsOnCard(type: number): boolean {
  return type !== FIELD_TYPE.longText && type !== FIELD_TYPE.people;
}

/** Whether users can be found by values of this type. */
export function canMatch(type: number): boolean {
  return type === FIELD_TYPE.shortText || type === FIELD_TYPE.externalAccount;
}

/** Returns the account type of a field, its URL pattern and the built-in type; empty and null for others. */
export function accountOf({ field_type, field_data: { subtype, url_pattern } }: ProfileFieldInput) {
  const isAccount = field_type === FIELD_TYPE.externalAccount && typeof subtype === "string";
  return {
    subtype: isAccount ? subtype : "",
    pattern: isAccount && typeof url_pattern === "string" ? url_pattern : "",
    known: isAccount ? findExternalAccount(subtype) : null,
  };
}

/** Lists the built-in account types, and whether a field of each exists. */
export function listAccounts(others: readonly ProfileFieldRecord[]) {
  const taken = others.map(({ type, field_data }) => findKnownSubtype(type, field_data));
  return Object.entries(EXTERNAL_ACCOUNTS).map(([subtype, account]) => ({
    ...account,
    subtype,
    isTaken: taken.includes(subtype),
  }));
}

/** Returns the first built-in account type without a field, else the custom one. */
export function findFreeAccount(others: readonly ProfileFieldRecord[]): string {
  return listAccounts(others).find(({ isTaken }) => !isTaken)?.subtype ?? CUSTOM_ACCOUNT;
}

/** Data of the page of a field. */
export type FieldPageData = NonNullable<Awaited<ReturnType<typeof loadField>>>;

/** Loads the field in the page's path without numbers of users, or a new one; null for a field that does not exist. */
export async function loadField(request: AdminRequest) {
  const { chat, realm, ctx } = request;
  const fields = await readFields(chat, realm.id);
  const isNew = ctx.params["id"] === undefined;
  const field = isNew ? toNewField(request, fields) : fields.find(({ id }) => id === pathId(request));
  if (field === undefined) return null;
  const others = fields.filter((other) => other !== field);
  /** Users who filled in the field. */
  const people = 0;
  return { isNew, field, others, choices: storedChoices(field), people, now: chat.clock.now() };
}

/** Loads the same with the numbers of users who filled in the field. */
export async function loadCountedField(request: AdminRequest): Promise<FieldPageData | null> {
  const data = await loadField(request);
  if (data === null || data.isNew) return data;
  const counts = (await countValues(request.chat, request.realm.id)).get(data.field.id);
  return {
    ...data,
    people: counts?.people ?? 0,
    choices: storedChoices(data.field, counts?.byChoice),
  };
}

/** Returns the initial values of a new field of the type in the page's address. */
function toNewField({ query, t }: AdminRequest, others: readonly ProfileFieldRecord[]): ProfileFieldRecord {
  const types = Object.values(FIELD_TYPE);
  const type = types.find((known) => String(known) === query.get("type")) ?? FIELD_TYPE.shortText;
  const isPronouns = type === FIELD_TYPE.pronouns;
  const account = { subtype: findFreeAccount(others) };
  return {
    id: 0,
    type,
    order: Infinity,
    name: isPronouns ? t(PRONOUNS.name) : "",
    hint: isPronouns ? t(PRONOUNS.hint) : "",
    field_data: type === FIELD_TYPE.externalAccount ? JSON.stringify(account) : "",
    required: false,
    editable_by_user: true,
    display_in_profile_summary: false,
    use_for_user_matching: false,
  };
}

/** Returns the changes of a form; only the switches of a built-in account can be changed. */
export function toChanges(
  field: ProfileFieldRecord,
  { field_type: _type, name, hint, field_data, ...switches }: ProfileFieldInput,
): FieldChanges {
  const isKnown = findKnownSubtype(field.type, field.field_data) !== null;
  return isKnown ? switches : { ...switches, name, hint, field_data };
}

/** A label that no field has. */
const NO_LABEL = "\u241f";
/** Valid data of each field type. */
const VALID_DATA: Readonly<Record<number, FieldData>> = {
  [FIELD_TYPE.choice]: { 0: { text: "…", order: "1" } },
  [FIELD_TYPE.externalAccount]: { subtype: CUSTOM_ACCOUNT, url_pattern: `https://example.com/${USERNAME}` },
};

/**
 * Finds all problems of a form as sentences by field name. The domain's validation throws the first problem only: it
 * checks each input beside valid ones.
 */
export function findFieldProblems(
  request: AdminRequest,
  sent: ProfileFieldInput,
  { isNew, field, others }: FieldPageData,
): Readonly<Record<string, string>> {
  const { t } = request;
  const { subtype, pattern, known } = accountOf(sent);
  const accountField = subtype === CUSTOM_ACCOUNT ? "url_pattern" : "account";
  const names: Readonly<Record<string, string>> = {
    // The form hides the label of a known account.
    ...(known === null ? {} : { name: "account" }),
    field_data: sent.field_type === FIELD_TYPE.choice ? "choices" : accountField,
    display_in_profile_summary: "on_card",
  };
  const { name, hint, field_data, display_in_profile_summary } = sent;
  const own = known === null
    ? { name: NO_LABEL, hint: "", field_data: VALID_DATA[sent.field_type] ?? {} }
    : {};
  const problems: Record<string, string> = {};
  for (const input of [{ name }, { hint }, { field_data }, { display_in_profile_summary }]) {
    const checked = { ...sent, ...own, display_in_profile_summary: false, ...input };
    try {
      if (isNew) checkNewField(others, checked);
      else checkFieldChange([...others, field], field, toChanges(field, checked));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const name = error.field ?? "form";
      problems[names[name] ?? name] ??= error.message;
    }
  }
  const choices = listChoices(field_data).map((choice) => choice.text);
  const twice = choices.find((choice, at) => choices.indexOf(choice) !== at);
  // Sentences with more detail than those of the domain.
  const detailed: Readonly<Record<string, string>> = {
    ...findTooLong(request, { name: [name, MAX_FIELD_NAME], hint: [hint, MAX_FIELD_HINT] }),
    ...(twice === undefined ? {} : { choices: t("“{name}” is in the list twice.", { name: twice }) }),
    url_pattern: pattern.split(USERNAME).length === 2
      ? t("Enter a URL that begins with https:// and has no spaces.")
      : t("Include {token} exactly once.", { token: USERNAME }),
  };
  return mapValues(problems, (problem, field) => detailed[field] ?? problem);
}
