import { findUser, permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { once } from "es-toolkit/function/once";
import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type AdmittedCaller, requireStillValid } from "@/lib/chat/people/auth/authenticate.ts";
import { createTopicWork, type TopicWork } from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import type { MessageFormat } from "@/lib/chat/messages/api.ts";
import type { NarrowTerm } from "@/lib/chat/messages/narrow/terms.ts";
import { readNarrow } from "@/lib/chat/messages/narrow/read_narrow.ts";
import {
  canAccessAllUsers,
  canAccessUser,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { listMutedTopics, listUserTopics } from "@/lib/chat/channels/topics/user_topics.ts";
import { isAdmin, isGuest, ROLE, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { type ChatEvent, endedTypes, type StoredEvent } from "@/lib/chat/organization/events/model.ts";
import type { ClientCapability, QueueHandle, QueueRecord } from "./queues.ts";
import type { NumberedEvent } from "./tail.ts";

/** The owner of a queue at the time of delivery, with the options of their client. */
export interface Receiver {
  /** Caches reads that many events share. */
  readonly app: ChatApp;
  readonly permissions: PermissionContext;
  readonly user: UserRecord;
  readonly queue: QueueRecord;
  readonly queueId: string;
  /**
   * Terms that messages have to match; null when a term names something that does not exist: then none match.
   */
  readonly terms: readonly NarrowTerm[] | null;
  /** Work that the response has left for the links of topics. */
  readonly topicWork: TopicWork;
  /** Lists the owner's muted topics as they are now; all events of a response share the list. */
  readonly listMutedTopics: () => ReturnType<typeof listMutedTopics>;
  /** Whether no event that waits for the receiver may have changed flags of messages. */
  readonly areFlagsNew: boolean;
}

/** Types of events whose commits may change flags; each change of flags has such an event. */
const CHANGES_OF_FLAGS: readonly string[] = ["update_message_flags", "update_message"];

/**
 * Reads the current state of a queue's owner, who has still to receive the pending events. `app` caches reads, none of
 * which is older than the events.
 * @throws AppError as `requireStillValid`.
 */
export async function readReceiver(
  app: ChatApp,
  owner: AdmittedCaller,
  { queue: { id: queueId, record: queue }, pending }: {
    queue: Pick<QueueHandle, "id" | "record">;
    pending: readonly NumberedEvent[];
  },
): Promise<Receiver> {
  // Read after the events, so that none of a later commit than the end of the credentials is delivered.
  const { realm, user } = await requireStillValid(app, owner);
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const terms = await readTerms(app, permissions, { user, queue });
  const areFlagsNew = !pending.some(({ stored: { event, audience } }) =>
    CHANGES_OF_FLAGS.includes(event.type) &&
    (typeof audience === "string" || "channel" in audience || audience.includes(user.id))
  );
  const allowsEmptyTopic = queue.client_capabilities.includes("empty_topic_name");
  return {
    app,
    permissions,
    user,
    queue,
    queueId,
    terms,
    areFlagsNew,
    topicWork: createTopicWork(),
    listMutedTopics: once(async () => {
      const topics = await listUserTopics(app, { realmId: permissions.realm.id, userId: user.id });
      return await listMutedTopics(app, permissions, { user, topics, allowsEmptyTopic });
    }),
  };
}

async function readTerms(
  app: ChatApp,
  permissions: PermissionContext,
  { user, queue }: { user: UserRecord; queue: QueueRecord },
): Promise<readonly NarrowTerm[] | null> {
  if (queue.narrow.length === 0) return [];
  const wire = queue.narrow.map((term) => {
    if (!Array.isArray(term)) return { ...term, negated: term.negated ?? false };
    const [operator = "", operand = ""] = term;
    return { operator, operand, negated: false };
  });
  try {
    return await readNarrow(app, permissions, { wire, viewer: user });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

export function hasCapability({ queue }: Receiver, capability: ClientCapability): boolean {
  return queue.client_capabilities.includes(capability);
}

export function messageFormatFor(receiver: Receiver): MessageFormat {
  const { apply_markdown, client_gravatar } = receiver.queue;
  const allowsEmptyTopic = hasCapability(receiver, "empty_topic_name");
  return { isRendered: apply_markdown, allowsEmptyTopic, drawsAvatars: client_gravatar };
}

/** Maximum number of channels whose subscription is looked up before the receiver is read. */
const MAX_CHANNELS = 20;

/** Older or additional types under which an event may be delivered, by type. */
const ALTERNATIVE_TYPES: Readonly<Record<string, readonly string[]>> = {
  user_settings: ["update_display_settings", "update_global_notifications"],
  update_message: ["delete_message", "update_message_flags"],
};

export function acceptsType({ event_types }: Pick<QueueRecord, "event_types">, type: string): boolean {
  if (event_types === null) return true;
  // `user_topic` events contain the muted topics.
  return event_types.includes(type) && !(type === "muted_topics" && event_types.includes("user_topic"));
}

/**
 * Whether a queue accepts the type of an event, and its owner is not excluded by the user ids of the
 * audience.
 */
export function matchesQueue(queue: QueueRecord, stored: StoredEvent): boolean {
  const { user_id } = queue;
  const { audience } = stored;
  const ended = endedTypes(stored);
  const { type } = stored.event;
  // The types of which the queue has to accept one; null when any queue receives the event.
  const accepted = ended === undefined ? [type, ...ALTERNATIVE_TYPES[type] ?? []] : ended;
  if (accepted?.some((acceptedType) => acceptsType(queue, acceptedType)) === false) return false;
  return typeof audience === "string" || "channel" in audience || audience.includes(user_id);
}

/** Whether a message mentions a bot that receives it without being subscribed to its channel. */
export function isForMentionedBot({ mentioned_bot_ids: ids }: ChatEvent, userId: number): boolean {
  return Array.isArray(ids) && ids.includes(userId);
}

/**
 * Whether any of the events that match a queue is more than a message in a channel to which its owner was
 * never subscribed. The receiver need not be read for such messages, which most events are.
 */
export async function isAnyRelevant(
  { reads }: Pick<ChatApp, "reads">,
  { realmId, queue }: { realmId: number; queue: QueueRecord },
  events: readonly StoredEvent[],
): Promise<boolean> {
  const channelIds = new Set(events.map(({ event, audience }) => {
    const isInChannel = event.type === "message" && typeof audience !== "string" && "channel" in audience;
    const isDirected = queue.all_public_streams || isForMentionedBot(event, queue.user_id);
    return isInChannel && !isDirected ? audience.channel : null;
  }));
  if (channelIds.size > MAX_CHANNELS) return true;
  const found = await Promise.all(
    [...channelIds].map((channelId) =>
      channelId === null || reads.read(channelKeys.subscription(realmId, queue.user_id, channelId))
    ),
  );
  return found.some((subscription) => subscription !== null);
}

/** Whether an event matches the receiver's queue and role, as far as is known without reading the store. */
export function matchesReceiver({ queue, user }: Receiver, stored: StoredEvent): boolean {
  if (!matchesQueue(queue, stored)) return false;
  switch (stored.audience) {
    case "members":
      return !isGuest(user);
    case "guests":
      return isGuest(user);
    case "moderators":
      return user.role <= ROLE.moderator;
    case "admins":
      return isAdmin(user);
    default:
      return true;
  }
}

/** Whether the receiver is in the audience of an event and can access the account that it is about. */
export async function canReceive(receiver: Receiver, stored: StoredEvent): Promise<boolean> {
  if (!matchesReceiver(receiver, stored)) return false;
  const { app, permissions, user } = receiver;
  const { event, audience } = stored;
  // The recipients of a message are stored with it; access to it is checked when it is adapted.
  const isSubscribed = typeof audience === "string" || !("channel" in audience) || event.type === "message" ||
    (await app.reads.read<SubscriptionRecord>(
        channelKeys.subscription(permissions.realm.id, user.id, audience.channel),
      ))?.is_active === true;
  if (!isSubscribed || !TYPES_ABOUT_USERS.includes(event.type) || canAccessAllUsers(permissions, user)) {
    return isSubscribed;
  }
  const { user_id, person, sender, sender_id } = event;
  const id = user_id ?? readUserId(person) ?? readUserId(sender) ?? sender_id;
  const subject = typeof id === "number" ? findUser(permissions, id) : null;
  return subject !== null && canAccessUser(permissions, user, subject);
}

/** Types of events about an account that guests may not be able to access. */
const TYPES_ABOUT_USERS: readonly string[] = [
  "presence",
  "realm_user",
  "user_status",
  "typing",
  "typing_edit_message",
];

function readUserId(value: unknown): unknown {
  return typeof value === "object" && value !== null && "user_id" in value ? value.user_id : undefined;
}
