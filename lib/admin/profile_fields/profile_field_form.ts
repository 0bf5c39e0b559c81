import {
  type ChoiceRow,
  type StoredChoice,
  toChoiceRows,
} from "@/components/admin/profile_fields/choice_rows.ts";
import { type CardEntry, toCardEntry } from "@/components/admin/profile_fields/card_entry.ts";
import {
  type FieldData,
  findExternalAccount,
  parseFieldData,
} from "@/lib/chat/profile_fields/model/field_data.ts";
import { FIELD_TYPE, type ProfileFieldRecord } from "@/lib/chat/profile_fields/model/profile_field.ts";
import type { ProfileFieldInput } from "@/lib/chat/profile_fields/model/check_value.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { toChoiceData } from "./profile_field_choices.ts";

/** Account type with a URL pattern that administrators write. */
export const CUSTOM_ACCOUNT = "custom";

/** The field that a form describes. */
export interface FieldForm {
  readonly sent: ProfileFieldInput;
  readonly rows: readonly ChoiceRow[];
  readonly pattern: string;
}

/** Subject of a form: an existing field or a new one. */
export interface FormSubject {
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
export function canMatch(type: number): boolean {
  return type === FIELD_TYPE.shortText || type === FIELD_TYPE.externalAccount;
}

/** Returns the account type of a field and its URL pattern; both empty for other types. */
export function accountOf(field: ProfileFieldRecord): { subtype: string; pattern: string } {
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
