import { mapValues } from "es-toolkit/object/mapValues";
import { omit } from "es-toolkit/object/omit";
import { MAX_REALM_DESCRIPTION, MAX_REALM_NAME, type RealmRecord } from "@/lib/chat/organizations/model.ts";
import {
  isFlag,
  MAX_WAITING_DAYS,
  MAX_WELCOME_TEXT,
  NO_CHANNEL,
  type RealmSettingName,
} from "@/lib/chat/organizations/settings.ts";
import { realmParams, type RealmUpdate } from "@/lib/chat/organizations/api.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { findTooLong } from "../find_too_long.ts";

/** Settings of each section, which has a form; yes/no settings are shown as checkboxes in this order. */
export const SECTION_SETTINGS = {
  profile: [],
  joining: [
    "emails_restricted_to_domains",
    "disallow_disposable_email_addresses",
    "email_confirmation",
    "waiting_period_threshold",
  ],
  welcome: ["welcome_message_custom_text"],
  accounts: [
    "name_changes_disabled",
    "email_changes_disabled",
    "presence_disabled",
    "enable_read_receipts",
  ],
  messages: [
    "message_content_edit_limit_seconds",
    "message_content_delete_limit_seconds",
    "new_stream_announcements_stream_id",
  ],
  visitors: ["enable_spectator_access"],
} as const satisfies Readonly<Record<string, readonly RealmSettingName[]>>;

/** Name of a section. */
export type RealmSection = keyof typeof SECTION_SETTINGS;

/** Returns a value for each section, by name. */
export function mapSections<Value>(toValue: (section: RealmSection) => Value): Record<RealmSection, Value> {
  return mapValues(SECTION_SETTINGS, (_, section) => toValue(section));
}

/** Greatest number of a custom duration. */
export const MAX_CUSTOM_TIME = 999_999;

/** Returns the values of a section's form. */
export function sectionValues(
  { name, description, settings }: RealmRecord,
  section: RealmSection,
): readonly unknown[] {
  if (section === "profile") return [name, description];
  return SECTION_SETTINGS[section].map((setting) => settings[setting]);
}

/** Lists the names of a section's yes/no settings. */
export function listFlags(section: RealmSection): readonly RealmSettingName[] {
  return SECTION_SETTINGS[section].filter(isFlag);
}

/**
 * Reads the change of a section's form by the rules of the API.
 * @throws FormRefusal at the fields, or AppError BAD_REQUEST.
 */
export function readSection(request: AdminRequest, fields: FormFields, section: RealmSection): RealmUpdate {
  return toChanges(READERS[section](request, fields));
}

/** Converts named values to a change as parameters are sent; everything else stays. */
export function toChanges(sent: Readonly<Record<string, string>>): RealmUpdate {
  return readParams(realmParams, new Map(Object.entries(sent))).values;
}

/** Fields of the forms by the parameter that a refusal names; the choice of confirmation shows no problems. */
export const REALM_FIELDS = mapValues(omit(realmParams, ["email_confirmation"]), (_, name) => name);

type SectionReader = (request: AdminRequest, fields: FormFields) => Record<string, string>;

const READERS: Readonly<Record<RealmSection, SectionReader>> = {
  profile: readProfile,
  joining: readJoining,
  welcome: (request, fields) => ({ welcome_message_custom_text: readWelcome(request, fields) }),
  accounts: (_, fields) => readFlags(fields, "accounts"),
  messages: (request, fields) => ({
    message_content_edit_limit_seconds: readTimeLimit(request, fields, "edit"),
    message_content_delete_limit_seconds: readTimeLimit(request, fields, "delete"),
    new_stream_announcements_stream_id: String(
      fields.int("new_stream_announcements_stream_id") ?? NO_CHANNEL,
    ),
  }),
  visitors: (_, fields) => readFlags(fields, "visitors"),
};

function readFlags(fields: FormFields, section: RealmSection): Record<string, string> {
  return Object.fromEntries(listFlags(section).map((name) => [name, String(fields.flag(name))]));
}

function readProfile(request: AdminRequest, fields: FormFields): Record<string, string> {
  const name = fields.exact("name").trim();
  const description = readLines(fields, "description");
  const problems = {
    ...(name === "" ? { name: request.messages.organization.nameMissing } : {}),
    ...findTooLong(request, {
      name: [name, MAX_REALM_NAME],
      description: [description, MAX_REALM_DESCRIPTION],
    }),
  };
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return { name, description };
}

function readJoining(
  { realm, messages, formatter }: AdminRequest,
  fields: FormFields,
): Record<string, string> {
  const days = fields.int("waiting_period_threshold");
  const sent = readFlags(fields, "joining");
  const problems: Record<string, string> = {};
  if (days === null || days < 0 || days > MAX_WAITING_DAYS) {
    const problem = formatter.t(messages.organization.waitingProblem, { most: MAX_WAITING_DAYS });
    problems["waiting_period_threshold"] = problem;
  }
  if (sent["emails_restricted_to_domains"] === "true" && realm.settings.domains.length === 0) {
    problems["emails_restricted_to_domains"] = messages.organization.restrictedNeedsDomain;
  }
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  const confirmation = fields.text("email_confirmation");
  return {
    ...sent,
    waiting_period_threshold: String(days),
    ...(confirmation === "" ? {} : { email_confirmation: confirmation }),
  };
}

/**
 * Reads the welcome message of a form.
 * @throws FormRefusal when it is too long.
 */
export function readWelcome(request: AdminRequest, fields: FormFields): string {
  const field = "welcome_message_custom_text";
  const text = readLines(fields, field);
  const problems = findTooLong(request, { [field]: [text, MAX_WELCOME_TEXT] });
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return text;
}

/** Forms end lines with two characters, the API with one. */
function readLines(fields: FormFields, name: string): string {
  return fields.text(name).replaceAll("\r\n", "\n");
}

function readTimeLimit(
  { messages, formatter }: AdminRequest,
  fields: FormFields,
  action: "edit" | "delete",
): string {
  const chosen = fields.text(`message_content_${action}_limit_seconds`);
  if (chosen !== "custom") return chosen;
  const amount = fields.int(`${action}_custom`);
  const unit = fields.int(`${action}_unit`) ?? 60;
  if (amount !== null && amount >= 1 && amount <= MAX_CUSTOM_TIME && unit > 0) return String(amount * unit);
  const problem = formatter.t(messages.organization.timeLimitProblem, { most: MAX_CUSTOM_TIME });
  throw new FormRefusal({ [`${action}_custom`]: problem });
}
