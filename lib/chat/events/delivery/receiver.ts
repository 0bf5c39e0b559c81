import { once } from "es-toolkit/function/once";
import type { ChatApp } from "@/lib/chat/app.ts";
import { type AdmittedCaller, requireStillValid } from "@/lib/chat/auth/require_still_valid.ts";
import { createTopicWork, type TopicWork } from "@/lib/chat/linkifiers/model/find_links.ts";
import type { MessageFormat } from "@/lib/chat/messages/api.ts";
import type { NarrowTerm } from "@/lib/chat/messages/narrow/model/narrow.ts";
import { readNarrow } from "@/lib/chat/messages/narrow/read_narrow.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { listMutedTopics } from "@/lib/chat/topics/list_muted_topics.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { StoredEvent } from "../model.ts";
import type { QueueHandle } from "../queues/access_queue.ts";
import type { ClientCapability, QueueRecord } from "../queues/model.ts";
import type { NumberedEvent } from "./read_events.ts";

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
  /** Work that the answer has left for the links of topics. */
  readonly topicWork: TopicWork;
  /** Lists the owner's muted topics as they are now; all events of an answer share the list. */
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
  const permissions = await peekPermissionContext(app, realm);
  const terms = await readTerms(app, permissions, { user, queue });
  const areFlagsNew = !pending.some(({ stored }) => mayChangeFlags(stored, user.id));
  const allowsEmptyTopic = queue.client_capabilities.includes("empty_topic_name");
  return {
    ...{ app, permissions, user, queue, queueId, terms, areFlagsNew },
    topicWork: createTopicWork(),
    listMutedTopics: once(() => listMutedTopics(app, permissions, { user, allowsEmptyTopic })),
  };
}

function mayChangeFlags({ event, audience }: StoredEvent, userId: number): boolean {
  if (!CHANGES_OF_FLAGS.includes(event.type)) return false;
  return typeof audience === "string" || "channel" in audience || audience.includes(userId);
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

/** Whether the receiver's client declared a capability. */
export function hasCapability({ queue }: Receiver, capability: ClientCapability): boolean {
  return queue.client_capabilities.includes(capability);
}

/** Returns the format in which the receiver's client takes messages. */
export function messageFormatFor(receiver: Receiver): MessageFormat {
  const { apply_markdown, client_gravatar } = receiver.queue;
  const allowsEmptyTopic = hasCapability(receiver, "empty_topic_name");
  return { isRendered: apply_markdown, allowsEmptyTopic, drawsAvatars: client_gravatar };
}
