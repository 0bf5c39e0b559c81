import { AppError } from "@/lib/core/errors.ts";
import { findExternalAccount } from "@/lib/chat/profile_fields/external_accounts.ts";
import { FIELD_TYPE, MAX_FIELD_HINT, MAX_FIELD_NAME } from "@/lib/chat/profile_fields/profile_field.ts";
import type { FieldData } from "@/lib/chat/profile_fields/params.ts";
import type { SentField } from "@/lib/chat/profile_fields/rules.ts";
import type { AdminRequest } from "./admin_request.ts";
import { findTwice } from "./profile_field_choices.ts";
import { CUSTOM_ACCOUNT, type FieldForm } from "./profile_field_form.ts";
import { findTooLong } from "./too_long.ts";

/** What stands for the name of an account in the address of it. */
export const ACCOUNT_NAME = "%(username)s";

/** Data that no check refuses, by the type of the field. */
const SOUND_DATA: Readonly<Record<number, FieldData>> = {
  [FIELD_TYPE.choice]: { 0: { text: "…", order: "1" } },
  [FIELD_TYPE.externalAccount]: {
    subtype: CUSTOM_ACCOUNT,
    url_pattern: `https://example.com/${ACCOUNT_NAME}`,
  },
};
/** A label that no field has: the check of one goes on with the other inputs. */
const NO_LABEL = "\u241f";

/**
 * Everything that is wrong with a form, as sentences by the name of the form's field; `check` is the domain's own,
 * which throws for the first problem alone.
 */
export function findFieldProblems(
  request: AdminRequest,
  form: FieldForm,
  check: (sent: SentField) => unknown,
): Record<string, string> {
  const { subtype } = form.sent.field_data;
  const isKnown = typeof subtype === "string" && findExternalAccount(subtype) !== null;
  const dataField = form.sent.field_type === FIELD_TYPE.choice
    ? "choices"
    : subtype === CUSTOM_ACCOUNT
    ? "url_pattern"
    : "account";
  const names: Readonly<Record<string, string>> = {
    // The label of a known account is not to be seen in the form.
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

/** The domain's sentences by its inputs: each input that was refused is mended before the next check. */
function refusalsOf(check: (sent: SentField) => unknown, sent: SentField): Record<string, string> {
  const refused: Record<string, string> = {};
  let tried = sent;
  for (;;) {
    try {
      check(tried);
      return refused;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const input = String(error.details.errors?.[0]?.path[0] ?? "form");
      if (Object.hasOwn(refused, input)) return refused;
      refused[input] = error.message;
      tried = mended(tried, input);
    }
  }
}

function mended(sent: SentField, input: string): SentField {
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

/** Problems that the pages say more of than the domain does. */
function ownSentences(
  request: AdminRequest,
  { sent, rows, pattern }: FieldForm,
  problems: Readonly<Record<string, string>>,
): Record<string, string> {
  const { words: { profileFields: text }, speech } = request;
  const own = findTooLong(request, {
    name: [sent.name, MAX_FIELD_NAME],
    hint: [sent.hint, MAX_FIELD_HINT],
  });
  const twice = findTwice(rows);
  if (problems["choices"] !== undefined && twice !== null) {
    own["choices"] = speech.say(text.twice, { name: twice });
  }
  if (problems["url_pattern"] !== undefined) {
    own["url_pattern"] = pattern.split(ACCOUNT_NAME).length === 2
      ? text.patternNoAddress
      : speech.say(text.patternMissing, { token: ACCOUNT_NAME });
  }
  // What is hidden while the field is of another kind is not to be mended.
  return Object.fromEntries(Object.entries(own).filter(([name]) => problems[name] !== undefined));
}
