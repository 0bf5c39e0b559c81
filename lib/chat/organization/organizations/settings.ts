import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import {
  bool,
  choice,
  described,
  int,
  optional,
  type Param,
  scalar,
  text,
  textOrJson,
} from "../params/param.ts";

/** Maximum length of the welcome message, in code points. */
export const MAX_WELCOME_TEXT = 8000;

/** Maximum waiting period in days: a hundred years. */
export const MAX_WAITING_DAYS = 36_500;

/** Value that means "no channel" in the API. */
export const NO_CHANNEL = -1;

/** Whether addresses must be confirmed by email; `automatic`: where this server delivers email. */
const EMAIL_CONFIRMATIONS = ["automatic", "required", "not_required"] as const;
export type EmailConfirmation = typeof EMAIL_CONFIRMATIONS[number];

/** Texts of a setting, and whether only owners can change it, because it controls who can join or gains permissions. */
interface SettingRow {
  /** Description in the API. */
  readonly about: string;
  /** Name on pages and in the audit log. */
  readonly label: string;
  /** Sentence at its field. */
  readonly hint?: string;
  readonly words?: string;
  readonly isOwnerOnly?: boolean;
}

/** A setting: the parameter that changes it, its value in store and responses, its default and its texts. */
interface RealmSetting<Stored, Sent = Stored> extends SettingRow, Param<Sent | undefined> {
  /** Value where none is stored: in new organizations, and in those of versions without the setting. */
  readonly defaultValue: Stored;
  readonly response: z.ZodType;
  /** Converts a sent value, where it differs from the stored one. */
  toStored?(sent: Sent, name: string): Stored;
  /** Converts a stored value for clients, where they receive another one. */
  toResponse?(stored: Stored): unknown;
}

/** All settings except permissions, in the order in which they are parameters and clients receive them. */
export const REALM_SETTINGS = {
  waiting_period_threshold: setting(scalar(z.int().min(0).max(MAX_WAITING_DAYS)), z.int(), 0, {
    isOwnerOnly: true,
    about: "Days after which a member becomes a full member.",
    label: "Waiting period in days",
    hint: "New members become full members after this time. 0 means no waiting period.",
  }),
  enable_spectator_access: flag(false, {
    about: "Whether web-public channels can be read without an account.",
    label: "Channels can be opened to the web",
    words: "spectators public anonymous",
    hint: "No channel is open by default. You open each channel in its own settings.",
  }),
  message_content_edit_limit_seconds: timeLimit({
    about: "Seconds for which a message can be edited, or `unlimited`.",
    label: "Time limit for editing messages",
    words: "edit history",
  }),
  message_content_delete_limit_seconds: timeLimit({
    about: "Seconds for which users can delete their own messages, or `unlimited`.",
    label: "Time limit for deleting own messages",
    words: "unsend remove",
  }),
  name_changes_disabled: flag(false, {
    about: "Whether only administrators can change names.",
    label: "Only administrators can change names",
    words: "full name rename",
  }),
  email_changes_disabled: flag(false, {
    about: "Whether only administrators can change email addresses.",
    label: "Only administrators can change email addresses",
  }),
  presence_disabled: flag(false, {
    about: "Whether presence is hidden from everyone.",
    label: "Hide presence",
    words: "online active away status",
    hint: "Do not store or show whether users are active or away.",
  }),
  enable_read_receipts: flag(true, {
    about: "Whether users can see who has read a message.",
    label: "Show who has read a message",
    words: "read receipts seen",
    hint: "Users can turn this off for themselves in their settings.",
  }),
  new_stream_announcements_stream_id: channel({
    about: "Channel in which new channels are announced; -1 for none.",
    label: "Channel for announcements",
    hint: "New channels are announced there, with their creator. Private channels are not announced.",
  }),
  moderation_request_channel_id: channel({
    about: "Private channel that receives reports of messages; -1 for none.",
    label: "Channel for reported messages",
    words: "moderation flagged reports",
    hint: "Only private channels can be chosen. Without one, users cannot report messages.",
  }),
  emails_restricted_to_domains: flag(false, {
    isOwnerOnly: true,
    about: "Whether accounts require an address in one of the organization's domains.",
    label: "Require an address of an allowed domain",
    hint: "Addresses with a plus sign are also refused, because one mailbox can have many of them.",
  }),
  disallow_disposable_email_addresses: flag(true, {
    isOwnerOnly: true,
    about: "Whether addresses from disposable mail services are rejected.",
    label: "Block disposable email addresses",
    words: "temporary spam",
    hint: "Addresses of services that provide temporary mailboxes.",
  }),
  email_confirmation: setting<EmailConfirmation>(
    choice(EMAIL_CONFIRMATIONS),
    z.enum(EMAIL_CONFIRMATIONS),
    "automatic",
    {
      isOwnerOnly: true,
      about:
        "Whether people who open a reusable invitation link must confirm their address by email; `automatic`: where " +
        "the server delivers email.",
      label: "Confirm email addresses of people who join by link",
    },
  ),
  welcome_message_custom_text: setting(text({ max: MAX_WELCOME_TEXT }), z.string(), "", {
    about: "Text of the first message to a new user; empty for none.",
    label: "Welcome message",
    words: "greeting onboarding bot",
  }),
};

export type RealmSettingName = keyof typeof REALM_SETTINGS;

/** A domain whose addresses can have accounts. */
export interface RealmDomain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

type RealmSettingValues = Defaults<typeof REALM_SETTINGS>;

/** Settings of an organization as stored, except its permissions. */
export interface RealmSettings extends RealmSettingValues {
  /** The organization's domains, in lower case. */
  readonly domains: readonly RealmDomain[];
}

export const DEFAULT_REALM_SETTINGS: RealmSettings = {
  ...defaultsOf(REALM_SETTINGS),
  domains: [],
};

const TABLE: Readonly<Record<RealmSettingName, RealmSetting<unknown>>> = REALM_SETTINGS;

export const realmSettingSchemas = mapValues(TABLE, ({ response }) => response);

export function isFlag(name: RealmSettingName): boolean {
  return typeof TABLE[name].defaultValue === "boolean";
}

/** Returns stored settings with the defaults of those that versions before them did not store. */
export function withDefaultSettings(stored: RealmSettings): RealmSettings {
  const isComplete = Object.keys(TABLE).every((name) => Object.hasOwn(stored, name));
  return isComplete ? stored : { ...DEFAULT_REALM_SETTINGS, ...stored };
}

export function toResponseSettings(
  settings: RealmSettingValues,
): Readonly<Record<RealmSettingName, unknown>> {
  return mapValues(TABLE, (row, name) => row.toResponse ? row.toResponse(settings[name]) : settings[name]);
}

/** @throws AppError REQUEST_VARIABLE_INVALID. */
export function changeSettings(
  settings: RealmSettings,
  changes: Readonly<Partial<Record<RealmSettingName, unknown>>>,
): RealmSettings {
  const toValue = (row: RealmSetting<unknown>, name: RealmSettingName) => {
    const sent = changes[name];
    if (sent === undefined) return settings[name];
    return row.toStored ? row.toStored(sent, name) : sent;
  };
  return { ...settings, ...Object.fromEntries(Object.entries(mapValues(TABLE, toValue))) };
}

export function describeForApi({ about, isOwnerOnly }: Pick<SettingRow, "about" | "isOwnerOnly">): string {
  return isOwnerOnly ? `${about} Owners only.` : about;
}

type Defaults<Rows extends object> = {
  readonly [Name in keyof Rows]: Rows[Name] extends { readonly defaultValue: infer Value } ? Value : never;
};

function defaultsOf<Rows extends object>(rows: Rows): Defaults<Rows>;
function defaultsOf(rows: Readonly<Record<string, RealmSetting<unknown>>>): unknown {
  return mapValues(rows, ({ defaultValue }) => defaultValue);
}

/** Defines a setting whose value is stored and received as it is sent. */
function setting<Value>(
  param: Param<Value>,
  response: z.ZodType,
  defaultValue: NoInfer<Value>,
  row: SettingRow,
): RealmSetting<Value> {
  return { ...row, ...described(optional(param), describeForApi(row)), response, defaultValue };
}

function flag(defaultValue: boolean, row: SettingRow): RealmSetting<boolean> {
  return setting(bool(), z.boolean(), defaultValue, row);
}

/** Defines a number of seconds, by default ten minutes; null stands for `unlimited`. */
function timeLimit(row: SettingRow): RealmSetting<number | null, number | string> {
  return {
    ...row,
    ...described(optional(textOrJson(z.union([z.int(), z.string()]))), describeForApi(row)),
    response: z.int().nullable().meta({ description: "Null means without limit." }),
    defaultValue: 600,
    toStored: (sent, name) => {
      if (sent === "unlimited") return null;
      if (typeof sent === "number" && sent > 0) return sent;
      throw new AppError("REQUEST_VARIABLE_INVALID", `Bad value for '${name}': ${sent}`, {
        extra: { var_name: name, bad_value: sent },
      });
    },
  };
}

/** Defines a channel for automatic messages, by default none, which is null. */
function channel(row: SettingRow): RealmSetting<number | null, number> {
  return {
    ...row,
    ...described(optional(int()), describeForApi(row)),
    response: z.int().meta({ description: "-1 for none." }),
    defaultValue: null,
    toStored: (sent) => sent === NO_CHANNEL ? null : sent,
    toResponse: (stored) => stored ?? NO_CHANNEL,
  };
}
