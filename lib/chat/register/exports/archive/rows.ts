import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { toAppOfRequest } from "@/lib/chat/register/create_app.ts";
import {
  channelFolderKeys,
  type ChannelFolderRecord,
  type FolderPosition,
  toChannelFolder,
} from "@/lib/chat/channels/channel_folders.ts";
import { renderChannelDescription } from "@/lib/chat/channels/api.ts";
import { hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { listSubscriberIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { emojiKeys, type RealmEmojiRecord, toRealmEmoji } from "@/lib/chat/organization/emoji.ts";
import type { ExportType, LeasedExport } from "@/lib/chat/register/exports/store.ts";
import { listConsentingIds } from "@/lib/chat/people/user_settings/store.ts";
import { listLinkifiers } from "@/lib/chat/messages/linkifiers/store.ts";
import { toVisibleMessage } from "@/lib/chat/messages/access.ts";
import { type EditRecord, readEditHistory } from "@/lib/chat/messages/edit_history.ts";
import {
  type ConversationRecord,
  messageKeys,
  type MessageRecord,
  type VisibleMessage,
} from "@/lib/chat/messages/model.ts";
import {
  type Reaction,
  reactionsPrefix,
  type ReactionsRecord,
  toReactions,
} from "@/lib/chat/messages/reactions.ts";
import { cacheReads } from "@/lib/chat/messages/read/cached_reads.ts";
import { readRenderedContent } from "@/lib/chat/messages/store.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { listFields } from "@/lib/chat/people/profile_fields/api.ts";
import { readProfileData } from "@/lib/chat/people/profile_fields/store.ts";
import { readSubmessages } from "@/lib/chat/messages/submessages/model.ts";
import { listUserGroups } from "@/lib/chat/organization/user_groups/api.ts";
import { canSeeEmail, isBot, ROLE, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { toSeconds } from "@/lib/core/clock.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { type Key, readRecord, toEntry } from "@/lib/store/key.ts";
import { createRowsReader } from "@/lib/chat/messages/rows_reader.ts";

/** The data that an export includes, as decided when it begins. */
export interface ExportScope {
  readonly realm: RealmRecord;
  /** Users whose private data is included, by id; none in a public export. */
  readonly consenting: ReadonlyMap<number, UserRecord>;
  /** Included channels by id, with the consenting users who can read a private one. */
  readonly channels: ReadonlyMap<number, readonly UserRecord[]>;
  readonly lastMessageId: number;
}

/** Reads which channels and whose conversations an export includes; calls `check` between its steps. */
export async function readExportScope(
  app: ChatApp,
  { realm, type, check }: { realm: RealmRecord; type: ExportType; check: () => Promise<void> },
): Promise<ExportScope> {
  const lastMessageId = await readRecord<number>(app.store.kv, channelKeys.messageHead) ?? 0;
  const ids = type === "public" ? new Set<number>() : await listConsentingIds(app, realm.id);
  const users = (await listUsers(app, realm.id)).filter((user) => !isBot(user) && ids.has(user.id));
  const consenting = new Map(users.map((user) => [user.id, user]));
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const channels = new Map<number, readonly UserRecord[]>();
  const prefix = [...channelKeys.channels(realm.id)];
  for await (const entry of app.store.kv.list({ prefix }, { batchSize: 100 })) {
    const { value: channel } = toEntry<ChannelRecord>(entry);
    const isPrivate = channel.invite_only && users.length > 0;
    const subscribers = new Set(isPrivate ? await listSubscriberIds(app, realm.id, channel.id) : []);
    const readers = channel.invite_only
      ? users.filter((user) =>
        hasContentAccess(permissions, { channel, user, isSubscribed: subscribers.has(user.id) })
      )
      : [];
    if (!channel.invite_only || readers.length > 0) channels.set(channel.id, readers);
    await yieldToEventLoop();
    await check();
  }
  return { realm, consenting, channels, lastMessageId };
}

/** Returns a message if its channel is public or a consenting user can see it now, with its channel or conversation. */
async function toIncludedMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { scope, message }: { scope: ExportScope; message: MessageRecord },
): Promise<VisibleMessage | null> {
  const { channel_id } = message;
  const readers = channel_id === null
    ? await listParticipants(app, scope, message)
    : scope.channels.get(channel_id);
  if (readers === undefined) return null;
  if (channel_id !== null) {
    const channel = await app.reads.read<ChannelRecord>(channelKeys.channel(scope.realm.id, channel_id));
    if (channel?.invite_only === false) return { message, channel, conversation: null, isReceived: false };
  }
  for (const user of readers) {
    const visible = await toVisibleMessage(app, permissions, { message, user });
    if (visible !== null) return visible;
  }
  return null;
}

/** Returns the consenting users who take part in the conversation of a message. */
async function listParticipants(
  app: ChatApp,
  { realm, consenting }: ExportScope,
  { conversation_id }: MessageRecord,
): Promise<readonly UserRecord[]> {
  if (consenting.size === 0 || conversation_id === null) return [];
  const key = messageKeys.conversation(realm.id, conversation_id);
  const conversation = await app.reads.read<ConversationRecord>(key);
  return (conversation?.user_ids ?? []).flatMap((id) => consenting.get(id) ?? []);
}

/** Returns whether every user whose private data the export includes still allows it. */
export async function isStillAllowed(app: ChatApp, { realm, consenting }: ExportScope): Promise<boolean> {
  if (consenting.size === 0) return true;
  const ids = await listConsentingIds(app, realm.id);
  return [...consenting.keys()].every((id) => ids.has(id));
}

/** Viewer of what archives hold: an administrator with an id that no user has. */
const READER = { id: 0, role: ROLE.administrator } as const;

/** An attempt's store, its export and what that includes. */
interface RowSource {
  readonly app: ChatApp;
  readonly leased: LeasedExport;
  readonly scope: ExportScope;
}

/** A file that an archive always has, with the objects that it lists. */
interface ListedFile {
  readonly path: string;
  readonly rows: () => AsyncIterable<object> | Promise<readonly object[]>;
}

/** Lists the files about an organization, its people and its channels. */
export function listOrganizationFiles(source: RowSource): readonly ListedFile[] {
  const { app, leased: { realm, actor } } = source;
  return [
    { path: "organization.json", rows: () => listOrganization(source) },
    { path: "users.jsonl", rows: () => listUserRows(source) },
    { path: "channels.jsonl", rows: () => listChannelRows(source) },
    { path: "channel_folders.jsonl", rows: () => listFolderRows(source) },
    {
      path: "user_groups.jsonl",
      rows: () => listUserGroups(app, { realm, actingUser: actor }, { includeDeactivated: true }),
    },
    { path: "profile_fields.jsonl", rows: () => listFields(app, realm.id) },
    { path: "linkifiers.jsonl", rows: () => listLinkifiers(app, realm.id) },
    {
      path: "emoji.jsonl",
      rows: async function* () {
        const all = listRecords<RealmEmojiRecord>(app, emojiKeys.all(realm.id));
        for await (const emoji of all) yield toRealmEmoji(realm.id, emoji);
      },
    },
  ];
}

async function* listOrganization({ app, leased: { realm }, scope }: RowSource) {
  const { uuid, name, description, subdomain, date_created, permissions, settings } = realm;
  const { welcome_message_custom_text: _, ...rest } = settings;
  const toIncluded = (id: number | null) => id !== null && scope.channels.has(id) ? id : null;
  yield {
    uuid,
    name,
    description,
    subdomain,
    url: realmUrl(app, realm),
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
      id,
      full_name,
      role,
      is_active,
      is_bot: isBot(user),
      bot_type,
      bot_owner_id,
      timezone,
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

async function* listRecords<T>({ store }: ChatApp, prefix: Key): AsyncGenerator<T> {
  const entries = store.kv.list({ prefix: [...prefix] }, { batchSize: 100 });
  for await (const entry of entries) yield toEntry<T>(entry).value;
}

/** Number of messages that are read together; each may be large. */
const BATCH = 20;

/** Yields the included messages by id as JSON, and adds the ids of their uploads to `uploadIds`. */
export async function* listMessageRows(
  app: ChatApp,
  scope: ExportScope,
  uploadIds: Set<number>,
): AsyncGenerator<string> {
  const prefix = messageKeys.messages(scope.realm.id);
  const range = { prefix: [...prefix], end: [...prefix, scope.lastMessageId + 1] };
  let batch: MessageRecord[] = [];
  for await (const entry of app.store.kv.list(range, { batchSize: BATCH })) {
    if (batch.push(toEntry<MessageRecord>(entry).value) < BATCH) continue;
    yield* toRows(app, scope, { messages: batch, uploadIds });
    batch = [];
  }
  yield* toRows(app, scope, { messages: batch, uploadIds });
}

async function* toRows(
  uncachedApp: ChatApp,
  scope: ExportScope,
  { messages, uploadIds }: { messages: readonly MessageRecord[]; uploadIds: Set<number> },
): AsyncGenerator<string> {
  // A cache for each batch keeps little in memory, and notices what has become private meanwhile.
  await uncachedApp.readOrganization(scope.realm.id);
  const app = cacheReads(toAppOfRequest(uncachedApp, scope.realm.id));
  const permissions = permissionsOf(await app.readOrganization(scope.realm.id), app.clock);
  const found = await Promise.all(
    messages.map((message) => toIncludedMessage(app, permissions, { scope, message })),
  );
  const included = found.filter((visible) => visible !== null);
  if (included.length === 0) return;
  const ids = included.map(({ message }) => message.id);
  const readRows = createRowsReader(app.store, app.reads);
  const reactions = await readRows<ReactionsRecord>(reactionsPrefix(scope.realm.id), ids);
  const rows = await Promise.all(
    included.map((visible) =>
      toRow(app, scope, { visible, reactions: toReactions(reactions.get(visible.message.id) ?? null) })
    ),
  );
  for (const row of rows) {
    for (const id of row.upload_ids) uploadIds.add(id);
    yield JSON.stringify(row);
  }
}

async function toRow(
  app: ChatApp,
  scope: ExportScope,
  { visible: { message, channel, conversation }, reactions }: {
    visible: VisibleMessage;
    reactions: readonly Reaction[];
  },
) {
  const { realm } = scope;
  const { id, sender_id, topic, sent_at, edited_at, moved_at, content, client, is_me_message } = message;
  const [rendered_content, submessages, history] = await Promise.all([
    readRenderedContent(app, realm.id, message),
    readSubmessages(app, realm.id, message),
    message.history_bytes === undefined ? [] : readEditHistory(app, realm.id, id),
  ]);
  return {
    id,
    ...(channel === null
      ? { type: "direct", recipient_ids: conversation?.user_ids ?? [] }
      : { type: "channel", channel_id: channel.id, topic }),
    sender_id,
    timestamp: toSeconds(sent_at),
    content,
    rendered_content,
    client,
    is_me_message,
    last_edit_timestamp: edited_at === null ? null : toSeconds(edited_at),
    last_moved_timestamp: moved_at === null ? null : toSeconds(moved_at),
    edit_history: history.map((edit) => toEdit(scope, edit)),
    reactions,
    submessages: submessages.map(({ sender_id, content }) => ({ sender_id, content })),
    upload_ids: message.upload_ids ?? [],
  };
}

/** Returns a change of a message; a channel that the export does not include is not named. */
function toEdit({ channels }: ExportScope, { user_id, at, ...edit }: EditRecord) {
  const { prev_content, prev_rendered_content, prev_topic, topic, prev_channel_id, channel_id } = edit;
  const isNamed = [prev_channel_id, channel_id].every((id) => id === undefined || channels.has(id));
  return {
    user_id,
    timestamp: toSeconds(at),
    prev_content,
    prev_rendered_content,
    ...(isNamed ? { prev_topic, topic, prev_channel_id, channel_id } : {}),
  };
}
