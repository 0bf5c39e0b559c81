import type { CardEntry } from "@/components/admin/profile_fields/card_entry.ts";
import type { StoredChoice } from "@/components/admin/profile_fields/choice_rows.ts";
import { EXTERNAL_ACCOUNTS } from "@/lib/chat/profile_fields/model/field_data.ts";
import {
  FIELD_TYPE,
  MAX_CHOICES,
  MAX_FIELD_HINT,
  MAX_FIELD_NAME,
  MAX_IN_SUMMARY,
  type ProfileFieldRecord,
} from "@/lib/chat/profile_fields/model/profile_field.ts";
import { findKnownSubtype } from "@/lib/chat/profile_fields/model/field_data.ts";
import type { AdminRequest } from "../admin_request.ts";
import { storedChoices } from "./profile_field_choices.ts";
import { accountOf, canMatch, CUSTOM_ACCOUNT, fitsOnCard, formOf, previewOf } from "./profile_field_form.ts";
import { ACCOUNT_NAME } from "./profile_field_problems.ts";
import { revisionOf } from "../revision.ts";

/** A built-in account type. */
export interface KnownAccount {
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
