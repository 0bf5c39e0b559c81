import { serialize } from "node:v8";
import type { Key } from "@/lib/store/key.ts";
import { isPermission } from "../permissions/model/registry.ts";

/** Actions by the kind of object that they affect, with the sentences about them. */
export const AUDIT_ACTIONS = {
  realm: {
    realm_created: "Created {name}",
    realm_changed: "Changed the settings of {name}",
    realm_deactivated: "Deactivated {name}",
  },
  domain: {
    domain_added: "Added the domain {name}",
    domain_changed: "Changed the subdomain setting of the domain {name}",
    domain_removed: "Removed the domain {name}",
  },
  user: {
    user_created: "Created the account of {name}",
    user_deactivated: "Deactivated {name}",
    user_reactivated: "Reactivated {name}",
    user_role_changed: "Changed the role of {name}",
    user_renamed: "Renamed {name}",
    user_email_changed: "Changed the email address of {name}",
    user_profile_changed: "Changed the profile of {name}",
    user_settings_changed: "Changed user settings",
    user_key_reset: "Reset the API key of {name}",
    user_sessions_ended: "Ended all sessions of {name}",
    user_sign_in_link_created: "Made a sign-in link for {name}",
    user_sign_in_links_created: "Made sign-in links for imported users",
    user_sign_in_link_used: "{name} signed in with a link and chose a password",
    users_deactivated: "Deactivated {name}",
    users_reactivated: "Reactivated {name}",
    users_role_changed: "Changed the role of {name}",
    users_imported: "Imported {name}",
  },
  bot: {
    bot_created: "Created the bot {name}",
    bot_changed: "Changed the bot {name}",
    bot_deactivated: "Deactivated the bot {name}",
    bot_reactivated: "Reactivated the bot {name}",
    bot_key_reset: "Reset the API key of the bot {name}",
  },
  invite: {
    invite_created: "Invited {name}",
    invite_resent: "Resent the invitation to {name}",
    invite_url_shown: "Showed the link of the invitation to {name}",
    invite_revoked: "Revoked the invitation to {name}",
    invite_accepted: "{name} accepted an invitation",
  },
  invite_link: {
    invite_link_created: "Created the invitation link {name}",
    invite_link_changed: "Changed the invitation link {name}",
    invite_link_revoked: "Revoked the invitation link {name}",
    invite_link_used: "{name} joined with an invitation link",
  },
  group: {
    group_created: "Created the group {name}",
    group_changed: "Changed the group {name}",
    group_deactivated: "Deactivated the group {name}",
    group_reactivated: "Reactivated the group {name}",
    group_members_changed: "Changed the members of the group {name}",
  },
  channel: {
    channel_created: "Created the channel {name}",
    channel_changed: "Changed the channel {name}",
    channel_archived: "Archived the channel {name}",
    channel_unarchived: "Restored the channel {name}",
    default_channel_added: "Added {name} to the default channels",
    default_channel_removed: "Removed {name} from the default channels",
  },
  folder: {
    folder_created: "Created the channel folder {name}",
    folder_changed: "Changed the channel folder {name}",
    folder_archived: "Archived the channel folder {name}",
    folder_restored: "Restored the channel folder {name}",
    folder_reordered: "Reordered the channel folders",
  },
  linkifier: {
    linkifier_created: "Added the linkifier {name}",
    linkifier_changed: "Changed the linkifier {name}",
    linkifier_deleted: "Deleted the linkifier {name}",
    linkifier_reordered: "Reordered the linkifiers",
  },
  playground: {
    playground_added: "Added the code playground {name}",
    playground_removed: "Removed the code playground {name}",
  },
  profile_field: {
    profile_field_created: "Added the profile field {name}",
    profile_field_changed: "Changed the profile field {name}",
    profile_field_deleted: "Deleted the profile field {name}",
    profile_field_reordered: "Reordered the profile fields",
  },
  emoji: {
    emoji_added: "Added the emoji :{name}:",
    emoji_removed: "Deactivated the emoji :{name}:",
  },
  export: {
    export_created: "Requested the data export {name}",
    export_deleted: "Deleted the data export {name}",
  },
  link: {
    link_changed: "Changed the short link to {name}",
    link_disabled: "Disabled the short link to {name}",
    link_enabled: "Enabled the short link to {name}",
    link_deleted: "Deleted the short link to {name}",
    links_changed: "Changed {name}",
    links_disabled: "Disabled {name}",
    links_enabled: "Enabled {name}",
    links_deleted: "Deleted {name}",
  },
  blocked_host: {
    blocked_host_added: "Blocked the host {name}",
    blocked_host_removed: "Unblocked the host {name}",
  },
} as const;

/** Kind of object that a change affects. */
export type AuditKind = keyof typeof AUDIT_ACTIONS;

export type AuditAction = { [Kind in AuditKind]: keyof typeof AUDIT_ACTIONS[Kind] }[AuditKind];

const SENTENCES: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(AUDIT_ACTIONS));

/** Returns the sentence about an action, with `{name}` for that of its target. */
export function sentenceOf(action: AuditAction): string {
  return SENTENCES[action] ?? action;
}

/** Object that a change affected, with its name at the time; id 0 stands for all objects of the kind. */
export interface AuditTarget {
  readonly kind: AuditKind;
  readonly id: number | string;
  readonly name: string;
}

/** A value, or an old and a new value; empty when only the fact of the change is recorded. */
export type AuditDetail = string | readonly [from: string, to: string];

export type AuditDetails = Readonly<Record<string, AuditDetail>>;

/** Values by field name, as stored or as clients see them; null for none. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** Complete values of the changed fields, by which a change can be reverted. */
export interface AuditValues {
  readonly before: FieldValues;
  readonly after: FieldValues;
}

/** Stored record of a change; records are kept for a year. */
export interface AuditRecord {
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  /** Null for the operator's commands. */
  readonly acting_user_id: number | null;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  readonly details: AuditDetails;
  /** Whether the values of the change are stored: see `isRevertible`. */
  readonly is_revertible?: true;
  /** Id of the entry that this change reverted. */
  readonly reverts?: string;
}

/** Fields of the changes that can be reverted: declared settings, permissions and names. */
const REVERTIBLE: Partial<Record<AuditAction, (field: string) => boolean>> = {
  realm_changed: () => true,
  channel_changed: (field) => isNamed(field) || isPermission(field),
  group_changed: (field) => isNamed(field) || isPermission(field),
  user_renamed: () => true,
  bot_changed: (field) => field === "full_name",
};

function isNamed(field: string): boolean {
  return field === "name" || field === "description";
}

/** Whether the complete values of a change are stored, if they are given: to revert it, or to list them. */
export function keepsValues({ action, details }: Pick<AuditRecord, "action" | "details">): boolean {
  return Object.keys(details).every(REVERTIBLE[action] ?? (() => true));
}

/** Whether a change can be reverted from the audit log; others are undone on the page of what they changed. */
export function isRevertible(entry: Pick<AuditRecord, "action" | "details" | "is_revertible">): boolean {
  return entry.is_revertible === true && entry.action in REVERTIBLE && keepsValues(entry);
}

export interface RevertedRecord {
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  readonly acting_user_id: number;
}

/** Maximum length of a text, in code points. */
const MAX_TEXT = 200;

const MAX_DETAILS = 40;

/** Names of fields whose values are never stored. */
const SECRET = /password|token|api_key|secret|hash|welcome|email_address(?!es)/;

/** Maximum size of the values of a change in the store, in bytes. */
const MAX_VALUES_BYTES = 60 * 1024;

/** Stands for the operator in keys. */
const OPERATOR = 0;

/**
 * Keys of audit records, oldest first. The record is stored under the first list. The others have `true`, and the record
 * itself in entries of versions up to 0.5.
 */
export const auditKeys = {
  all: (realmId: number): Key => [realmId, "audit"],
  by: (realmId: number, userId: number | null): Key => [realmId, "audit_by", userId ?? OPERATOR],
  of: (realmId: number, kind: AuditKind): Key => [realmId, "audit_of", kind],
  byOf: (realmId: number, userId: number | null, kind: AuditKind): Key => [
    realmId,
    "audit_by_of",
    userId ?? OPERATOR,
    kind,
  ],
  /** Values of a change, by the id of its entry; below it those of the parts of one that several commits made. */
  values: (realmId: number, id: string): Key => [realmId, "audit_values", id],
  /** Exists once a change was reverted. */
  reverted: (realmId: number, id: string): Key => [realmId, "audit_reverted", id],
};

/** Id of an entry: its time and what makes it unique. */
const ENTRY_ID = /^(\d{1,16})-(\d{6}-[0-9a-f-]{36})$/;

export function toIds(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === "number") : [];
}

/** Returns the key of an entry; null for a text that is no id of an entry. */
export function toEntryKey(realmId: number, id: string): Key | null {
  const [, time, unique] = ENTRY_ID.exec(id) ?? [];
  return time === undefined || unique === undefined
    ? null
    : [...auditKeys.all(realmId), Number(time), unique];
}

export function toEntryId(key: Key): string {
  return key.slice(-2).join("-");
}

/** Returns the names, by default all, of the fields in which two records differ. */
function listChangedNames(before: object, after: object, names?: readonly string[]): readonly string[] {
  return (names ?? Object.keys({ ...before, ...after }))
    .filter((name) => toText(Reflect.get(before, name)) !== toText(Reflect.get(after, name)));
}

/** Returns the old and new values of the fields in which two records differ. */
export function diffDetails<T extends object>(
  before: T,
  after: T,
  names?: readonly (keyof T & string)[],
): AuditDetails {
  const toDetail = (name: string) =>
    [toText(Reflect.get(before, name)), toText(Reflect.get(after, name))] as const;
  return Object.fromEntries(listChangedNames(before, after, names).map((name) => [name, toDetail(name)]));
}

/** Returns the complete values of the fields in which two records differ; undefined when none does. */
export function diffValues<T extends object>(
  before: T,
  after: T,
  names?: readonly (keyof T & string)[],
): AuditValues | undefined {
  const changed = listChangedNames(before, after, names);
  if (changed.length === 0) return undefined;
  const valuesOf = (record: T) =>
    Object.fromEntries(changed.map((name) => [name, Reflect.get(record, name) ?? null]));
  return { before: valuesOf(before), after: valuesOf(after) };
}

/** Returns the values that are stored, without secrets; undefined when none is left or they are too large. */
export function limitValues(values: AuditValues | undefined): AuditValues | undefined {
  if (values === undefined) return undefined;
  const pick = (all: FieldValues) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !SECRET.test(name)));
  const limited = { before: pick(values.before), after: pick(values.after) };
  const isEmpty = Object.keys(limited.after).length === 0;
  return isEmpty || serialize(limited).length > MAX_VALUES_BYTES ? undefined : limited;
}

/** Returns details in the form in which they are stored: limited in number and length, without secrets. */
export function limitDetails(details: AuditDetails): AuditDetails {
  const limited = Object.entries(details).slice(0, MAX_DETAILS).map(
    ([name, detail]): [string, AuditDetail] => {
      if (SECRET.test(name)) return [name, ""];
      return [
        name,
        typeof detail === "string"
          ? truncateText(detail)
          : [truncateText(detail[0]), truncateText(detail[1])],
      ];
    },
  );
  return Object.fromEntries(limited);
}

/** Truncates a text to 200 code points. */
export function truncateText(text: string): string {
  const points = [...text.slice(0, 4 * MAX_TEXT)];
  return points.length <= MAX_TEXT ? text : `${points.slice(0, MAX_TEXT - 1).join("")}…`;
}

/** Formats a value: text as is, null and undefined as empty text, anything else as JSON. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}
