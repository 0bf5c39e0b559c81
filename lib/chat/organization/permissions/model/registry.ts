import { mapValues } from "es-toolkit/object/mapValues";
import { pick } from "es-toolkit/object/pick";
import type { SystemGroupName } from "./system_groups.ts";

export type PermissionOwner = "realm" | "channel" | "user_group";

/** Declaration of a permission, from which its parameters, schemas, page fields and names follow. */
interface PermissionRow {
  /** `creator` stands for the user who creates the owner. */
  readonly defaultGroup: SystemGroupName | "creator";
  /** Rejected system groups, in addition to role:internet, which every permission rejects. */
  readonly rejectedGroups?: readonly SystemGroupName[];
  /** The only accepted groups, for permissions restricted to system groups. */
  readonly allowedGroups?: readonly SystemGroupName[];
  /** Whether only owners can change it, because it controls who can join and who gains permissions. */
  readonly isOwnerOnly?: boolean;
  /** Description in the API. */
  readonly about: string;
  /** Name on pages. */
  readonly label: string;
  /** Sentence about its effect on pages. */
  readonly help: string;
  readonly words?: string;
}

type Rows<Name extends string> = Readonly<Record<Name, PermissionRow>>;

export interface PermissionRule extends PermissionRow {
  readonly owner: PermissionOwner;
  readonly setting: string;
  readonly rejectedGroups: readonly SystemGroupName[];
}

const EVERYONE = "role:everyone";

/** All permissions by owner and name, in the order in which pages show them. */
const DECLARED = {
  realm: rows({
    can_access_all_users_group: {
      defaultGroup: EVERYONE,
      allowedGroups: [EVERYONE, "role:members"],
      about: "Users who can see all users of the organization.",
      label: "See all users",
      words: "directory guests",
      help: "Who can see all users. Others see only users with whom they share a channel or a conversation.",
    },
    can_add_custom_emoji_group: {
      defaultGroup: "role:members",
      rejectedGroups: [EVERYONE],
      about: "Users who can add custom emoji.",
      label: "Add custom emoji",
      help:
        "Who can add custom emoji. They can deactivate those that they added; administrators can deactivate all.",
    },
    can_add_subscribers_group: {
      defaultGroup: "role:members",
      rejectedGroups: [EVERYONE],
      about: "Users who can add other users to channels.",
      label: "Subscribe others",
      help: "Who can subscribe other users to channels that they can read.",
    },
    can_create_groups: {
      defaultGroup: "role:members",
      rejectedGroups: [EVERYONE],
      isOwnerOnly: true,
      about: "Users who can create user groups.",
      label: "Create groups",
      help: "Who can create groups.",
    },
    can_create_private_channel_group: {
      defaultGroup: "role:members",
      rejectedGroups: [EVERYONE],
      about: "Users who can create private channels.",
      label: "Create private channels",
      help: "Who can create channels that only subscribers can see.",
    },
    can_create_public_channel_group: {
      defaultGroup: "role:members",
      rejectedGroups: [EVERYONE],
      about: "Users who can create public channels.",
      label: "Create public channels",
      help: "Who can create channels that all members can join.",
    },
    can_create_web_public_channel_group: {
      defaultGroup: "role:owners",
      rejectedGroups: [EVERYONE],
      allowedGroups: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
      about: "Users who can create web-public channels.",
      label: "Create channels open to the web",
      help: "Who can create channels that anyone can read without an account.",
    },
    can_delete_any_message_group: {
      defaultGroup: "role:administrators",
      rejectedGroups: [EVERYONE],
      about: "Users who can delete any message, at any time.",
      label: "Delete any message",
      words: "moderate remove",
      help: "Who can delete messages of anyone, at any time.",
    },
    can_delete_own_message_group: {
      defaultGroup: EVERYONE,
      about: "Users who can delete their own messages, within `message_content_delete_limit_seconds`.",
      label: "Delete own messages",
      help: "Who can delete their own messages, within the time limit.",
    },
    can_mention_many_users_group: {
      defaultGroup: "role:administrators",
      about: "Users who can mention all subscribers of channels with more than 15 of them.",
      label: "Mention everyone in large channels",
      words: "notify @all @everyone",
      help: "Who can mention all subscribers of channels with more than 15 of them.",
    },
    can_invite_users_group: {
      defaultGroup: "role:members",
      rejectedGroups: [EVERYONE],
      isOwnerOnly: true,
      about: "Users who can send invitations.",
      label: "Invite people",
      words: "join",
      help: "Who can send email invitations.",
    },
    can_manage_all_groups: {
      defaultGroup: "role:owners",
      rejectedGroups: [EVERYONE, "role:nobody"],
      isOwnerOnly: true,
      about: "Users who can manage all user groups.",
      label: "Manage all groups",
      help: "Who can change any group.",
    },
    can_move_messages_between_topics_group: {
      defaultGroup: "role:members",
      about:
        "Users who can move messages to other topics of their channel, for a week; moderators at any time.",
      label: "Move messages to other topics",
      help:
        "Who can move messages between topics for a week after they were sent. Moderators among them always can.",
      words: "rename topics",
    },
    can_move_messages_between_channels_group: {
      defaultGroup: "role:moderators",
      rejectedGroups: [EVERYONE],
      about: "Users who can move messages to other channels.",
      label: "Move messages to other channels",
      help: "Who can move messages to channels in which they can send messages.",
    },
    can_resolve_topics_group: {
      defaultGroup: "role:members",
      about: "Users who can resolve topics.",
      label: "Resolve topics",
      help: "Who can mark topics as resolved and unresolved.",
    },
    direct_message_initiator_group: {
      defaultGroup: EVERYONE,
      about: "Users who can start direct message conversations.",
      label: "Start direct messages",
      help: "Who can send the first message of a conversation. Everyone can reply, and write to bots.",
      words: "private conversations dms initiate",
    },
    direct_message_permission_group: {
      defaultGroup: EVERYONE,
      about:
        "Users of whom at least one must be in a conversation, so that direct messages can be sent to it.",
      label: "Take part in direct messages",
      help:
        "Each conversation needs at least one of these people. Choose nobody to turn direct messages between people off.",
      words: "private conversations dms disable",
    },
    can_set_delete_message_policy_group: {
      defaultGroup: "role:moderators",
      rejectedGroups: [EVERYONE],
      about: "Users who can change a channel's permissions for deleting messages.",
      label: "Set message deletion permissions",
      help: "Who can choose who can delete messages in channels that they administer.",
    },
    can_set_topics_policy_group: {
      defaultGroup: "role:members",
      about: "Users who can change a channel's topics policy.",
      label: "Set topic settings",
      help: "Who can choose whether topics are required in channels that they administer.",
    },
    create_multiuse_invite_group: {
      defaultGroup: "role:administrators",
      rejectedGroups: [EVERYONE],
      isOwnerOnly: true,
      about: "Users who can create reusable invitation links.",
      label: "Create reusable invitation links",
      help: "Who can create links that any number of people can join with.",
    },
  }),
  channel: rows({
    can_send_message_group: {
      defaultGroup: EVERYONE,
      about: "Users who may post to the channel.",
      label: "Send messages",
      help: "Who can send messages to the channel.",
    },
    can_create_topic_group: {
      defaultGroup: EVERYONE,
      about: "Users who may create topics; must be everyone if the history is protected.",
      label: "Start topics",
      help: "Who can start new topics. With protected history, this must be everyone.",
    },
    can_subscribe_group: {
      defaultGroup: "role:nobody",
      rejectedGroups: [EVERYONE],
      about: "Users who may subscribe themselves, even if the channel is private.",
      label: "Subscribe themselves",
      help: "Who can subscribe to the channel without an invitation, even if it is private.",
    },
    can_add_subscribers_group: {
      defaultGroup: "role:nobody",
      rejectedGroups: [EVERYONE],
      about: "Users who may subscribe others to the channel.",
      label: "Subscribe others",
      help: "Who can add subscribers. They can also read the channel, even if it is private.",
    },
    can_remove_subscribers_group: {
      defaultGroup: "role:administrators",
      about: "Users who may unsubscribe others from the channel.",
      label: "Unsubscribe others",
      help: "Who can remove subscribers.",
    },
    can_administer_channel_group: {
      defaultGroup: "creator",
      rejectedGroups: [EVERYONE],
      about: "Users who may administer the channel.",
      label: "Administer the channel",
      help: "Who can change its name, description and permissions. Administrators always can.",
    },
    can_resolve_topics_group: {
      defaultGroup: "role:nobody",
      about: "Users who may resolve topics.",
      label: "Resolve topics",
      help: "Who can mark topics as resolved.",
    },
    can_move_messages_within_channel_group: {
      defaultGroup: "role:nobody",
      about: "Users who may move messages to other topics.",
      label: "Move messages to other topics",
      help: "Who can move messages between topics of the channel.",
    },
    can_move_messages_out_of_channel_group: {
      defaultGroup: "role:nobody",
      about: "Users who may move messages to other channels.",
      label: "Move messages to other channels",
      help: "Who can move messages from this channel to another one.",
    },
    can_delete_own_message_group: {
      defaultGroup: "role:nobody",
      about: "Users who may delete their own messages.",
      label: "Delete own messages",
      help: "Who can delete their own messages.",
    },
    can_delete_any_message_group: {
      defaultGroup: "role:nobody",
      about: "Users who may delete any message.",
      label: "Delete any message",
      help: "Who can delete messages of any user.",
    },
  }),
  user_group: rows({
    can_manage_group: {
      defaultGroup: "creator",
      rejectedGroups: [EVERYONE],
      about: "Users who can manage the group.",
      label: "Manage the group",
      help: "Who can change its name, description, members and permissions.",
    },
    // The specification rejects role:owners here; the reference does not.
    can_mention_group: {
      defaultGroup: EVERYONE,
      rejectedGroups: ["role:owners"],
      about: "Users who can mention the group.",
      label: "Mention the group",
      help: "Who can mention the group to notify its members.",
    },
    can_add_members_group: {
      defaultGroup: "creator",
      rejectedGroups: [EVERYONE],
      about: "Users who can add users and groups to the group.",
      label: "Add members",
      help: "Who can add users and subgroups.",
    },
    can_remove_members_group: {
      defaultGroup: "role:nobody",
      rejectedGroups: [EVERYONE],
      about: "Users who can remove users from the group.",
      label: "Remove members",
      help: "Who can remove users and subgroups.",
    },
    can_join_group: {
      defaultGroup: "role:nobody",
      rejectedGroups: [EVERYONE],
      about: "Users who can join the group.",
      label: "Join",
      help: "Who can add themselves to the group.",
    },
    can_leave_group: {
      defaultGroup: EVERYONE,
      about: "Members who can leave the group.",
      label: "Leave",
      help: "Who can remove themselves from the group.",
    },
  }),
};

function rows<Name extends string>(declared: Rows<Name>): Rows<Name> {
  return declared;
}

/** All permissions by owner, in the order of names, in which they are parameters and sent to clients. */
export const PERMISSIONS = {
  realm: sortByName(DECLARED.realm),
  channel: sortByName(DECLARED.channel),
  user_group: sortByName(DECLARED.user_group),
};

function sortByName<Name extends string>(declared: Rows<Name>): Rows<Name> {
  const isName = (name: string): name is Name => Object.hasOwn(declared, name);
  return pick(declared, Object.keys(declared).filter(isName).sort());
}

const RULES = mapValues(PERMISSIONS, toRules);
const SHOWN_RULES = mapValues(DECLARED, toRules);

function toRules(
  declared: Readonly<Record<string, PermissionRow>>,
  owner: PermissionOwner,
): readonly PermissionRule[] {
  return Object.entries(declared).map(([setting, row]) => ({ rejectedGroups: [], ...row, owner, setting }));
}

/** Returns the permissions of one kind of owner, in the order of names. */
export function permissionRules(owner: PermissionOwner): readonly PermissionRule[] {
  return RULES[owner];
}

/** Returns the permissions of one kind of owner, in the order in which pages show them. */
export function shownPermissionRules(owner: PermissionOwner): readonly PermissionRule[] {
  return SHOWN_RULES[owner];
}

/** @throws Error when there is no such permission. */
export function permissionRule(owner: PermissionOwner, setting: string): PermissionRule {
  const found = BY_NAME.get(`${owner} ${setting}`);
  if (found === undefined) throw new Error(`There is no permission ${setting} of a ${owner}`);
  return found;
}

const BY_NAME: ReadonlyMap<string, PermissionRule> = new Map(
  Object.values(RULES).flat().map((rule) => [`${rule.owner} ${rule.setting}`, rule]),
);
const NAMES: ReadonlySet<string> = new Set(Object.values(RULES).flat().map(({ setting }) => setting));

export function isPermission(name: string): boolean {
  return NAMES.has(name);
}
