import { z } from "zod";
import { escapeHtml } from "@/lib/core/html.ts";
import type { ChatApp } from "../app.ts";
import { readLinkifierSet } from "../linkifiers/store.ts";
import type { TopicLink, TopicWork } from "../linkifiers/model/topic_linker.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { submessageSchema } from "../submessages/api.ts";
import { readSubmessages } from "../submessages/store.ts";
import { toDisplayTopic } from "../topics/model.ts";
import { toApiEmail, toPlaceholderEmail } from "../users/model.ts";
import { readUser } from "../users/store.ts";
import type { UserRecord } from "../users/model.ts";
import { toAvatarUrl, type UserViewer } from "../users/api.ts";
import { toEditHistory } from "./edit/api.ts";
import { readEditHistory } from "./edit/store.ts";
import { readMessageFlags } from "./flags/store.ts";
import type { Highlighter } from "./narrow/model/highlight.ts";
import type { ConversationRecord, MessageRecord, Viewer, VisibleMessage } from "./model.ts";
import { toReactingUser } from "./reactions/api.ts";
import { readReactions } from "./reactions/store.ts";
import { readRenderedContent } from "./store.ts";

/** Output format that a client asked for. */
export interface MessageFormat {
  /** Whether content is HTML rather than Markdown. */
  readonly isRendered: boolean;
  /** Whether the client accepts the empty name of general chat. */
  readonly allowsEmptyTopic: boolean;
  /** Whether the client computes avatars of users who uploaded none. */
  readonly drawsAvatars: boolean;
}

/** A message, its viewer and the output format. */
export interface MessageView {
  readonly visible: VisibleMessage;
  readonly viewer: Viewer;
  readonly format: MessageFormat;
  /** Work that the request has left for the links of topics. */
  readonly topicWork: TopicWork;
  /** Marks the words of the request's search; missing without one. */
  readonly highlight?: Highlighter | null;
}

/** Converts a message for the API. Spectators get placeholder addresses and no edit history. */
export async function toMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { visible, viewer, format, topicWork, highlight = null }: MessageView,
) {
  const { message, channel } = visible;
  const { realm } = permissions;
  // Concurrent, so that they share store reads.
  const [sender, html, display_recipient, edited, flags, reactions, submessages, links] = await Promise.all([
    readUser(app, realm.id, message.sender_id),
    format.isRendered || highlight !== null ? readRenderedContent(app, realm.id, message) : "",
    channel?.name ?? toParticipants(app, permissions, visible.conversation),
    message.history_bytes === undefined ? {} : readEditFields(app, realm.id, { message, viewer, format }),
    readMessageFlags(app, permissions, { visible, user: viewer }),
    readApiReactions(app, permissions, { messageId: message.id, viewer }),
    message.widget_type === undefined ? [] : readSubmessages(app, realm.id, message),
    channel === null ? [] : findTopicLinks(app, realm.id, { topic: message.topic, topicWork }),
  ]);
  if (sender === null) throw new Error(`Message ${message.id} has no sender`);
  return {
    id: message.id,
    client: message.client,
    content: format.isRendered ? html : message.content,
    content_type: format.isRendered ? "text/html" : "text/x-markdown",
    display_recipient,
    ...edited,
    flags,
    is_me_message: message.is_me_message,
    reactions,
    submessages,
    recipient_id: toRecipientId(message),
    ...toSender(sender, { app, realm, viewer, clientDrawsAvatars: format.drawsAvatars && viewer !== null }),
    ...(channel === null ? {} : { stream_id: channel.id }),
    subject: channel === null ? "" : toDisplayTopic(message.topic, format.allowsEmptyTopic),
    timestamp: toSeconds(message.sent_at),
    topic_links: links,
    type: channel === null ? "private" : "stream",
    ...(highlight === null ? {} : toMatchFields(visible, { html, highlight })),
  };
}

/** Reads the reactions of a message with their users. */
async function readApiReactions(
  app: ChatApp,
  permissions: PermissionContext,
  { messageId, viewer }: { messageId: number; viewer: Viewer },
) {
  const { id: realmId } = permissions.realm;
  const given = await readReactions(app, realmId, messageId);
  if (given.length === 0) return given;
  const ids = [...new Set(given.map(({ user_id }) => user_id))];
  const users = new Map(
    await Promise.all(ids.map(async (id) => {
      const user = await readUser(app, realmId, id);
      return [id, { id, ...toReactingUser(app, permissions, { viewer, id, user }) }] as const;
    })),
  );
  return given.map((reaction) => ({ ...reaction, user: users.get(reaction.user_id) }));
}

/** Returns the content and the topic of a message as HTML, with the words of a search marked. */
export function toMatchFields(
  { message, channel }: Pick<VisibleMessage, "message" | "channel">,
  { html, highlight }: { html: string; highlight: Highlighter | null },
) {
  const topic = channel === null ? "" : escapeHtml(toDisplayTopic(message.topic, false));
  const mark = highlight ?? ((text: string) => text);
  return { match_content: mark(html), match_subject: mark(topic) };
}

function findTopicLinks(
  app: ChatApp,
  realmId: number,
  { topic, topicWork }: { topic: string; topicWork: TopicWork },
): Promise<readonly TopicLink[]> {
  const known = topicWork.found.get(topic);
  if (known !== undefined) return known;
  const found = readLinkifierSet(app, realmId).then(({ topics }) => topics.find(topic, topicWork));
  topicWork.found.set(topic, found);
  return found;
}

function toSender(sender: UserRecord, context: UserViewer) {
  const { app, realm, viewer } = context;
  return {
    avatar_url: toAvatarUrl(sender, context),
    sender_email: (viewer === null ? toPlaceholderEmail : toApiEmail)(app, realm, sender),
    sender_full_name: sender.full_name,
    sender_id: sender.id,
    sender_realm_str: realm.subdomain,
  };
}

async function readEditFields(
  app: ChatApp,
  realmId: number,
  { message, viewer, format }: { message: MessageRecord; viewer: Viewer; format: MessageFormat },
) {
  const { id, edited_at, moved_at } = message;
  return {
    // The history names private channels and holds retracted content.
    ...(viewer === null
      ? {}
      : { edit_history: toEditHistory(await readEditHistory(app, realmId, id), format.allowsEmptyTopic) }),
    ...(edited_at === null ? {} : { last_edit_timestamp: toSeconds(edited_at) }),
    ...(moved_at === null ? {} : { last_moved_timestamp: toSeconds(moved_at) }),
  };
}

/** Returns the number of a recipient: channels have even numbers, conversations odd ones. */
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
    email: toApiEmail(app, realm, user),
    full_name: user.full_name,
    is_mirror_dummy: false,
  }));
}

/** A participant of a conversation. */
const participantSchema = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
});

/** A message as the API returns it. */
export const messageSchema = z.object({
  id: z.int(),
  avatar_url: z.string().nullable(),
  client: z.string(),
  content: z.string(),
  content_type: z.enum(["text/html", "text/x-markdown"]),
  display_recipient: z.union([z.string(), z.array(participantSchema)]),
  edit_history: z.array(z.object({
    user_id: z.int().nullable(),
    timestamp: z.int(),
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
    prev_topic: z.string().optional(),
    topic: z.string().optional(),
    prev_stream: z.int().optional(),
    stream: z.int().optional(),
  })).optional().meta({ description: "Changes, newest first." }),
  flags: z.array(z.string()),
  is_me_message: z.boolean(),
  last_edit_timestamp: z.int().optional(),
  last_moved_timestamp: z.int().optional(),
  reactions: z.array(z.object({
    emoji_name: z.string(),
    emoji_code: z.string(),
    reaction_type: z.string(),
    user_id: z.int(),
    user: participantSchema.optional().meta({
      description: "Who reacted, for older clients. `Unknown user` for users whom you cannot access.",
    }),
  })),
  recipient_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_id: z.int(),
  sender_realm_str: z.string(),
  stream_id: z.int().optional(),
  subject: z.string().meta({ description: "The topic." }),
  submessages: z.array(submessageSchema).meta({
    description: "The poll or to-do list that the message is, and its changes, oldest first.",
  }),
  timestamp: z.int().meta({ description: "Seconds since 1970 UTC." }),
  topic_links: z.array(z.object({ text: z.string(), url: z.string() })),
  type: z.enum(["stream", "private"]),
  match_content: z.string().optional().meta({
    description: "Content as HTML with the words of the search marked; only in results of a search.",
  }),
  match_subject: z.string().optional().meta({ description: "Topic in the same form." }),
}).meta({ id: "Message" });
