import type { ChatEvent } from "@/lib/chat/events/emit.ts";
import { PERMISSIONS } from "@/lib/chat/permissions/registry.ts";
import { idsIn, isRecord } from "./event_subject.ts";

/** What of the events an admin page shows. */
export interface ShownAt {
  /** The types of events that may be about something that it shows. */
  readonly types: readonly string[];
  /** Whether what an event tells of is shown. */
  shows(event: ChatEvent): boolean;
}

/** Whether a page shows what an event tells of; `subject` is what the page's path names, or empty. */
type Rule = (event: ChatEvent, subject: string) => boolean;
type Rules = Readonly<Record<string, Rule>>;

/** Profile data, pictures, time zones and the like stand on no page of accounts. */
const SHOWN_OF_PERSON = ["full_name", "delivery_email", "email", "role", "is_active", "bot_owner_id"];
const REALM_PERMISSIONS = new Set(
  PERMISSIONS.filter(({ owner }) => owner === "realm").map(({ setting }) => setting),
);

const always: Rule = () => true;
/** Events that say what they are about count where the page is about that. */
const ofSubject: Rule = (event, subject) => idsIn(event).includes(subject);
const both = (...rules: readonly Rule[]): Rule => (event, subject) =>
  rules.every((rule) => rule(event, subject));

const ofAccount: Rule = ({ op, person }) =>
  op !== "update" || (isRecord(person) && SHOWN_OF_PERSON.some((name) => name in person));
/** What a subscriber chose for himself is his alone. */
const ofMembership: Rule = ({ op }) => op !== "update";
const ofPlace: Rule = ({ op, property }) =>
  op !== "update" || property === "folder_id" || property === "is_archived";
const namesUser: Rule = ({ user_ids }, subject) =>
  Array.isArray(user_ids) && user_ids.map(String).includes(subject);
const inOrganization = (isPermission: boolean): Rule => ({ data }) =>
  isRecord(data) && Object.keys(data).some((name) => REALM_PERMISSIONS.has(name) === isPermission);

const ACCOUNT: Rules = {
  realm_user: both(ofSubject, ofAccount),
  realm_bot: ofSubject,
  user_group: namesUser,
  subscription: namesUser,
};
const CHANNEL: Rules = {
  stream: ofSubject,
  subscription: both(ofSubject, ofMembership),
  default_streams: always,
  channel_folder: always,
};
const FOLDER: Rules = { channel_folder: ofSubject, stream: always };
const INVITES: Rules = { invites_changed: always };
const LINKIFIERS: Rules = { realm_linkifiers: always };
const FIELDS: Rules = { custom_profile_fields: always };
const EMOJI: Rules = { realm_emoji: always };
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
  "stream",
  "user_group",
];

/**
 * What each page shows that others may change, by its path; `*` stands for what it is about. Pages that are not here show
 * nothing of that kind, or what is typed into them alone.
 */
const PAGES: Readonly<Record<string, Rules>> = {
  "/admin/users": { realm_user: ofAccount, realm_bot: always },
  "/admin/users/*": ACCOUNT,
  "/admin/users/*/deactivate": ACCOUNT,
  "/admin/users/*/reset-key": { realm_user: both(ofSubject, ofAccount) },
  "/admin/channels": {
    stream: always,
    subscription: ofMembership,
    default_streams: always,
    channel_folder: always,
  },
  "/admin/channels/*": CHANNEL,
  "/admin/channels/*/archive": CHANNEL,
  "/admin/groups": { user_group: always },
  "/admin/groups/*": { user_group: ofSubject },
  "/admin/groups/*/deactivate": { user_group: ofSubject },
  "/admin/invitations": INVITES,
  "/admin/invitations/revoke": INVITES,
  "/admin/invitations/email/*/resend": INVITES,
  "/admin/invitations/email/*/revoke": INVITES,
  "/admin/invitations/link/*": INVITES,
  "/admin/invitations/link/*/revoke": INVITES,
  "/admin/linkifiers": LINKIFIERS,
  "/admin/linkifiers/*": LINKIFIERS,
  "/admin/linkifiers/*/delete": LINKIFIERS,
  "/admin/profile-fields": FIELDS,
  "/admin/profile-fields/*": FIELDS,
  "/admin/profile-fields/*/delete": FIELDS,
  "/admin/channel-folders": { channel_folder: always, stream: ofPlace },
  "/admin/channel-folders/*": FOLDER,
  "/admin/channel-folders/*/archive": FOLDER,
  "/admin/organization": { realm: inOrganization(false), realm_domains: always },
  "/admin/organization/permissions": { realm: inOrganization(true) },
  "/admin/organization/emoji": EMOJI,
  "/admin/organization/emoji/*/deactivate": EMOJI,
  "/admin/organization/domains/*/remove": { realm_domains: ofSubject },
  "/admin/audit": {
    ...Object.fromEntries(AUDITED.map((type) => [type, always])),
    realm_user: ofAccount,
    subscription: ofMembership,
  },
};

/** What of the events the page at a path shows; null where that is nothing. */
export function findShownAt(path: string): ShownAt | null {
  for (const [place, rules] of Object.entries(PAGES)) {
    const subject = subjectAt(place, path);
    if (subject === null) continue;
    return {
      types: Object.keys(rules),
      shows: (event) => rules[event.type]?.(event, subject) ?? false,
    };
  }
  return null;
}

/** What a path names where a place has `*`, empty where it has none; null where it is another place. */
function subjectAt(place: string, path: string): string | null {
  if (!place.includes("*")) return place === path ? "" : null;
  const [before = "", after = ""] = place.split("*");
  const subject = path.slice(before.length, path.length - after.length);
  const isAt = path.startsWith(before) && path.endsWith(after) && /^[^/]+$/.test(subject);
  // What is not made yet is changed by nobody.
  return isAt && subject !== "new" ? decode(subject) : null;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
