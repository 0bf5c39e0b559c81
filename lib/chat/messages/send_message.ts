import { AppError } from "@/lib/core/errors.ts";
import { startAhead } from "@/lib/core/yield_to_event_loop.ts";
import type { SharedTx } from "@/lib/store/change_queue.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp, MessageTarget, SentMessage } from "@/lib/chat/organization/app.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import {
  hasRealmPermission,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import {
  filterExistingUploads,
  sendAttachmentUpdateEvents,
  updateReferences,
} from "@/lib/chat/messages/files/store.ts";
import { countMessage } from "@/lib/chat/organization/statistics/store.ts";
import { isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { getActingUser } from "@/lib/chat/organization/users/store.ts";
import { enqueueWebhooks, listWebhookBotIds, type WebhookTrigger } from "@/lib/chat/people/webhooks.ts";
import { type Mentions, messageKeys, type MessageRecord, type Recipient } from "./model.ts";
import { toInlineHtml, writeHtmlPieces } from "./store.ts";
import {
  applyTopicPolicies,
  AUTOMATIC_POLICY_SETTINGS,
  readTopicSettings,
  toAutomaticPolicySettings,
} from "@/lib/chat/channels/topics/automatic_policy.ts";
import { openRecipient, resolveTarget } from "./recipient.ts";
import { prepareContent, type PreparedContent } from "./prepare_content.ts";
import { enqueuePush, hasPushDevices } from "./push_jobs.ts";
import { facetKey, listFacets } from "./narrow/facets.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { findWidgetType } from "@/lib/chat/messages/submessages/model.ts";
import type { ChannelRecord } from "../organization/channels/model/channel.ts";
import { readSubscriberCount } from "../channels/subscriptions/store.ts";
import { type AutomaticPolicySettings, foldTopic } from "../channels/topics/model.ts";
import { isQueueId } from "../organization/events/model.ts";
import type { ParamValues } from "../organization/params/param.ts";
import { readSettingValues } from "../people/user_settings/store.ts";
import type { sendMessageParams } from "./api.ts";

/** Number of subscribers up to which anyone can mention all of them. */
const MAX_FREELY_MENTIONED = 15;

/**
 * Requires that a user can mention all subscribers of a channel, if a message does.
 * @throws AppError STREAM_WILDCARD_MENTION_NOT_ALLOWED.
 */
export async function requireWildcardAllowed(
  app: ChatApp,
  permissions: PermissionContext,
  { channel, user, mentions }: {
    channel: Pick<ChannelRecord, "id">;
    user: UserRecord;
    mentions: Pick<Mentions, "is_stream_wildcard">;
  },
): Promise<void> {
  if (!mentions.is_stream_wildcard || user.is_system_bot === true) return;
  if (hasRealmPermission(permissions, "can_mention_many_users_group", user)) return;
  const count = await readSubscriberCount(app, permissions.realm.id, channel.id);
  if (count <= MAX_FREELY_MENTIONED) return;
  throw new AppError(
    "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    "You do not have permission to use channel wildcard mentions in this channel.",
    { field: "content" },
  );
}

export interface OutgoingMessage {
  readonly realm: RealmRecord;
  readonly sender: UserRecord;
  readonly target: MessageTarget;
  readonly prepared: PreparedContent;
  /** Name of the sending program. */
  readonly client: string;
  /** The sender's settings for policies of topics, null for bots; read where they are missing. */
  readonly policySettings?: AutomaticPolicySettings | null;
  /** For a client that shows the message before it is stored. */
  readonly localEcho?: LocalEcho | undefined;
  /** Further reads and writes in the message's commit; what it throws prevents the message. */
  readonly claim?: ((tx: Tx) => Promise<void>) | undefined;
  /** Writes more in the commit of the message. */
  readonly alongside?: (tx: Tx, messageId: number) => Promise<void>;
}

/** The sender's event queue, and the sending client's own identifier of the message. */
interface LocalEcho {
  readonly queueId: string;
  readonly localId: string;
}

/** Size of a message's keys and index entries without its text, in bytes. */
const OVERHEAD_BYTES = 4000;

/**
 * Sends a message and returns it once it is stored. The number of writes depends on its words and mentions,
 * not on the number of receivers.
 * @throws AppError STREAM_DOES_NOT_EXIST, STREAM_WILDCARD_MENTION_NOT_ALLOWED, USER_DEACTIVATED, or BAD_REQUEST when the
 * sender lacks another permission.
 */
export async function sendMessage(app: ChatApp, outgoing: OutgoingMessage): Promise<SentMessage> {
  const { realm, prepared: { mentions } } = outgoing;
  // Read while the message waits for its commit.
  const ahead = startAhead(Promise.all([
    hasPushDevices(app, realm.id),
    readWebhooks(app, outgoing),
    readTopicSettings(app, realm.id, { ...outgoing, mentions }),
  ]));
  await app.wordIndexer.waitForIndex(realm.id);
  const message = await app.messageCommitter.submit(async (tx) => {
    await outgoing.claim?.(tx);
    // Read before the topic, whose removal counts up the organization's version.
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const sender = await getActingUser(tx, realm.id, outgoing.sender);
    const [id, recipient] = await Promise.all([
      tx.takeId("message"),
      openRecipient(tx, permissions, { sender, target: outgoing.target }),
    ]);
    if (recipient.kind === "channel") {
      await requireWildcardAllowed(app, permissions, { channel: recipient.channel, user: sender, mentions });
    }
    const upload_ids = await filterExistingUploads(tx, permissions.realm.id, outgoing.prepared.upload_ids);
    const prepared = { ...outgoing.prepared, upload_ids };
    const message = toRecord({ ...outgoing, prepared }, { id, recipient, now: permissions.now });
    writeMessage(tx, permissions, { message, recipient, prepared, localEcho: outgoing.localEcho });
    if (upload_ids.length > 0) {
      await sendAttachmentUpdateEvents(app, tx, toReferenceChange(permissions, message.id, upload_ids));
    }
    const [hasDevices, webhooks, settings] = await ahead;
    const newPolicy = await applyTopicPolicies(tx, { permissions, sender, recipient, settings });
    const at = { realmId: realm.id, messageId: message.id, now: permissions.now };
    if (hasDevices) enqueuePush(tx, at);
    enqueueWebhooks(tx, at, webhooks);
    await outgoing.alongside?.(tx, message.id);
    return { id: message.id, newPolicy };
  });
  const [hasDevices, { botIds }] = await ahead;
  app.wordIndexer.messageSent(realm.id);
  if (hasDevices) app.wakeNotifier();
  if (botIds.length > 0) app.wakeWebhooks();
  return message;
}

/** Returns the outgoing webhook bots that a message addresses; bots address none, so that they form no loops. */
async function readWebhooks(app: ChatApp, { realm, sender, target, prepared }: OutgoingMessage) {
  const trigger: WebhookTrigger = target.kind === "direct" ? "direct_message" : "mention";
  const userIds = target.kind === "direct" ? target.userIds : prepared.mentions.user_ids;
  return { trigger, botIds: isBot(sender) ? [] : await listWebhookBotIds(app, realm.id, userIds) };
}

function toReferenceChange(
  { realm, now }: Pick<PermissionContext, "realm" | "now">,
  messageId: number,
  after: readonly number[],
) {
  return { realmId: realm.id, messageId, before: [], after, now };
}

function toRecord(
  { sender, client, prepared }: OutgoingMessage,
  { id, recipient, now }: { id: number; recipient: Recipient; now: number },
): MessageRecord {
  const { content, mentions, has_link, has_image, has_attachment, is_me_message } = prepared;
  const widget_type = findWidgetType(content);
  return {
    id,
    sender_id: sender.id,
    channel_id: recipient.kind === "channel" ? recipient.channel.id : null,
    topic: recipient.kind === "channel" ? recipient.topic : "",
    read_bucket: recipient.kind === "channel" ? foldTopic(recipient.topic) : "",
    conversation_id: recipient.kind === "direct" ? recipient.conversation.id : null,
    content,
    rendered: toInlineHtml(prepared),
    client,
    sent_at: now,
    edited_at: null,
    moved_at: null,
    is_me_message,
    has_link,
    has_image,
    has_attachment,
    mentions,
    ...(prepared.upload_ids.length === 0 ? {} : { upload_ids: prepared.upload_ids }),
    ...(widget_type === null ? {} : { widget_type }),
  };
}

function writeMessage(
  tx: SharedTx,
  { realm, now }: PermissionContext,
  { message, recipient, prepared, localEcho }: {
    message: MessageRecord;
    recipient: Recipient;
    prepared: PreparedContent;
    localEcho: LocalEcho | undefined;
  },
): void {
  const { id } = message;
  countMessage(tx, { realmId: realm.id, now }, recipient);
  tx.set(messageKeys.message(realm.id, id), message);
  if (message.rendered === null) writeHtmlPieces(tx, messageKeys.rendered(realm.id, id), prepared.html);
  tx.set([...messageKeys.sentBy(realm.id, message.sender_id), id], true);
  for (const facet of listFacets(message)) tx.set([...facetKey(realm.id, facet), id], true);
  updateReferences(tx, toReferenceChange({ realm, now }, id, prepared.upload_ids));
  const audience = recipient.kind === "channel"
    ? writeToChannel(tx, { realmId: realm.id, message, recipient })
    : writeToConversation(tx, { realmId: realm.id, message, recipient });
  // Mentioned bots receive a message of a public channel without being subscribed to it.
  const isPublic = recipient.kind === "channel" && !recipient.channel.invite_only;
  const { mentioned_bot_ids } = prepared;
  // The event holds only the id: delivery reads the message, which is large and the same for all receivers.
  const event = {
    type: "message",
    message_id: id,
    ...(isPublic && mentioned_bot_ids.length > 0 ? { mentioned_bot_ids } : {}),
    ...(localEcho === undefined ? {} : { sender_queue_id: localEcho.queueId, local_id: localEcho.localId }),
  };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience });
  tx.weigh(2 * (message.content.length + prepared.html.length) + OVERHEAD_BYTES);
}

function writeToChannel(
  tx: SharedTx,
  { realmId, message, recipient }: {
    realmId: number;
    message: MessageRecord;
    recipient: Extract<Recipient, { kind: "channel" }>;
  },
) {
  const { channel, topic } = recipient;
  tx.set([...messageKeys.ofChannel(realmId, channel.id), message.id], true);
  tx.set([...messageKeys.ofTopic(realmId, channel.id, topic), message.id], true);
  tx.sum(messageKeys.topicCount(realmId, channel.id, topic), 1n);
  for (const userId of message.mentions.user_ids) {
    tx.set([...messageKeys.mentioned(realmId, userId), message.id], true);
  }
  return { channel: channel.id };
}

function writeToConversation(
  tx: SharedTx,
  { realmId, message, recipient }: {
    realmId: number;
    message: MessageRecord;
    recipient: Extract<Recipient, { kind: "direct" }>;
  },
) {
  const { id, user_ids } = recipient.conversation;
  tx.set([...messageKeys.ofConversation(realmId, id), message.id], true);
  for (const userId of user_ids) tx.set([...messageKeys.directOf(realmId, userId), message.id], true);
  for (const userId of message.mentions.user_ids.filter((mentioned) => user_ids.includes(mentioned))) {
    tx.set([...messageKeys.mentioned(realmId, userId), message.id], true);
  }
  return user_ids;
}

/**
 * Returns the content as it is stored: without NUL characters and surrounding blank lines.
 * @throws AppError BAD_REQUEST for empty content.
 */
export function requireMessageContent(text: string): string {
  const content = text.replaceAll("\0", "").replace(/^(\s*\n)+/, "").trimEnd();
  if (content.trim() === "") throw new AppError("BAD_REQUEST", "Message must not be empty");
  return content;
}

/** @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST. */
export async function postMessage(
  app: ChatApp,
  { realm, sender, client }: Pick<OutgoingMessage, "realm" | "sender" | "client">,
  requested: ParamValues<typeof sendMessageParams>,
): Promise<SentMessage> {
  const target = await resolveTarget(app, { realm, actingUser: sender }, requested);
  const content = requireMessageContent(requested.content);
  const values = await readSettingValues(app, { realmId: realm.id, userId: sender.id }, [
    "translate_emoticons",
    ...AUTOMATIC_POLICY_SETTINGS,
  ]);
  const translatesEmoticons = values.translate_emoticons === true;
  const prepared = await prepareContent(app, { realm, author: sender, translatesEmoticons }, content);
  const policySettings = toAutomaticPolicySettings(sender, values);
  const { queue_id: queueId, local_id: localId } = requested;
  const isEcho = queueId !== undefined && isQueueId(queueId) && localId !== "";
  const localEcho = isEcho ? { queueId, localId } : undefined;
  return await sendMessage(app, { realm, sender, target, prepared, client, policySettings, localEcho });
}
