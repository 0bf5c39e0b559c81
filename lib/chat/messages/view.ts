import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { readLinkifiers } from "../linkifiers/read_linkifiers.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { apiEmail, placeholderEmail } from "../users/email.ts";
import { readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { avatarUrl, type UserViewer } from "../users/view.ts";
import type { SeenMessage, Viewer } from "./access.ts";
import { showTopic } from "./edit_topic.ts";
import { readFlags } from "./flags.ts";
import { readHistory, toEditHistory } from "./history_record.ts";
import { type ConversationRecord, messageKeys, type MessageRecord } from "./message.ts";
import { readReactions } from "./reactions.ts";

/** How a message is to be shown. */
export interface MessageLook {
  /** HTML rather than Markdown. */
  readonly isRendered: boolean;
  /** Whether the client knows of the topic without a name. */
  readonly knowsEmptyTopic: boolean;
  /** Whether the client draws pictures for those who uploaded none. */
  readonly drawsAvatars: boolean;
}

/** A message as the API shows it to somebody; to spectators without real addresses and without what it once was. */
export async function toMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { seen, viewer, look }: { seen: SeenMessage; viewer: Viewer; look: MessageLook },
) {
  const { message, channel } = seen;
  const { realm } = permissions;
  // All at once, so that they share reads of the store.
  const [sender, content, display_recipient, edited, flags, reactions, topic_links] = await Promise.all([
    readUser(app, realm.id, message.sender_id),
    look.isRendered ? readRendered(app, realm.id, message) : message.content,
    channel?.name ?? toParticipants(app, permissions, seen.conversation),
    changesOf(app, { realmId: realm.id, message, viewer, look }),
    readFlags(app, permissions, { seen, user: viewer }),
    readReactions(app, realm.id, message.id),
    channel === null ? [] : readTopicLinks(app, realm.id, message.topic),
  ]);
  if (sender === null) throw new Error(`Message ${message.id} has no sender`);
  return {
    id: message.id,
    client: message.client,
    content,
    content_type: look.isRendered ? "text/html" : "text/x-markdown",
    display_recipient,
    ...edited,
    flags,
    is_me_message: message.is_me_message,
    reactions,
    recipient_id: toRecipientId(message),
    ...toSender(sender, { app, realm, viewer, drawsAvatars: look.drawsAvatars && viewer !== null }),
    ...(channel === null ? {} : { stream_id: channel.id }),
    subject: channel === null ? "" : showTopic(message.topic, look.knowsEmptyTopic),
    submessages: [],
    timestamp: toSeconds(message.sent_at),
    topic_links,
    type: channel === null ? "private" : "stream",
  };
}

async function readTopicLinks(app: ChatApp, realmId: number, topic: string) {
  return (await readLinkifiers(app, realmId)).linksIn(topic);
}

function toSender(sender: UserRecord, context: UserViewer) {
  const { app, realm, viewer } = context;
  return {
    avatar_url: avatarUrl(sender, context),
    sender_email: (viewer === null ? placeholderEmail : apiEmail)(app, realm, sender),
    sender_full_name: sender.full_name,
    sender_id: sender.id,
    sender_realm_str: realm.subdomain,
  };
}

async function changesOf(
  app: ChatApp,
  { realmId, message, viewer, look }: {
    realmId: number;
    message: MessageRecord;
    viewer: Viewer;
    look: MessageLook;
  },
) {
  const { id, edited_at, moved_at } = message;
  if (message.history_bytes === undefined) return {};
  return {
    // It tells of places that were never open, and of what was taken back.
    ...(viewer === null
      ? {}
      : { edit_history: toEditHistory(await readHistory(app, realmId, id), look.knowsEmptyTopic) }),
    ...(edited_at === null ? {} : { last_edit_timestamp: toSeconds(edited_at) }),
    ...(moved_at === null ? {} : { last_moved_timestamp: toSeconds(moved_at) }),
  };
}

/** A number for each set of recipients: channels have the even ones, conversations the odd ones. */
function toRecipientId({ channel_id, conversation_id }: MessageRecord): number {
  return channel_id === null ? 2 * (conversation_id ?? 0) + 1 : 2 * channel_id;
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

async function toParticipants(
  app: ChatApp,
  { realm }: PermissionContext,
  conversation: ConversationRecord | null,
) {
  const users = await Promise.all((conversation?.user_ids ?? []).map((id) => readUser(app, realm.id, id)));
  return users.filter((user) => user !== null).map((user) => ({
    id: user.id,
    email: apiEmail(app, realm, user),
    full_name: user.full_name,
    is_mirror_dummy: false,
  }));
}

/** A message's rendered text, wherever it lies. */
export async function readRendered(app: ChatApp, realmId: number, message: MessageRecord): Promise<string> {
  if (message.rendered !== null) return message.rendered;
  let html = "";
  const pieces = app.store.kv.list({ prefix: [...messageKeys.rendered(realmId, message.id)] });
  for await (const piece of pieces) html += toEntry<string>(piece).value;
  return html;
}
