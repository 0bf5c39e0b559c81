import type { ChatEvent } from "@/lib/chat/events/model.ts";
import { permissionRules } from "@/lib/chat/permissions/model/registry.ts";
import { idsIn, isRecord } from "./event_subject.ts";

/** Events that concern an admin page. */
export interface ShownAt {
  /** Types of events that may concern the page. */
  readonly types: readonly string[];
  /** Whether an event concerns the page's content. */
  shows(event: ChatEvent): boolean;
}

/** Whether an event concerns a page; `subject` is the id in the page's path, or empty. */
type Rule = (event: ChatEvent, subject: string) => boolean;
type Rules = Readonly<Record<string, Rule>>;

/** Pages of accounts show no profile data, avatars, time zones and the like. */
const SHOWN_OF_PERSON = ["full_name", "delivery_email", "email", "role", "is_active", "bot_owner_id"];
const REALM_PERMISSIONS = new Set(permissionRules("realm").map(({ setting }) => setting));

const always: Rule = () => true;
/** Events that name their subject concern the page of that subject. */
const ofSubject: Rule = (event, subject) => idsIn(event).includes(subject);
const both = (...rules: readonly Rule[]): Rule => (event, subject) =>
  rules.every((rule) => rule(event, subject));

const ofAccount: Rule = ({ op, person }) =>
  op !== "update" || (isRecord(person) && SHOWN_OF_PERSON.some((name) => name in person));
/** Personal settings of a subscriber concern no one else. */
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
/** Any group may lead to a permission. */
const EXPLAINED_USER: Rules = {
  realm_user: both(ofSubject, ofAccount),
  realm: inOrganization(true),
  stream: always,
  user_group: always,
};
const EXPLAINED_CHANNEL: Rules = {
  stream: ofSubject,
  subscription: both(ofSubject, ofMembership),
  realm: inOrganization(true),
  user_group: always,
};
const FOLDER: Rules = { channel_folder: ofSubject, stream: always };
const INVITES: Rules = { invites_changed: always };
const LINKIFIERS: Rules = { realm_linkifiers: always };
const PLAYGROUNDS: Rules = { realm_playgrounds: always };
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
  "realm_playgrounds",
  "stream",
  "user_group",
];

const AUDIT: Rules = {
  ...Object.fromEntries(AUDITED.map((type) => [type, always])),
  realm_user: ofAccount,
  subscription: ofMembership,
};

/**
 * Events that concern each page, by its path; `*` stands for its subject. Other pages show nothing that
 * others may change.
 */
const PAGES: Readonly<Record<string, Rules>> = {
  "/admin/users": { realm_user: ofAccount, realm_bot: always },
  "/admin/users/*": ACCOUNT,
  "/admin/users/*/deactivate": ACCOUNT,
  "/admin/users/*/permissions": EXPLAINED_USER,
  "/admin/users/*/reset-key": { realm_user: both(ofSubject, ofAccount) },
  "/admin/users/*/sign-in-link": { realm_user: both(ofSubject, ofAccount) },
  "/admin/channels": {
    stream: always,
    subscription: ofMembership,
    default_streams: always,
    channel_folder: always,
  },
  "/admin/channels/*": CHANNEL,
  "/admin/channels/*/archive": CHANNEL,
  "/admin/channels/*/permissions": EXPLAINED_CHANNEL,
  "/admin/groups": { user_group: always },
  "/admin/groups/*": { user_group: ofSubject },
  "/admin/groups/*/deactivate": { user_group: ofSubject },
  "/admin/invitations": INVITES,
  "/admin/invitations/revoke": INVITES,
  "/admin/invitations/email/*/link": INVITES,
  "/admin/invitations/email/*/resend": INVITES,
  "/admin/invitations/email/*/revoke": INVITES,
  "/admin/invitations/link/*": INVITES,
  "/admin/invitations/link/*/revoke": INVITES,
  "/admin/linkifiers": LINKIFIERS,
  "/admin/linkifiers/*": LINKIFIERS,
  "/admin/linkifiers/*/delete": LINKIFIERS,
  "/admin/playgrounds": PLAYGROUNDS,
  "/admin/playgrounds/*/delete": PLAYGROUNDS,
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
  "/admin/audit": AUDIT,
  "/admin/audit/*/revert": AUDIT,
};

/** Returns the events that concern the page at a path; null for none. */
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

/**
 * Returns the part of a path at the `*` of a pattern, empty without one; null when the path does not match.
 */
function subjectAt(place: string, path: string): string | null {
  if (!place.includes("*")) return place === path ? "" : null;
  const [before = "", after = ""] = place.split("*");
  const subject = path.slice(before.length, path.length - after.length);
  const isAt = path.startsWith(before) && path.endsWith(after) && /^[^/]+$/.test(subject);
  // A record that does not exist yet cannot change.
  return isAt && subject !== "new" ? decode(subject) : null;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
