import type { ChatApp } from "@/lib/chat/app.ts";
import { toChannelFolder } from "@/lib/chat/channel_folders/api.ts";
import {
  channelFolderKeys,
  type ChannelFolderRecord,
  type FolderPosition,
} from "@/lib/chat/channel_folders/model.ts";
import { renderChannelDescription } from "@/lib/chat/channels/api.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { listSubscriberIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { emojiKeys, type RealmEmojiRecord, toRealmEmoji } from "@/lib/chat/emoji/model.ts";
import { listLinkifiers } from "@/lib/chat/linkifiers/store.ts";
import { realmUrl } from "@/lib/chat/organizations/model.ts";
import { listFields } from "@/lib/chat/profile_fields/api.ts";
import { readProfileData } from "@/lib/chat/profile_fields/store.ts";
import { listUserGroups } from "@/lib/chat/user_groups/list_user_groups.ts";
import { canSeeEmail, isBot, ROLE, userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import type { LeasedExport } from "../export_lease.ts";
import type { ExportScope } from "./export_scope.ts";

/** Reads archives: any administrator, who is none of the users. */
const READER = { id: 0, role: ROLE.administrator } as const;

/** An attempt's store, its export and what that includes. */
export interface RowSource {
  readonly app: ChatApp;
  readonly leased: LeasedExport;
  readonly scope: ExportScope;
}

/** A file that an archive always has, with the objects that it lists. */
export interface ListedFile {
  readonly path: string;
  readonly rows: () => AsyncIterable<object>;
}

/** Lists the files about an organization, its people and its channels. */
export function listOrganizationFiles(source: RowSource): readonly ListedFile[] {
  return [
    { path: "organization.json", rows: () => listOrganization(source) },
    { path: "users.jsonl", rows: () => listUserRows(source) },
    { path: "channels.jsonl", rows: () => listChannelRows(source) },
    { path: "channel_folders.jsonl", rows: () => listFolderRows(source) },
    { path: "user_groups.jsonl", rows: () => listGroupRows(source) },
    { path: "profile_fields.jsonl", rows: () => listFieldRows(source) },
    { path: "linkifiers.jsonl", rows: () => listLinkifierRows(source) },
    { path: "emoji.jsonl", rows: () => listEmojiRows(source) },
  ];
}

async function* listOrganization({ app, leased: { realm }, scope }: RowSource) {
  const { uuid, name, description, subdomain, date_created, permissions, settings } = realm;
  const { welcome_message_custom_text: _, ...rest } = settings;
  const toIncluded = (id: number | null) => id !== null && scope.channels.has(id) ? id : null;
  yield {
    ...{ uuid, name, description, subdomain, url: realmUrl(app, realm) },
    date_created: toSeconds(date_created),
    settings: {
      ...rest,
      new_stream_announcements_stream_id: toIncluded(settings.new_stream_announcements_stream_id),
      moderation_request_channel_id: toIncluded(settings.moderation_request_channel_id),
    },
    permissions,
  };
}

async function* listUserRows({ app, leased: { realm } }: RowSource) {
  for await (const user of listRecords<UserRecord>(app, userKeys.users(realm.id))) {
    const { id, full_name, role, is_active, bot_type, bot_owner_id, timezone, date_joined } = user;
    yield {
      ...{ id, full_name, role, is_active, is_bot: isBot(user), bot_type, bot_owner_id, timezone },
      email: canSeeEmail(READER, user) ? user.delivery_email : null,
      is_system_bot: user.is_system_bot === true,
      date_joined: toSeconds(date_joined),
      profile_data: isBot(user) ? {} : await readProfileData(app, realm.id, id),
    };
  }
}

async function* listChannelRows({ app, leased: { realm }, scope }: RowSource) {
  for await (const channel of listRecords<ChannelRecord>(app, channelKeys.channels(realm.id))) {
    const readers = scope.channels.get(channel.id);
    // A channel may have become private since the scope was read.
    if (readers === undefined || channel.invite_only && readers.length === 0) continue;
    yield {
      ...channel,
      rendered_description: channel.rendered_description ?? renderChannelDescription(channel.description),
      date_created: toSeconds(channel.date_created),
      subscriber_ids: await listSubscriberIds(app, realm.id, channel.id),
    };
  }
}

async function* listFolderRows({ app, leased: { realm } }: RowSource) {
  const key = channelFolderKeys.positions(realm.id);
  const positions = await app.reads.read<readonly FolderPosition[]>(key) ?? [];
  const orders = new Map(positions.map(({ id, order }) => [id, order]));
  for await (const folder of listRecords<ChannelFolderRecord>(app, channelFolderKeys.folders(realm.id))) {
    yield toChannelFolder({ app, realm }, folder, orders.get(folder.id) ?? 0);
  }
}

async function* listGroupRows({ app, leased: { realm, actor } }: RowSource) {
  yield* await listUserGroups(app, { realm, actingUser: actor }, { includeDeactivated: true });
}

async function* listFieldRows({ app, leased: { realm } }: RowSource) {
  yield* await listFields(app, realm.id);
}

async function* listLinkifierRows({ app, leased: { realm } }: RowSource) {
  yield* await listLinkifiers(app, realm.id);
}

async function* listEmojiRows({ app, leased: { realm } }: RowSource) {
  for await (const emoji of listRecords<RealmEmojiRecord>(app, emojiKeys.all(realm.id))) {
    yield toRealmEmoji(realm.id, emoji);
  }
}

async function* listRecords<T>({ store }: ChatApp, prefix: Key): AsyncGenerator<T> {
  const entries = store.kv.list({ prefix: [...prefix] }, { batchSize: 100 });
  for await (const entry of entries) yield toEntry<T>(entry).value;
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
