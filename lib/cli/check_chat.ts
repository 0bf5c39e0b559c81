import { checkChannelFolders } from "@/lib/chat/channels/channel_folders.ts";
import { checkEmoji } from "@/lib/chat/organization/emoji.ts";
import { checkBotStorage } from "@/lib/chat/people/bot_storage.ts";
import { reminders } from "@/lib/chat/messages/reminders.ts";
import { snippets } from "@/lib/chat/messages/saved_snippets.ts";
import { scheduledMessages } from "@/lib/chat/messages/scheduled_messages/model.ts";
import {
  type GroupSetting,
  listNamedGroups,
} from "@/lib/chat/organization/permissions/model/group_setting.ts";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { groupKeys, type GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import { groupNames } from "@/lib/chat/organization/user_groups/store.ts";
import { systemGroupName } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { realmKeys, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { indexedOwnerId } from "@/lib/chat/people/put_user.ts";
import { foldEmail, isActiveOwner, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";

import { compareIndex, type Complain, indexBelow } from "@/lib/chat/organization/check_index.ts";
import { checkChannels } from "./check_channels.ts";
import { checkInvites } from "./check_invites.ts";
import { checkMessages } from "./check_messages.ts";
import { checkUploads, listPending, sizesBelow } from "./check_uploads.ts";
import { presenceKeys, type PresenceRecord } from "@/lib/chat/people/presence/model.ts";
import { exportKeys, type ExportRecord, parseDueKey } from "@/lib/chat/register/exports/store.ts";
import { pushJobKeys } from "@/lib/chat/messages/push_jobs.ts";
import { devices, isReachable, type QueuedRegistration, REGISTRATIONS } from "@/lib/chat/devices/devices.ts";
import { uploadKeys, type UploadRecord } from "@/lib/chat/organization/files/model.ts";
import {
  FILE_KINDS,
  fileKindOf,
  listDaySums,
  type Measure,
  readStorage,
} from "@/lib/chat/organization/statistics/store.ts";

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
  await groupNames.check(kv, { realmId: realm.id, named: groups }, complain);
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

/** Compares the order of reports with the presence of an organization's users. */
export async function checkPresence(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const records = await listValues<PresenceRecord>(kv, presenceKeys.presences(realmId));
  compareIndex(complain, "order of reports of presence", {
    wanted: records.map(({ update_id, user_id }) => [String(update_id), user_id]),
    found: await indexBelow(kv, presenceKeys.updates(realmId)),
  });
  const head = await readRecord<number>(kv, presenceKeys.head) ?? 0;
  for (const { user_id, update_id } of records.filter((record) => record.update_id > head)) {
    complain(`user ${user_id} has presence ${update_id}; the last update is ${head}.`);
  }
}

/** Compares an organization's data exports with their due rows and the bytes of their archives. */
async function checkExports(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const exports = await readRecord<readonly ExportRecord[]>(kv, exportKeys.exports(realmId)) ?? [];
  compareIndex(complain, "due data exports", {
    wanted: exports.flatMap(({ id, due_at }): [string, unknown][] =>
      due_at === null ? [] : [[`${due_at} ${id}`, true]]
    ),
    found: await listDue(kv, realmId),
  });
  const found = await sizesBelow(kv, exportKeys.chunks(realmId));
  const archives = new Set<string>();
  for (const { id, archive } of exports) {
    if (archive === null) continue;
    archives.add(archive.blob);
    const { bytes, isInOrder } = found.get(archive.blob) ?? { bytes: 0, isInOrder: true };
    if (bytes !== archive.size) {
      complain(`the archive of data export ${id} has a size of ${archive.size} bytes; ${bytes} are stored.`);
    } else if (!isInOrder) complain(`the stored bytes of data export ${id} are not in order.`);
  }
  const pending = await listPending(kv, realmId);
  for (const blob of found.keys()) {
    if (!archives.has(blob) && !pending.has(blob)) {
      complain(`the stored bytes ${blob} have no data export.`);
    }
  }
}

async function listDue(kv: Kv, realmId: number): Promise<[string, unknown][]> {
  const rows: [string, unknown][] = [];
  for await (const { key, value } of kv.list({ prefix: [...exportKeys.dueRows] }, { batchSize: 500 })) {
    const due = parseDueKey(key);
    if (due.realmId === realmId) rows.push([`${due.time} ${due.id}`, value]);
  }
  return rows;
}

/**
 * Compares device counts with the devices, and the queue with the registrations that are due at the bouncer.
 */
export async function checkDevices(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  await devices.check(kv, realmId, complain);
  const waiting: { id: number; requestId: string }[] = [];
  let reachable = 0;
  for await (const { record } of devices.listAll(kv, realmId)) {
    if (isReachable(record)) reachable++;
    const { id, pending, error_code } = record;
    if (pending !== null && error_code === null) waiting.push({ id, requestId: pending.request_id });
  }
  const counted = await readRecord<number>(kv, pushJobKeys.reachableDevices(realmId)) ?? 0;
  if (counted !== reachable) {
    complain(`the count of reachable devices is ${counted}; there are ${reachable}.`);
  }
  if (waiting.length === 0) return;
  const entries = await listValues<QueuedRegistration>(kv, REGISTRATIONS);
  const queued = new Set(entries.map(({ request_id }) => request_id));
  for (const { id } of waiting.filter(({ requestId }) => !queued.has(requestId))) {
    complain(`the registration of device ${id} is not queued.`);
  }
}

/**
 * Checks the statistics of an organization: the size of its files by kind, and that the messages of each day by
 * channel and by kind are the same number. Other sums of days cannot be derived, as deletions do not change them.
 */
async function checkStatistics(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  await checkStorage(kv, realmId, complain);
  const byKind = await sumDays(kv, { realmId, measure: "messages" }, ["public", "private"]);
  const byChannel = await sumDays(kv, { realmId, measure: "channel_messages" });
  for (const day of new Set([...byKind.keys(), ...byChannel.keys()])) {
    const [kinds, channels] = [byKind.get(day) ?? 0, byChannel.get(day) ?? 0];
    if (kinds === channels) continue;
    complain(`the messages of day ${day} are counted as ${kinds} by kind and ${channels} by channel.`);
  }
}

async function checkStorage(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const uploads = await listValues<UploadRecord>(kv, uploadKeys.uploads(realmId));
  const counted = await readStorage(kv, realmId);
  for (const kind of FILE_KINDS) {
    const size = uploads.reduce(
      (sum, upload) => fileKindOf(upload.content_type) === kind ? sum + upload.size : sum,
      0,
    );
    if (counted[kind] === size) continue;
    complain(
      `the counted size of files of the kind ${kind} is ${counted[kind]} bytes; their size is ${size}.`,
    );
  }
}

/** Returns the sums of a measure by day, of some of its parts or all. */
async function sumDays(
  kv: Kv,
  of: { readonly realmId: number; readonly measure: Measure },
  parts?: readonly (string | number)[],
): Promise<ReadonlyMap<number, number>> {
  const days = new Map<number, number>();
  for await (const { day, part, count } of listDaySums(kv, of, { from: -Infinity, to: Infinity })) {
    if (parts?.includes(part) !== false) days.set(day, (days.get(day) ?? 0) + count);
  }
  return days;
}
