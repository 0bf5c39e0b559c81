/** Messages of the page about the activity of an organization. */
export const activityMessages = {
  title: "Activity",
  lede:
    "Messages, people, files and invitations of this organization by day. Message texts are not evaluated.",

  messagesTitle: { day: "Messages by day", week: "Messages by week" },
  messages: { one: "{count} message", other: "{count} messages" },
  noMessages: "No messages in this period.",
  noMessagesAdvice: "Messages count on the day they are sent, even if they are moved or deleted later.",
  kind: "Kind of messages",
  anyKind: "All",
  kinds: {
    public: "Public channels",
    private: "Private channels",
    direct: "Direct messages",
    group: "Group direct messages",
  },
  kindsCaption: "Messages by kind",
  messagesColumn: "Messages",
  comparison: "Comparison",

  activeTitle: { day: "Active people by day", week: "Active people by week" },
  active: { one: "{count} active person", other: "{count} active people" },
  activeAverage: {
    day: { one: "On average {count} active person a day", other: "On average {count} active people a day" },
    week: {
      one: "On average {count} active person a week",
      other: "On average {count} active people a week",
    },
  },
  activeHint:
    "People who send, read or change something or use a page count; bots do not. Weeks count each person once.",
  activeColumn: "Active people",
  noActive: "No activity in this period.",
  noActiveAdvice: "People count on each day on which they send, read or change something or use a page.",
  presenceOff: "This organization does not store presence, so active people are not counted.",

  channelsTitle: "Most active channels",
  channelsHint: "A message counts in the channel it was sent to, even if it is moved later.",
  channelsSince: "There are very many active channels, so this list counts from {date}.",
  channel: "Channel",
  archived: "archived",
  noChannels: "No messages to channels in this period.",
  noChannelsAdvice: "Channels with the most messages appear here.",

  joiningTitle: { day: "New people by day", week: "New people by week" },
  joined: { one: "{count} new person", other: "{count} new people" },
  noJoined: "Nobody joined in this period.",
  noJoinedAdvice: "New accounts of people appear here, however they were created.",
  joiningSteps: {
    joined: "Joined",
    invited: "Invited by email address",
    accepted: "Joined by email invitation",
    linked: "Joined by invitation link",
  },
  stepsCaption: "Invitations and new people",
  step: "Step",
  people: "People",
  toInvitations: "Invite people",

  filesTitle: { day: "Uploaded files by day", week: "Uploaded files by week" },
  noFiles: "No files were uploaded in this period.",
  noFilesAdvice: "The size of new files appears here.",
  filesColumn: "Uploaded",
  uploaded: "{amount} uploaded",
  removed: "Removed",
  storageTitle: "Storage by kind",
  storageKind: "Kind of file",
  size: "Size",
  fileKinds: {
    image: "Images",
    video: "Videos",
    audio: "Audio",
    document: "Documents",
    other: "Other files",
  },
};
