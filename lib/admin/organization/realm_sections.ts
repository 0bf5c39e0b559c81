import { AppError } from "@/lib/core/errors.ts";
import {
  getDeleteLimit,
  getEmailConfirmation,
  MAX_REALM_DESCRIPTION,
  MAX_REALM_NAME,
  MAX_WAITING_DAYS,
  MAX_WELCOME_TEXT,
  NO_CHANNEL,
  type RealmRecord,
} from "@/lib/chat/organizations/model.ts";
import { realmParams, type RealmUpdate } from "@/lib/chat/organizations/api/realm.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { findTooLong } from "../find_too_long.ts";

/** Sections of the settings, each with a form. */
export const REALM_SECTIONS = ["profile", "joining", "welcome", "accounts", "messages", "visitors"] as const;

/** Name of a section. */
export type RealmSection = typeof REALM_SECTIONS[number];

/** Greatest number of a custom duration. */
export const MAX_CUSTOM_TIME = 999_999;

/** Returns the values of a section's form. */
export function sectionValues(
  { name, description, settings }: RealmRecord,
  section: RealmSection,
): readonly unknown[] {
  switch (section) {
    case "profile":
      return [name, description];
    case "joining":
      return [
        settings.emails_restricted_to_domains,
        settings.disallow_disposable_email_addresses,
        getEmailConfirmation(settings),
        settings.waiting_period_threshold,
      ];
    case "welcome":
      return [settings.welcome_message_custom_text];
    case "accounts":
      return [
        settings.name_changes_disabled,
        settings.email_changes_disabled,
        settings.presence_disabled,
        settings.enable_read_receipts,
      ];
    case "messages":
      return [
        settings.message_content_edit_limit_seconds,
        getDeleteLimit(settings),
        settings.new_stream_announcements_stream_id,
      ];
    case "visitors":
      return [settings.enable_spectator_access];
  }
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

/** Returns the field of a refusal. */
export function realmFieldOf({ message }: AppError): string | null {
  if (message === "Invalid channel ID") return "new_stream_announcements_stream_id";
  return Object.keys(realmParams).find((name) => message.startsWith(`${name} `)) ?? null;
}

type SectionReader = (request: AdminRequest, fields: FormFields) => Record<string, string>;

const READERS: Readonly<Record<RealmSection, SectionReader>> = {
  profile: readProfile,
  joining: readJoining,
  welcome: (request, fields) => ({ welcome_message_custom_text: readWelcome(request, fields) }),
  accounts: (_, fields) =>
    flags(fields, [
      "name_changes_disabled",
      "email_changes_disabled",
      "presence_disabled",
      "enable_read_receipts",
    ]),
  messages: (request, fields) => ({
    message_content_edit_limit_seconds: readTimeLimit(request, fields, "edit"),
    message_content_delete_limit_seconds: readTimeLimit(request, fields, "delete"),
    new_stream_announcements_stream_id: String(
      fields.int("new_stream_announcements_stream_id") ?? NO_CHANNEL,
    ),
  }),
  visitors: (_, fields) => flags(fields, ["enable_spectator_access"]),
};

function flags(fields: FormFields, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(fields.flag(name))]));
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
  const sent = flags(fields, ["emails_restricted_to_domains", "disallow_disposable_email_addresses"]);
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
