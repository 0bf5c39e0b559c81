import type { ChatApp } from "@/lib/chat/app.ts";
import { hasContentAccess } from "@/lib/chat/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { listSubscriberIds } from "@/lib/chat/channels/subscriptions/store.ts";
import { toVisibleMessage } from "@/lib/chat/messages/access.ts";
import {
  type ConversationRecord,
  messageKeys,
  type MessageRecord,
  type VisibleMessage,
} from "@/lib/chat/messages/model.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { isBot, type UserRecord } from "@/lib/chat/users/model.ts";
import { listUsers } from "@/lib/chat/users/store.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { readRecord, toEntry } from "@/lib/store/key.ts";
import type { ExportType } from "../model.ts";
import { listConsentingIds } from "../store.ts";

/** The data that an export includes, as decided when it begins. */
export interface ExportScope {
  readonly realm: RealmRecord;
  /** Users whose private data is included, by id; none in a public export. */
  readonly consenting: ReadonlyMap<number, UserRecord>;
  /** Included channels by id, with the consenting users who can read a private one. */
  readonly channels: ReadonlyMap<number, readonly UserRecord[]>;
  /** Id of the last message that is included. */
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
  const permissions = await peekPermissionContext(app, realm);
  const channels = new Map<number, readonly UserRecord[]>();
  const prefix = [...channelKeys.channels(realm.id)];
  for await (const entry of app.store.kv.list({ prefix }, { batchSize: 100 })) {
    const { value: channel } = toEntry<ChannelRecord>(entry);
    const readers = channel.invite_only ? await listReaders(app, permissions, { channel, users }) : [];
    if (!channel.invite_only || readers.length > 0) channels.set(channel.id, readers);
    await yieldToEventLoop();
    await check();
  }
  return { realm, consenting, channels, lastMessageId };
}

/** Returns those of the users who can read a channel. */
async function listReaders(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, users }: { channel: ChannelRecord; users: readonly UserRecord[] },
): Promise<readonly UserRecord[]> {
  if (users.length === 0) return [];
  const subscribers = new Set(await listSubscriberIds(app, permissions.realm.id, channel.id));
  return users.filter((user) =>
    hasContentAccess(permissions, { channel, user, isSubscribed: subscribers.has(user.id) })
  );
}

/**
 * Returns a message with its channel or conversation if the export includes it, or null: if its channel is public,
 * or a consenting user can see it. Decides by the present state, so that a change during the export hides messages.
 */
export async function toIncludedMessage(
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
