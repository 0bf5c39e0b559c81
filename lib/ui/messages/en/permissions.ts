/** Name of a permission, and a sentence on its effect. */
export interface PermissionMessages {
  readonly label: string;
  readonly help: string;
}

const realm: Readonly<Record<string, PermissionMessages>> = {
  can_access_all_users_group: {
    label: "See all users",
    help: "Who can see all users. Others see only users with whom they share a channel or a conversation.",
  },
  can_add_subscribers_group: {
    label: "Subscribe others",
    help: "Who can subscribe other users to channels that they can read.",
  },
  can_create_groups: { label: "Create groups", help: "Who can create groups." },
  can_create_private_channel_group: {
    label: "Create private channels",
    help: "Who can create channels that only subscribers can see.",
  },
  can_create_public_channel_group: {
    label: "Create public channels",
    help: "Who can create channels that all members can join.",
  },
  can_create_web_public_channel_group: {
    label: "Create channels open to the web",
    help: "Who can create channels that anyone can read without an account.",
  },
  can_delete_any_message_group: {
    label: "Delete any message",
    help: "Who can delete messages of anyone, at any time.",
  },
  can_delete_own_message_group: {
    label: "Delete own messages",
    help: "Who can delete their own messages, within the time limit.",
  },
  can_mention_many_users_group: {
    label: "Mention everyone in large channels",
    help: "Who can mention all subscribers of channels with more than 15 of them.",
  },
  can_invite_users_group: { label: "Invite people", help: "Who can send email invitations." },
  can_manage_all_groups: {
    label: "Manage all groups",
    help: "Who can change any group.",
  },
  can_set_delete_message_policy_group: {
    label: "Set message deletion permissions",
    help: "Who can choose who can delete messages in channels that they administer.",
  },
  can_set_topics_policy_group: {
    label: "Set topic settings",
    help: "Who can choose whether topics are required in channels that they administer.",
  },
  create_multiuse_invite_group: {
    label: "Create reusable invitation links",
    help: "Who can create links that any number of people can join with.",
  },
};

const channel: Readonly<Record<string, PermissionMessages>> = {
  can_send_message_group: { label: "Send messages", help: "Who can send messages to the channel." },
  can_create_topic_group: {
    label: "Start topics",
    help: "Who can start new topics. With protected history, this must be everyone.",
  },
  can_subscribe_group: {
    label: "Subscribe themselves",
    help: "Who can subscribe to the channel without an invitation, even if it is private.",
  },
  can_add_subscribers_group: {
    label: "Subscribe others",
    help: "Who can add subscribers. They can also read the channel, even if it is private.",
  },
  can_remove_subscribers_group: { label: "Unsubscribe others", help: "Who can remove subscribers." },
  can_administer_channel_group: {
    label: "Administer the channel",
    help: "Who can change its name, description and permissions. Administrators always can.",
  },
  can_resolve_topics_group: { label: "Resolve topics", help: "Who can mark topics as resolved." },
  can_move_messages_within_channel_group: {
    label: "Move messages to other topics",
    help: "Who can move messages between topics of the channel.",
  },
  can_move_messages_out_of_channel_group: {
    label: "Move messages to other channels",
    help: "Who can move messages from this channel to another one.",
  },
  can_delete_own_message_group: {
    label: "Delete own messages",
    help: "Who can delete their own messages.",
  },
  can_delete_any_message_group: {
    label: "Delete any message",
    help: "Who can delete messages of any user.",
  },
};

const user_group: Readonly<Record<string, PermissionMessages>> = {
  can_manage_group: {
    label: "Manage the group",
    help: "Who can change its name, description, members and permissions.",
  },
  can_mention_group: { label: "Mention the group", help: "Who can mention the group to notify its members." },
  can_add_members_group: { label: "Add members", help: "Who can add users and subgroups." },
  can_remove_members_group: { label: "Remove members", help: "Who can remove users and subgroups." },
  can_join_group: { label: "Join", help: "Who can add themselves to the group." },
  can_leave_group: { label: "Leave", help: "Who can remove themselves from the group." },
};

/** Messages of permissions: what they are called, and who holds them. */
export const permissionMessages = {
  settings: { realm, channel, user_group },
  title: "Permissions",
  lede: "Each role includes the roles above it.",
  change: "Change",
  save: "Save permissions",
  who: "Allowed",
  additional: {
    realm: "Allowed",
    channel: "Additional people in this channel",
    user_group: "Additional people in this group",
  },
  /** Sources of permissions. */
  sources: {
    realm: "from the organization",
    always: "always",
    public: "because the channel is public",
    web: "because the channel is open to the web",
    own: { channel: "in this channel", user_group: "in this group" },
    setting: "from “{label}”",
    limited: {
      one: "{source}, for {count} day after a message is sent",
      other: "{source}, for {count} days after a message is sent",
    },
  },
  custom: "Selected groups and people…",
  roles: "Roles",
  groupsTitle: "Groups",
  /** A role where it stands alone or first. */
  roleNames: {
    "role:nobody": "Nobody",
    "role:owners": "Owners",
    "role:administrators": "Administrators",
    "role:moderators": "Moderators",
    "role:fullmembers": "Full members",
    "role:members": "Everyone except guests",
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
    "role:members": "everyone except guests",
    "role:everyone": "everyone",
    "role:internet": "everyone on the internet",
  },
  /** Full descriptions of the roles. */
  roleMeanings: {
    "role:nobody": "No users.",
    "role:owners": "Owners of the organization.",
    "role:administrators": "Administrators and owners.",
    "role:moderators": "Moderators, administrators and owners.",
    "role:fullmembers": "Members who completed the waiting period, moderators and above.",
    "role:members": "All users except guests.",
    "role:everyone": "All users, including guests.",
    "role:internet": "Anyone, even without an account.",
  },
  others: { one: "{count} other", other: "{count} others" },
  deactivatedGroup: "{name} (deactivated)",
  deactivated: "deactivated",
  previousPage: "Previous page",
  groups: "Groups",
  people: "People",
  peopleHint: "One on each line: a name, an email address or a user ID.",
  peopleHintGroups:
    "One on each line: a name, an email address or a user ID. For a group that is not listed, enter @ and its name.",
  noGroups: "There are no groups yet.",
  changedTo: "Someone else changed this to “{value}” while you were editing. Save again to overwrite it.",
  refusedValue: "Choose one of the listed options.",
  rolesOnly: "Choose a role.",
  tooManyPeople: "Enter no more than {count} people.",
  noPerson: "No active user is named “{name}”.",
  noId: "No active user has the ID {name}.",
  severalPeople: "Several users are named “{name}”. Choose below, or enter the email address or user ID.",
  partialPerson: "No active user is named “{name}”. Choose from the matches below.",
  choose: "Matches",
  group: "Group",
  searchPeople: {
    remove: "Remove {name}",
    noMatch: "No matches",
    matches: { one: "{count} match", other: "{count} matches" },
    hint: "Enter part of a name or email address.",
    groupsHint: "Enter part of the name of a person or group.",
  },
  explain: {
    link: "Why can they?",
    channelLink: "Who can do what, and why?",
    userTitle: "Permissions of {name}",
    channelTitle: "Permissions in {name}",
    userLede: "Everything that {name} can do, and why.",
    channelLede: "Choose a person to see what they can do in this channel, and why.",
    form: "Choose",
    where: "Where",
    organization: "In the organization",
    person: "Person",
    permission: "Permission",
    all: "All permissions",
    show: "Show",
    table: "Permissions",
    isAllowed: "Allowed",
    why: "Why",
    read: "Read messages",
    role: "Has the role {role}, which “{group}” includes",
    named: "Named in the permission",
    member: "Member of {group}",
    inside: "{inner}, which is in {group}",
    subscribed: "Subscribed to the channel",
    notSubscribed: "Not subscribed, and not allowed to subscribe",
    cannotRead: "Cannot read this channel",
    isArchived: "The channel is archived",
    needs: "Needs “{label}”",
    byDefault: "by default",
    reason: "{reason} · {source}",
    allowed: "Allowed: {users}",
    nobody: "Not allowed for anyone.",
    guests: "Guests never have this permission.",
    deactivated: "{name} is deactivated and cannot do anything until the account is reactivated.",
    unread: "{name} cannot read this channel. Permissions about its messages have no effect there.",
    archived: "This channel is archived. Nobody can send messages to it.",
    onePerson: "Enter one person.",
  },
  impact: {
    preview: "Preview the effect",
    title: "Effect of this change",
    pending: "Calculating the effect…",
    none: "Nobody gains or loses a permission.",
    gain: { one: "{count} user gains it: {names}.", other: "{count} users gain it: {names}." },
    lose: { one: "{count} user loses it: {names}.", other: "{count} users lose it: {names}." },
    join: { one: "{count} user joins: {names}.", other: "{count} users join: {names}." },
    leave: { one: "{count} user leaves: {names}.", other: "{count} users leave: {names}." },
    members: "Members of {group}",
    of: "{owner}: {permission}",
    limited: "The group is used in more places. Only the first {count} are checked.",
    download: "Download the whole list (CSV)",
    csv: { user: "User", id: "User ID", permission: "Permission", effect: "Effect" },
    effects: { gain: "gains", lose: "loses" },
  },
  noGroup: "No group is named “{name}”.",
  pickSomething: "Choose at least one group or person.",
};
