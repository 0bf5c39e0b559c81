import type { ChatEvent } from "@/lib/chat/organization/events/model.ts";
import { permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";

/** Whether an event concerns a page; `subject` is the id in the page's path, or empty. */
export type Rule = (event: ChatEvent, subject: string) => boolean;
/** Events that concern a page, by their types. */
export type ShownEvents = Readonly<Record<string, Rule>>;

/** Pages of accounts show no profile data, avatars, time zones and the like. */
const SHOWN_OF_PERSON = ["full_name", "delivery_email", "email", "role", "is_active", "bot_owner_id"];
const REALM_PERMISSIONS = new Set(permissionRules("realm").map(({ setting }) => setting));

export const always: Rule = () => true;
/** Events that name their subject concern the page of that subject. */
export const ofSubject: Rule = (event, subject) => idsIn(event).includes(subject);
export const both = (...rules: readonly Rule[]): Rule => (event, subject) =>
  rules.every((rule) => rule(event, subject));

export const ofAccount: Rule = ({ op, person }) =>
  op !== "update" || (isRecord(person) && SHOWN_OF_PERSON.some((name) => name in person));
/** Personal settings of a subscriber concern no one else. */
export const ofMembership: Rule = ({ op }) => op !== "update";
export const ofPlace: Rule = ({ op, property }) =>
  op !== "update" || property === "folder_id" || property === "is_archived";
const namesUser: Rule = ({ user_ids }, subject) =>
  Array.isArray(user_ids) && user_ids.map(String).includes(subject);
export const inOrganization = (isPermission: boolean): Rule => ({ data }) =>
  isRecord(data) && Object.keys(data).some((name) => REALM_PERMISSIONS.has(name) === isPermission);

export const ACCOUNT: ShownEvents = {
  realm_user: both(ofSubject, ofAccount),
  realm_bot: ofSubject,
  user_group: namesUser,
  subscription: namesUser,
};
export const CHANNEL: ShownEvents = {
  stream: ofSubject,
  subscription: both(ofSubject, ofMembership),
  default_streams: always,
  channel_folder: always,
};
/** Any group may lead to a permission. */
export const EXPLAINED_USER: ShownEvents = {
  realm_user: both(ofSubject, ofAccount),
  realm: inOrganization(true),
  stream: always,
  user_group: always,
};
export const EXPLAINED_CHANNEL: ShownEvents = {
  stream: ofSubject,
  subscription: both(ofSubject, ofMembership),
  realm: inOrganization(true),
  user_group: always,
};
export const INVITES: ShownEvents = { invites_changed: always };
export const LINKIFIERS: ShownEvents = { realm_linkifiers: always };
export const FIELDS: ShownEvents = { custom_profile_fields: always };
export const EMOJI: ShownEvents = { realm_emoji: always };
const AUDITED = [
  "channel_folder",
  "custom_profile_fields",
  "default_streams",
  "invites_changed",
  "realm",
  "realm_bot",
  "realm_domains",
  "realm_emoji",
  "realm_linkifiers",
  "realm_playgrounds",
  "stream",
  "user_group",
];

export const AUDIT: ShownEvents = {
  ...Object.fromEntries(AUDITED.map((type) => [type, always])),
  realm_user: ofAccount,
  subscription: ofMembership,
};

/** Members of events, and of the objects in them, that hold the ids of their subjects. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  channel_folder: ["channel_folder_id", "channel_folder.id"],
  realm_bot: ["bot.user_id"],
  realm_domains: ["domain", "realm_domain.domain"],
  realm_user: ["person.user_id"],
  stream: ["stream_id", "stream_ids", "streams.stream_id"],
  subscription: ["stream_id", "stream_ids", "subscriptions.stream_id"],
  user_group: ["group_id", "group.id"],
};

/** Returns the ids of an event's subjects as text; empty when it names none. */
function idsIn(event: ChatEvent): readonly string[] {
  const names = NAMES[event.type] ?? [];
  return names.flatMap((name) => valuesAt(event, name.split("."))).map(String);
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => valuesAt(one, name === undefined ? [] : [name, ...rest]));
  }
  if (name === undefined) return value === undefined ? [] : [value];
  return isRecord(value) ? valuesAt(value[name], rest) : [];
}

/** Whether a value is an object with named members. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
