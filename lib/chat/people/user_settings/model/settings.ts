import { omit } from "es-toolkit/object/omit";
import { z } from "zod";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import {
  described,
  exact,
  json,
  optional,
  type ParamValues,
  text,
} from "@/lib/chat/organization/params/param.ts";
import {
  type Caller,
  isAdmin,
  requireFullName,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import {
  DISPLAY_SETTINGS,
  NOTIFICATION_SETTINGS,
  PRIVACY_SETTINGS,
  type Setting,
  type SettingValue,
} from "./registry.ts";

/** All settings by name, in the order in which they are checked. */
const SETTINGS = { ...DISPLAY_SETTINGS, ...NOTIFICATION_SETTINGS, ...PRIVACY_SETTINGS };

export type SettingName = keyof typeof SETTINGS;

/** New values of settings; undefined for a setting that was not sent. */
export type SettingsInput = Readonly<Partial<Record<SettingName, SettingValue | undefined>>>;

/** The stored settings of a user, except those that are part of the account. */
export interface SettingsRecord {
  /** Values that differ from the default. */
  readonly values: Readonly<Partial<Record<SettingName, SettingValue>>>;
  /** Settings that the user has ever changed themselves. */
  readonly edited: readonly SettingName[];
}

export interface ChangedSetting {
  readonly name: SettingName;
  readonly value: SettingValue;
}

/** Event types that announced settings before `user_settings` replaced them. */
export type LegacySettingEventType = "update_display_settings" | "update_global_notifications";

export const settingsKeys = {
  all: (realmId: number): Key => [realmId, "settings"],
  settings: (realmId: number, userId: number): Key => [realmId, "settings", userId],
  /** The values with which new accounts start, where they differ from the default. */
  defaults: (realmId: number): Key => [realmId, "settings_defaults"],
  /** The email address that a user requested and has not confirmed. */
  pendingEmail: (realmId: number, userId: number): Key => [realmId, "pending_email", userId],
};

/** Settings that are part of the account, because other users see them. */
const ACCOUNT_SETTINGS = ["email_address_visibility", "timezone"] as const;

/** Privacy settings that the legacy event type for notifications announced. */
const LEGACY_NOTIFICATION_SETTINGS: readonly string[] = [
  ...["enable_digest_emails", "enable_login_emails", "enable_marketing_emails", "presence_enabled"],
];

const table: Readonly<Record<SettingName, Setting<SettingValue>>> = SETTINGS;

export const settingNames: readonly SettingName[] = Object.keys(SETTINGS).filter(isSettingName);

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

export function getSetting(name: SettingName): Setting<SettingValue> {
  return table[name];
}

/** Returns the value of a setting among those that differ from the default. */
export function settingValue(values: SettingsRecord["values"], name: SettingName): SettingValue {
  return values[name] ?? getSetting(name).defaultValue;
}

/** Returns the legacy event type that announced a setting, or null when none did. */
export function legacyEventType(name: SettingName): LegacySettingEventType | null {
  if (name in DISPLAY_SETTINGS || name === "timezone") return "update_display_settings";
  const isNotification = name in NOTIFICATION_SETTINGS || LEGACY_NOTIFICATION_SETTINGS.includes(name);
  return isNotification ? "update_global_notifications" : null;
}

export function listSentSettings(input: SettingsInput): [SettingName, SettingValue][] {
  return settingNames.flatMap((name): [SettingName, SettingValue][] => {
    const value = input[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** Returns the record after a change, and the settings that changed; settings of the account are skipped. */
export function applySettings(
  { values, edited }: SettingsRecord,
  input: SettingsInput,
  { isOwn, skipsEdited }: { isOwn: boolean; skipsEdited: boolean },
): { record: SettingsRecord; changed: readonly ChangedSetting[] } {
  const changed = listSentSettings(input)
    .filter(([name]) =>
      !ACCOUNT_SETTINGS.some((own) => own === name) && !(skipsEdited && edited.includes(name))
    )
    .filter(([name, value]) => settingValue(values, name) !== value)
    .map(([name, value]) => ({ name, value }));
  const all = { ...values, ...Object.fromEntries(changed.map(({ name, value }) => [name, value])) };
  const names = changed.map(({ name }) => name);
  return {
    record: {
      values: Object.fromEntries(
        listSentSettings(all).filter(([name, value]) => getSetting(name).defaultValue !== value),
      ),
      edited: isOwn ? [...new Set([...edited, ...names])] : edited,
    },
    changed,
  };
}

/**
 * Refuses values of the right type that are invalid, such as unknown languages and sounds.
 * @throws AppError BAD_REQUEST for the first invalid value.
 */
export function requireValidSettings(input: SettingsInput): void {
  for (const [name, value] of listSentSettings(input)) {
    const problem = getSetting(name).findProblem?.(value) ?? null;
    if (problem !== null) throw new AppError("BAD_REQUEST", problem);
  }
}

/** @throws AppError BAD_REQUEST. */
export function requireSharedSettings(
  input: SettingsInput & { readonly email?: string | undefined; readonly new_password?: string | undefined },
): void {
  const isPersonal = input.email !== undefined || input.new_password !== undefined ||
    listSentSettings(input).some(([name]) => getSetting(name).isPersonal);
  if (isPersonal) throw new AppError("BAD_REQUEST", "Cannot change this setting for other users.");
}

/** Rate limits of attempts, such as wrong passwords and requested email changes. */
export interface AttemptLimits {
  /** @throws AppError RATE_LIMIT_HIT when the limit is exceeded. */
  consume(name: "sign_in" | "email_change" | "mail_recipient", client: string): Promise<unknown>;
  /** @throws AppError RATE_LIMIT_HIT when no attempt is left. */
  requireLeft(name: "sign_in", client: string): Promise<void>;
}

/** A user who changes their own account; `limits` is null when attempts are unlimited. */
export interface AccountCaller extends Caller {
  /** Whether a browser session identifies the user, which alone does not change their address. */
  readonly isSession: boolean;
  readonly limits: AttemptLimits | null;
}

export const EMAIL_LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The email address that a user requested last and has not confirmed. */
export interface PendingEmail {
  readonly address: string;
  /** The account's session epoch at the time of the request; a later epoch invalidates the link. */
  readonly session_epoch: number;
  /** Milliseconds since 1970 UTC. */
  readonly expires_at: number;
}

export function canChangeEmail({ settings }: RealmRecord, user: UserRecord): boolean {
  return !settings.email_changes_disabled || isAdmin(user);
}

export function canChangeName({ settings }: RealmRecord, user: UserRecord): boolean {
  return !settings.name_changes_disabled || isAdmin(user);
}

/**
 * Returns the account with a new name; the same object if it stays or the user cannot change it.
 * @throws AppError BAD_REQUEST for an invalid name.
 */
export function withFullName(realm: RealmRecord, user: UserRecord, newName: string): UserRecord {
  if (newName === user.full_name || !canChangeName(realm, user)) return user;
  const name = requireFullName(newName);
  return name === user.full_name ? user : { ...user, full_name: name };
}

/** The users whose settings an administrator changes. */
export interface TargetUsers {
  readonly user_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly skip_if_already_edited: boolean;
}

const targetUsersSchema: z.ZodType<TargetUsers> = z.object({
  user_ids: z.array(z.int()).default([]),
  group_ids: z.array(z.int()).default([]),
  skip_if_already_edited: z.boolean().meta({
    description: "Whether settings that a user has changed themselves are skipped.",
  }),
});

/** Parameters of `PATCH /settings`: the target users, properties of the account, and every setting. */
export const settingsParams = {
  target_users: described(
    optional(json(targetUsersSchema)),
    "The users whose settings change, by id and by groups whose active members are included; only you when " +
      "omitted. Requires an administrator.",
  ),
  full_name: described(optional(exact(text())), "Your new name, at most 100 characters."),
  email: described(
    optional(exact(text())),
    "Your new email address. A confirmation link is sent to it; the address changes when the link is opened.",
  ),
  old_password: described(
    optional(exact(text())),
    "Your current password; required with `new_password`, and with `email` in a browser session.",
  ),
  new_password: described(
    optional(exact(text())),
    "Your new password, at least 8 characters; ends all sessions.",
  ),
  ...SETTINGS,
};

/** Validated parameters of `PATCH /settings`. */
export type SettingsValues = ParamValues<typeof settingsParams>;

/** Parameters of the settings of new accounts: every setting that is not part of the account itself. */
export const settingsDefaultsParams = omit(SETTINGS, ACCOUNT_SETTINGS);
