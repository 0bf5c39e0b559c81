/** Name of a permission, and a sentence on its effect. */
export interface PermissionMessages {
  readonly label: string;
  readonly help: string;
}

const realm: Readonly<Record<string, PermissionMessages>> = {
  can_access_all_users_group: {
    label: "Know everybody",
    help:
      "Who can see every account; others see only the people they share a channel or a conversation with.",
  },
  can_add_subscribers_group: {
    label: "Subscribe others",
    help: "Who can add other people to channels that they can read themselves.",
  },
  can_create_groups: { label: "Create groups", help: "Who can make groups of people." },
  can_create_private_channel_group: {
    label: "Create private channels",
    help: "Who can make channels that only those inside know of.",
  },
  can_create_public_channel_group: {
    label: "Create public channels",
    help: "Who can make channels that every member can join.",
  },
  can_create_web_public_channel_group: {
    label: "Create channels open to the web",
    help: "Who can make channels that are read without an account.",
  },
  can_invite_users_group: { label: "Invite people", help: "Who can send invitations by e-mail." },
  can_manage_all_groups: {
    label: "Manage all groups",
    help: "Who can change every group, whoever made it.",
  },
  can_set_delete_message_policy_group: {
    label: "Decide who deletes messages",
    help: "Who can set, in a channel that they administer, who may delete messages there.",
  },
  can_set_topics_policy_group: {
    label: "Decide about topics",
    help: "Who can set, in a channel that they administer, which topics it takes.",
  },
  create_multiuse_invite_group: {
    label: "Make reusable invitation links",
    help: "Who can make links that many people join by.",
  },
};

const channel: Readonly<Record<string, PermissionMessages>> = {
  can_send_message_group: { label: "Write messages", help: "Who can write to the channel." },
  can_create_topic_group: {
    label: "Start topics",
    help: "Who can write about something new; everyone, where the history is protected.",
  },
  can_subscribe_group: {
    label: "Join without being asked",
    help: "Who can subscribe themselves even where the channel is private, and so read it.",
  },
  can_add_subscribers_group: {
    label: "Subscribe others",
    help: "Who can add people, and so read the channel where it is private.",
  },
  can_remove_subscribers_group: { label: "Unsubscribe others", help: "Who can take people out." },
  can_administer_channel_group: {
    label: "Administer the channel",
    help: "Who can change its name, description and permissions; administrators always can.",
  },
  can_resolve_topics_group: { label: "Resolve topics", help: "Who can mark topics as settled." },
  can_move_messages_within_channel_group: {
    label: "Move messages to other topics",
    help: "Who can move messages within the channel.",
  },
  can_move_messages_out_of_channel_group: {
    label: "Move messages to other channels",
    help: "Who can take messages out of the channel.",
  },
  can_delete_own_message_group: {
    label: "Delete own messages",
    help: "Who can delete what they wrote themselves.",
  },
  can_delete_any_message_group: {
    label: "Delete any message",
    help: "Who can delete what anybody wrote.",
  },
};

const user_group: Readonly<Record<string, PermissionMessages>> = {
  can_manage_group: {
    label: "Manage the group",
    help: "Who can change its name, description, members and permissions.",
  },
  can_mention_group: { label: "Mention the group", help: "Who can call all its members by its name." },
  can_add_members_group: { label: "Add members", help: "Who can put people and groups into it." },
  can_remove_members_group: { label: "Remove members", help: "Who can take people out of it." },
  can_join_group: { label: "Join", help: "Who can put themselves into it." },
  can_leave_group: { label: "Leave", help: "Which members can take themselves out of it." },
};

/** Messages of permissions: what they are called, and who holds them. */
export const permissionMessages = {
  settings: { realm, channel, user_group },
  title: "Who may do what",
  lede: "Each role includes the roles above it.",
  change: "Change",
  save: "Save permissions",
  who: "Who",
  custom: "Chosen groups and people …",
  roles: "Roles",
  groupsTitle: "Groups",
  /** A role where it stands alone or first. */
  roleNames: {
    "role:nobody": "Nobody",
    "role:owners": "Owners",
    "role:administrators": "Administrators",
    "role:moderators": "Moderators",
    "role:fullmembers": "Full members",
    "role:members": "Everyone but guests",
    "role:everyone": "Everyone",
    "role:internet": "Everyone on the internet",
  },
  /** A role within a sentence. */
  roleNamesInside: {
    "role:nobody": "nobody",
    "role:owners": "owners",
    "role:administrators": "administrators",
    "role:moderators": "moderators",
    "role:fullmembers": "full members",
    "role:members": "everyone but guests",
    "role:everyone": "everyone",
    "role:internet": "everyone on the internet",
  },
  /** Full descriptions of the roles. */
  roleMeanings: {
    "role:nobody": "No account at all.",
    "role:owners": "Those who own this organization.",
    "role:administrators": "Administrators and owners.",
    "role:moderators": "Moderators, administrators and owners.",
    "role:fullmembers": "Members whose waiting period is over, moderators and above.",
    "role:members": "Every account but guests.",
    "role:everyone": "Every account, guests too.",
    "role:internet": "Anybody, without an account.",
  },
  others: { one: "{count} other", other: "{count} others" },
  deactivatedGroup: "{name} (deactivated)",
  deactivated: "deactivated",
  previousPage: "Previous page",
  groups: "Groups",
  people: "People",
  peopleHint: "One on each line: a name, an address or an id.",
  peopleHintGroups:
    "One on each line: a name, an address or an id. More groups than are listed here: @ and the name.",
  noGroups: "There are no groups yet.",
  changedTo: "Somebody set this to “{value}” meanwhile. Save again to set yours.",
  refusedValue: "That cannot be chosen here.",
  rolesOnly: "Only a role can be chosen here.",
  tooManyPeople: "Name {count} people at most.",
  noPerson: "There is no active account called “{name}”.",
  noId: "There is no active account with the id {name}.",
  severalPeople: "Several people are called “{name}”. Write the address or the id instead.",
  noGroup: "There is no group called “{name}”.",
  pickSomething: "Choose at least one group or person.",
};
