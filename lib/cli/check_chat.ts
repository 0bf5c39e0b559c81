import { checkChannelFolders } from "@/lib/chat/channel_folders.ts";
import { checkEmoji } from "@/lib/chat/emoji/store.ts";
import { checkBotStorage } from "@/lib/chat/bot_storage.ts";
import { reminders } from "@/lib/chat/reminders.ts";
import { snippets } from "@/lib/chat/saved_snippets.ts";
import { scheduledMessages } from "@/lib/chat/scheduled_messages/model.ts";
import { type GroupSetting, listNamedGroups } from "@/lib/chat/permissions/model/group_setting.ts";
import type { ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { groupKeys, type GroupRecord } from "@/lib/chat/user_groups/model/group.ts";
import { systemGroupName } from "@/lib/chat/permissions/model/system_groups.ts";
import { realmKeys, type RealmRecord } from "@/lib/chat/organizations/model.ts";
import { indexedOwnerId } from "@/lib/chat/put_user.ts";
import { foldEmail, isActiveOwner, userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";
import { checkChannels } from "./check_channels.ts";
import { compareForms, compareIndex, type Complain, indexBelow } from "@/lib/chat/check_index.ts";
import { checkDevices } from "./check_devices.ts";
import { checkExports } from "./check_exports.ts";
import { checkInvites } from "./check_invites.ts";
import { checkMessages } from "./check_messages.ts";
import { checkPresence } from "./check_presence.ts";
import { checkStatistics } from "./check_statistics.ts";
import { checkUploads } from "./check_uploads.ts";

/** Maximum number of problems that are listed. */
const MAX_LISTED = 100;

interface ChatReport {
  readonly realms: number;
  readonly users: number;
  readonly groups: number;
  readonly channels: number;
  readonly messages: number;
  /** One sentence for each index or counter that disagrees with its records. */
  readonly problems: readonly string[];
}

/**
 * Compares indexes and counters of people, groups, channels and messages with their records, in every
 * organization.
 */
export async function checkChat(kv: Kv): Promise<ChatReport> {
  const problems: string[] = [];
  const counts = { realms: 0, users: 0, groups: 0, channels: 0, messages: 0 };
  for (const realm of await listValues<RealmRecord>(kv, realmKeys.realms)) {
    const complain = (sentence: string) => {
      if (problems.length < MAX_LISTED) problems.push(`Organization ${realm.id}: ${sentence}`);
    };
    if (await readRecord(kv, realmKeys.bySubdomain(realm.subdomain)) !== realm.id) {
      complain(`its subdomain "${realm.subdomain}" does not resolve to it.`);
    }
    counts.realms++;
    counts.users += await checkUsers(kv, realm.id, complain);
    for (const one of [snippets, scheduledMessages, reminders]) await one.check(kv, realm.id, complain);
    await checkBotStorage(kv, realm.id, complain);
    await checkEmoji(kv, realm.id, complain);
    await checkChannelFolders(kv, realm.id, complain);
    await checkDevices(kv, realm.id, complain);
    await checkInvites(kv, realm.id, complain);
    await checkPresence(kv, realm.id, complain);
    await checkUploads(kv, realm.id, complain);
    await checkStatistics(kv, realm.id, complain);
    await checkExports(kv, realm.id, complain);
    const channels = await checkChannels(kv, realm.id, complain);
    counts.groups += await checkGroups(kv, realm, { channels, complain });
    counts.channels += channels.length;
    const channelIds = new Set(channels.map(({ id }) => id));
    counts.messages += await checkMessages(kv, { realmId: realm.id, channelIds }, complain);
  }
  return { ...counts, problems };
}

async function checkUsers(kv: Kv, realmId: number, complain: Complain): Promise<number> {
  const users = await listValues<UserRecord>(kv, userKeys.users(realmId));
  compareIndex(complain, "addresses", {
    wanted: users.map((user) => [foldEmail(user.delivery_email), user.id]),
    found: await indexBelow(kv, [realmId, "user_by_email"]),
  });
  const bots = Map.groupBy(users.filter((user) => indexedOwnerId(user) !== null), indexedOwnerId);
  compareIndex(complain, "lists of bots", {
    wanted: [...bots].map(([ownerId, owned]) => [String(ownerId), owned.map(({ id }) => id)]),
    found: await indexBelow(kv, [realmId, "bots"]),
  });
  const owners = users.filter(isActiveOwner).length;
  const counted = await readRecord<number>(kv, userKeys.ownerCount(realmId)) ?? 0;
  if (counted !== owners) complain(`the count of owners is ${counted}; there are ${owners}.`);
  return users.length;
}

async function checkGroups(
  kv: Kv,
  realm: RealmRecord,
  { channels, complain }: { channels: readonly ChannelRecord[]; complain: Complain },
): Promise<number> {
  const groups = await listValues<GroupRecord>(kv, groupKeys.groups(realm.id));
  compareIndex(complain, "names of groups", {
    wanted: groups.map(({ name, id }) => [name, id]),
    found: await indexBelow(kv, [realm.id, "group_by_name"]),
  });
  compareForms(complain, "forms of groups' names", {
    named: groups,
    found: await indexBelow(kv, [realm.id, "group_by_form"]),
    keepsCase: true,
  });
  const inUse = groups.filter(({ deactivated }) => !deactivated);
  const wanted = [
    ...usesOf(realm, { kind: "realm", id: realm.id, permissions: realm.permissions }),
    ...inUse.flatMap(({ id, permissions }) => usesOf(realm, { kind: "user_group", id, permissions })),
    ...channels.filter(({ is_archived }) => !is_archived)
      .flatMap(({ id, permissions }) => usesOf(realm, { kind: "channel", id, permissions })),
  ];
  const found = await indexBelow(kv, [realm.id, "group_use"]);
  compareIndex(complain, "uses of groups", { wanted, found });
  return groups.length;
}

/** Returns the groups that an owner's permissions name, except system groups, in the form of their index. */
function usesOf(
  realm: RealmRecord,
  { kind, id, permissions }: {
    kind: string;
    id: number;
    permissions: Readonly<Record<string, GroupSetting>>;
  },
): [string, unknown][] {
  return Object.entries(permissions).flatMap(([setting, value]) =>
    listNamedGroups(value).filter((group) => systemGroupName(realm, group) === null)
      .map((group): [string, unknown] => [`${group} ${kind} ${id} ${setting}`, true])
  );
}
