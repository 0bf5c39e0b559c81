import { memoize } from "es-toolkit/function/memoize";
import { z } from "zod";
import { escapeHtml } from "@/lib/core/text.ts";
import { createRowsReader } from "./rows_reader.ts";
import type { ChatApp, SentMessage } from "../organization/app.ts";
import { findTopicLinks } from "./linkifiers/store.ts";
import type { TopicLink, TopicWork } from "./linkifiers/model/find_links.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import { readSubmessages, type Submessage, submessageSchema } from "./submessages/model.ts";
import type { RealmRecord } from "../organization/organizations/model.ts";
import { toDisplayTopic } from "../channels/topics/model.ts";
import { toApiEmail, toPlaceholderEmail, type UserRecord } from "../organization/users/model.ts";
import { readUsers } from "../organization/users/store.ts";
import { toAvatarUrl, type UserViewer } from "../people/users/api.ts";
import {
  aliased,
  bool,
  boundedString,
  choice,
  described,
  exact,
  MAX_JSON,
  optional,
  text,
  textOrJson,
  trimmed,
  withDefault,
} from "../organization/params/param.ts";
import { readEditHistory, toEditHistory } from "./edit_history.ts";
import { createFlagsReader, type MessageFlag } from "./flags.ts";
import type { Highlighter } from "./narrow/search_words.ts";
import {
  MAX_MESSAGE_LENGTH,
  type MessageRecord,
  toRecipientId,
  type Viewer,
  type VisibleMessage,
} from "./model.ts";
import {
  type Reaction,
  reactionsPrefix,
  type ReactionsRecord,
  toApiReactions,
  toReactions,
} from "./reactions.ts";
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

export interface MessagesView {
  readonly viewer: Viewer;
  readonly format: MessageFormat;
  /** Work that the request has left for the links of topics. */
  readonly topicWork: TopicWork;
  /** Whether the viewer has changed no flag since the messages were sent; false, the default, if unknown. */
  readonly areNew?: boolean;
  /** Marks the words of the request's search; missing without one. */
  readonly highlight?: Highlighter | null;
}

interface MessageView extends MessagesView {
  readonly visible: VisibleMessage;
}

type ApiMessage = ReturnType<typeof composeMessage>;

/** Converts a message for the API. Spectators get placeholder addresses and no edit history. */
export async function toMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { visible, ...view }: MessageView,
): Promise<ApiMessage> {
  const [message] = await createMessagesConverter(app, permissions, view)([visible]);
  if (message === undefined) throw new Error(`Message ${visible.message.id} was not converted`);
  return message;
}

/** Creates a conversion of messages, as of `toMessage`, that reads what many of them share once. */
export function createMessagesConverter(
  app: ChatApp,
  permissions: PermissionContext,
  view: MessagesView,
): (messages: readonly VisibleMessage[]) => Promise<ApiMessage[]> {
  const { id: realmId } = permissions.realm;
  const readRows = createRowsReader(app.store, app.reads);
  const readFlags = createFlagsReader(app, permissions, { user: view.viewer, readRows, areNew: view.areNew });
  const { viewer, format } = view;
  const clientDrawsAvatars = format.drawsAvatars && viewer !== null;
  const toSender = memoize((sender: UserRecord) =>
    toSenderFields(sender, { app, realm: permissions.realm, viewer, clientDrawsAvatars })
  );
  return async (messages) => {
    // Concurrent, so that they share store reads.
    const [reactions, flags, parts, links] = await Promise.all([
      readRows<ReactionsRecord>(reactionsPrefix(realmId), messages.map(({ message }) => message.id)),
      readFlags(messages),
      Promise.all(messages.map((visible) => readParts(app, realmId, { ...view, visible }))),
      findTopicLinks(permissions.organization, {
        topics: messages.flatMap(({ message, channel }) => channel === null ? [] : [message.topic]),
        topicWork: view.topicWork,
      }),
    ]);
    const given = messages.map(({ message }) => toReactions(reactions.get(message.id) ?? null));
    const users = await readUsers(app, realmId, [
      ...messages.flatMap(({ message, conversation }) => [
        message.sender_id,
        ...conversation?.user_ids ?? [],
      ]),
      ...given.flat().map(({ user_id }) => user_id),
    ]);
    return messages.map((visible, at) =>
      composeMessage(app, permissions, {
        view,
        visible,
        users,
        links,
        toSender,
        flags: flags[at] ?? [],
        given: given[at] ?? [],
        parts: parts[at] ?? NO_PARTS,
      })
    );
  };
}

/** Parts of a message that are stored outside of its record. */
interface StoredParts {
  readonly html: string;
  readonly edited: object;
  readonly submessages: readonly Submessage[];
}

const NO_PARTS: StoredParts = { html: "", edited: {}, submessages: [] };

/** Reads the parts of a message that are stored outside of its record; most messages have none. */
function readParts(
  app: ChatApp,
  realmId: number,
  { visible: { message }, viewer, format, highlight = null }: MessageView,
): StoredParts | Promise<StoredParts> {
  const needsHtml = format.isRendered || highlight !== null;
  const html = needsHtml ? message.rendered : "";
  if (html !== null && message.history_bytes === undefined && message.widget_type === undefined) {
    return { ...NO_PARTS, html };
  }
  return Promise.all([
    html ?? readRenderedContent(app, realmId, message),
    message.history_bytes === undefined ? {} : readEditFields(app, realmId, { message, viewer, format }),
    readSubmessages(app, realmId, message),
  ]).then(([html, edited, submessages]) => ({ html, edited, submessages }));
}

interface MessageParts {
  readonly view: MessagesView;
  readonly visible: VisibleMessage;
  readonly users: ReadonlyMap<number, UserRecord>;
  readonly flags: readonly MessageFlag[];
  readonly given: readonly Reaction[];
  readonly links: ReadonlyMap<string, readonly TopicLink[]>;
  readonly parts: StoredParts;
  readonly toSender: (sender: UserRecord) => ReturnType<typeof toSenderFields>;
}

function composeMessage(app: ChatApp, permissions: PermissionContext, composed: MessageParts) {
  const { view, visible, users, flags, given, links, toSender, parts } = composed;
  const { html, edited, submessages } = parts;
  const { message, channel, conversation } = visible;
  const { viewer, format, highlight = null } = view;
  const { realm } = permissions;
  const sender = users.get(message.sender_id);
  if (sender === undefined) throw new Error(`Message ${message.id} has no sender`);
  return {
    id: message.id,
    client: message.client,
    content: format.isRendered ? html : message.content,
    content_type: format.isRendered ? "text/html" : "text/x-markdown",
    display_recipient: channel?.name ?? toParticipants(app, realm, { users, conversation }),
    ...edited,
    flags,
    is_me_message: message.is_me_message,
    reactions: given.length === 0 ? given : toApiReactions(app, permissions, { given, users, viewer }),
    submessages,
    recipient_id: toRecipientId(message),
    ...toSender(sender),
    ...(channel === null ? {} : { stream_id: channel.id }),
    subject: channel === null ? "" : toDisplayTopic(message.topic, format.allowsEmptyTopic),
    timestamp: toSeconds(message.sent_at),
    topic_links: channel === null ? [] : links.get(message.topic) ?? [],
    type: channel === null ? "private" : "stream",
    ...(highlight === null ? {} : toMatchFields(visible, { html, highlight })),
  };
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

function toSenderFields(sender: UserRecord, context: UserViewer) {
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

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

function toParticipants(
  app: ChatApp,
  realm: RealmRecord,
  { users, conversation }: Pick<MessageParts, "users"> & Pick<VisibleMessage, "conversation">,
) {
  const ids = conversation?.user_ids ?? [];
  return ids.map((id) => users.get(id)).filter((user) => user !== undefined).map((user) => ({
    id: user.id,
    email: toApiEmail(app, realm, user),
    full_name: user.full_name,
    is_mirror_dummy: false,
  }));
}

const participantSchema = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
});

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

const idOrText = z.union([z.int(), boundedString()]);

export const sendMessageParams = {
  type: described(
    choice(["stream", "channel", "private", "direct"]),
    "`channel` or `stream` for a channel, `direct` or `private` for users.",
  ),
  to: described(
    exact(textOrJson(z.union([idOrText, z.array(idOrText)]), { max: MAX_JSON })),
    "Name or id of a channel, or a list of user ids or email addresses.",
  ),
  content: described(text({ max: MAX_MESSAGE_LENGTH }), "Markdown."),
  topic: aliased(
    described(optional(exact(trimmed())), "Required for channels; empty for general chat."),
    "subject",
  ),
  read_by_sender: described(
    optional(bool()),
    "Accepted without effect: users have always read their own messages.",
  ),
  queue_id: described(
    optional(exact(text())),
    "The sender's event queue, whose event contains `local_message_id`.",
  ),
  local_id: described(
    withDefault(text({ max: 100 }), ""),
    "The client's own identifier of the message, returned as `local_message_id` in the event of its own queue.",
  ),
};

export const sentMessageSchema = z.object({
  id: z.int(),
  automatic_new_visibility_policy: z.int().optional().meta({
    description:
      "Visibility policy, 2 or 3, that your settings gave the topic by this message; missing when " +
      "it stayed.",
  }),
});

export function toSentMessage({ id, newPolicy }: SentMessage) {
  return { id, ...(newPolicy === null ? {} : { automatic_new_visibility_policy: newPolicy }) };
}

/** Maximum length of a program name, in characters. */
const MAX_CLIENT_NAME = 30;

/** Returns the name of the sending program: the part of its user agent before the version. */
export function toClientName(userAgent: string | null): string {
  const name = /^[^\s/]+/.exec(userAgent ?? "")?.[0] ?? "Unspecified";
  // All browsers report the same name.
  return name === "Mozilla" ? "website" : name.slice(0, MAX_CLIENT_NAME);
}

export const renderParams = { content: described(text({ max: MAX_MESSAGE_LENGTH }), "Markdown.") };

export const renderedContentSchema = z.object({ rendered: z.string().meta({ description: "HTML." }) });
