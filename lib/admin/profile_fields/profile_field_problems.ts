import { AppError } from "@/lib/core/errors.ts";
import { type FieldData, findExternalAccount } from "@/lib/chat/profile_fields/model/field_data.ts";
import { FIELD_TYPE, MAX_FIELD_HINT, MAX_FIELD_NAME } from "@/lib/chat/profile_fields/model/profile_field.ts";
import type { ProfileFieldInput } from "@/lib/chat/profile_fields/model/check_value.ts";
import type { AdminRequest } from "../admin_request.ts";
import { findTwice } from "./profile_field_choices.ts";
import { CUSTOM_ACCOUNT, type FieldForm } from "./profile_field_form.ts";
import { findTooLong } from "../find_too_long.ts";

/** Placeholder of the account name in a URL pattern. */
export const ACCOUNT_NAME = "%(username)s";

/** Valid data for each field type. */
const SOUND_DATA: Readonly<Record<number, FieldData>> = {
  [FIELD_TYPE.choice]: { 0: { text: "…", order: "1" } },
  [FIELD_TYPE.externalAccount]: {
    subtype: CUSTOM_ACCOUNT,
    url_pattern: `https://example.com/${ACCOUNT_NAME}`,
  },
};
/** A label that no field has, which lets the validation continue with the other inputs. */
const NO_LABEL = "\u241f";

/**
 * Finds all problems of a form as sentences by field name; `check` is the domain's validation, which throws
 * the first problem only.
 */
export function findFieldProblems(
  request: AdminRequest,
  form: FieldForm,
  check: (sent: ProfileFieldInput) => unknown,
): Record<string, string> {
  const { subtype } = form.sent.field_data;
  const isKnown = typeof subtype === "string" && findExternalAccount(subtype) !== null;
  const dataField = form.sent.field_type === FIELD_TYPE.choice
    ? "choices"
    : subtype === CUSTOM_ACCOUNT
    ? "url_pattern"
    : "account";
  const names: Readonly<Record<string, string>> = {
    // The form hides the label of a known account.
    name: isKnown ? "account" : "name",
    hint: "hint",
    field_data: dataField,
    display_in_profile_summary: "on_card",
    use_for_user_matching: "matching",
    field_type: "field_type",
  };
  const problems: Record<string, string> = {};
  for (const [input, message] of Object.entries(refusalsOf(check, form.sent))) {
    problems[names[input] ?? "form"] = message;
  }
  return { ...problems, ...ownSentences(request, form, problems) };
}

/**
 * Collects the domain's refusals by input: each refused input is replaced by a valid one before the next
 * check.
 */
function refusalsOf(
  check: (sent: ProfileFieldInput) => unknown,
  sent: ProfileFieldInput,
): Record<string, string> {
  const refused: Record<string, string> = {};
  let tried = sent;
  for (;;) {
    try {
      check(tried);
      return refused;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const input = error.field ?? "form";
      if (Object.hasOwn(refused, input)) return refused;
      refused[input] = error.message;
      tried = mended(tried, input);
    }
  }
}

function mended(sent: ProfileFieldInput, input: string): ProfileFieldInput {
  switch (input) {
    case "name":
      return { ...sent, name: NO_LABEL };
    case "hint":
      return { ...sent, hint: "" };
    case "field_data":
      return { ...sent, field_data: SOUND_DATA[sent.field_type] ?? {} };
    case "field_type":
      return { ...sent, field_type: FIELD_TYPE.shortText };
    default:
      return { ...sent, display_in_profile_summary: false, use_for_user_matching: false };
  }
}

/** Problems that pages explain in more detail than the domain. */
function ownSentences(
  request: AdminRequest,
  { sent, rows, pattern }: FieldForm,
  problems: Readonly<Record<string, string>>,
): Record<string, string> {
  const { messages: { profileFields: text }, formatter } = request;
  const own = findTooLong(request, {
    name: [sent.name, MAX_FIELD_NAME],
    hint: [sent.hint, MAX_FIELD_HINT],
  });
  const twice = findTwice(rows);
  if (problems["choices"] !== undefined && twice !== null) {
    own["choices"] = formatter.t(text.twice, { name: twice });
  }
  if (problems["url_pattern"] !== undefined) {
    own["url_pattern"] = pattern.split(ACCOUNT_NAME).length === 2
      ? text.patternNoAddress
      : formatter.t(text.patternMissing, { token: ACCOUNT_NAME });
  }
  // Problems of inputs that are hidden for the field's type are dropped.
  return Object.fromEntries(Object.entries(own).filter(([name]) => problems[name] !== undefined));
}
