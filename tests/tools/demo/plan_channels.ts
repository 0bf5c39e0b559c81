import { type Action, HOUR_MS, MINUTE_MS, type Timeline } from "./agenda.ts";
import { ARCHIVED_CHANNEL, CHANNELS, type DemoChannel, FOLDERS, STAFF_CHANNELS } from "./content/channels.ts";
import { type DemoGroup, GROUPS } from "./content/groups.ts";
import { LEAVERS, PEOPLE } from "./content/people.ts";
import { createDraw } from "./draw.ts";
import type { DemoSite, Params } from "./site.ts";

/** Days before the end at which channels, groups and their later changes happen. */
const DAYS = { folders: 60.2, channels: 59.4, groups: 57.1, changes: 30.6 } as const;
const STAFF = ["owner", "admin", "moderator"];

const PRIVACY: Readonly<Record<DemoChannel["privacy"], Params>> = {
  public: {},
  web_public: { is_web_public: true },
  private: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
};

/** Returns the keys of the people who subscribe to each channel, by its name. */
export function drawSubscribers(): ReadonlyMap<string, readonly string[]> {
  const draw = createDraw("subscribers");
  return new Map(CHANNELS.map((channel) => {
    const keys = PEOPLE.filter(({ role }) => {
      if (STAFF_CHANNELS.includes(channel.name)) return STAFF.includes(role);
      if (role === "guest") return channel.hasGuests && draw.chance(0.7);
      return role === "owner" || role === "admin" || draw.chance(channel.reach);
    });
    return [channel.name, keys.map(({ key }) => key)];
  }));
}

/** Plans folders, channels and groups, and some changes of them that an administrator made later. */
export function planChannels({ daysAgo }: Timeline): Action[] {
  const subscribers = drawSubscribers();
  return [
    ...FOLDERS.map(([name, description], at) => ({
      at: daysAgo(DAYS.folders) + at * MINUTE_MS,
      run: (site: DemoSite) => createFolder(site, { name, description }),
    })),
    ...CHANNELS.map((channel, at) => ({
      at: daysAgo(DAYS.channels) + at * 40 * MINUTE_MS,
      run: (site: DemoSite) => createChannel(site, channel, subscribers.get(channel.name) ?? []),
    })),
    ...GROUPS.map((group, at) => ({
      at: daysAgo(DAYS.groups) + at * HOUR_MS,
      run: (site: DemoSite) => createGroup(site, group),
    })),
    ...planChanges(daysAgo(DAYS.changes)),
  ];
}

async function createFolder(site: DemoSite, params: Params & { readonly name: string }): Promise<void> {
  const { channel_folder_id } = await site.call("priya", "POST /channel_folders/create", params);
  site.folders.set(params.name, channel_folder_id);
}

async function createChannel(
  site: DemoSite,
  channel: DemoChannel,
  subscribers: readonly string[],
): Promise<void> {
  const { id } = await site.call("maren", "POST /channels/create", {
    name: channel.name,
    description: channel.description,
    folder_id: channel.folder === "" ? null : site.folders.of(channel.folder),
    subscribers: subscribers.map((key) => site.people.of(key)),
    is_default_stream: channel.reach === 1,
    ...PRIVACY[channel.privacy],
  });
  site.channels.set(channel.name, id);
}

async function createGroup(
  site: DemoSite,
  { name, description, members, subgroups }: DemoGroup,
): Promise<void> {
  const { group_id } = await site.call("tomas", "POST /user_groups/create", {
    name,
    description,
    members: members.filter((key) => !LEAVERS.includes(key)).map((key) => site.people.of(key)),
    subgroups: subgroups.map((subgroup) => site.groups.of(subgroup)),
  });
  site.groups.set(name, group_id);
}

type Change = readonly [key: string, path: (site: DemoSite) => string, params: (site: DemoSite) => Params];

/** Changes by administrators, which the audit log shows. */
const CHANGES: readonly Change[] = [
  ["priya", (site) => `PATCH /streams/${site.channels.of("compost")}`, () => ({
    description: "Three bays, one thermometer, even more opinions.",
  })],
  ["jonah", (site) => `PATCH /streams/${site.channels.of("open day")}`, () => ({
    topics_policy: "disable_empty_topic",
  })],
  ["maren", (site) => `PATCH /streams/${site.channels.of("moderation")}`, () => ({
    message_retention_days: 365,
  })],
  ["tomas", (site) => `POST /user_groups/${site.groups.of("waterers")}/members`, (site) => ({
    add: [site.people.of("joao")],
    delete: [site.people.of("amina")],
  })],
  ["tomas", (site) => `PATCH /user_groups/${site.groups.of("cooks")}`, () => ({
    description: "Cook for harvest dinners and preserving days.",
  })],
  ["maren", (site) => `PATCH /users/${site.people.of("zofia")}`, () => ({ role: 300 })],
  ["maren", () => "PATCH /realm", (site) => ({
    moderation_request_channel_id: site.channels.of("moderation"),
    new_stream_announcements_stream_id: site.channels.of("announcements"),
    message_content_edit_limit_seconds: 3600,
  })],
  ["tomas", () => "PATCH /realm", (site) => ({
    can_invite_users_group: { new: site.groups.of("coordinators") },
  })],
];

function planChanges(from: number): Action[] {
  const archive = {
    at: from + 9 * HOUR_MS,
    run: (site: DemoSite) => site.call("maren", `DELETE /streams/${site.channels.of(ARCHIVED_CHANNEL)}`),
  };
  const restrict = {
    at: from - 24 * HOUR_MS,
    run: async (site: DemoSite) => {
      const { user_groups } = await site.call("maren", "GET /user_groups");
      const staff = user_groups.find(({ name }: { name: string }) => name === "role:moderators");
      const path = `PATCH /streams/${site.channels.of("announcements")}`;
      await site.call("maren", path, { can_send_message_group: { new: staff?.id } });
    },
  };
  const changes = CHANGES.map(([key, path, params], at) => ({
    at: from + at * HOUR_MS,
    run: (site: DemoSite) => site.call(key, path(site), params(site)),
  }));
  return [restrict, ...changes, archive];
}
