import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { NarrowTerm } from "../messages/narrow.ts";
import { readNarrow } from "../messages/read_narrow.ts";
import { rememberReads } from "../messages/request_memory.ts";
import type { MessageLook } from "../messages/view.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import { readRealmBySubdomain } from "../realm/realm.ts";
import type { ClientCapability, QueueRecord } from "../register/queue.ts";
import { readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import type { QueueOwner } from "./access_queue.ts";

/** Somebody who is told of events, as he is at this moment, and how his client wants them. */
export interface Receiver {
  /** Reads what many events have in common once. */
  readonly app: ChatApp;
  readonly permissions: PermissionContext;
  readonly user: UserRecord;
  readonly queue: QueueRecord;
  /** Which messages he is told of; null: none, as his terms name what is not there. */
  readonly terms: readonly NarrowTerm[] | null;
}

/** The owner of a queue as he is now; null when he may not be told anything any more. */
export async function readReceiver(
  plainApp: ChatApp,
  { realm: { id, subdomain }, user: { id: userId } }: QueueOwner,
  queue: QueueRecord,
): Promise<Receiver | null> {
  const [realm, user] = await Promise.all([
    readRealmBySubdomain(plainApp, subdomain),
    readUser(plainApp, id, userId),
  ]);
  if (realm === null || realm.is_deactivated || user === null || !user.is_active) return null;
  const app = rememberReads(plainApp);
  const permissions = await peekPermissionContext(app, realm);
  return { app, permissions, user, queue, terms: await readTerms(app, permissions, { user, queue }) };
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

/** Whether the receiver's client said that it can do something. */
export function can({ queue }: Receiver, capability: ClientCapability): boolean {
  return queue.client_capabilities.includes(capability);
}

/** How the receiver's client shows messages. */
export function lookOf(receiver: Receiver): MessageLook {
  const { apply_markdown, client_gravatar } = receiver.queue;
  const knowsEmptyTopic = can(receiver, "empty_topic_name");
  return { isRendered: apply_markdown, knowsEmptyTopic, drawsAvatars: client_gravatar };
}
