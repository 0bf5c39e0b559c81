import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/app.ts";
import { findUnreadCandidates } from "@/lib/chat/events/initial_state/find_unread_candidates.ts";
import { listUnarchivedSubscriptions } from "@/lib/chat/events/initial_state/find_unread_messages.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { readTopicVisibility } from "@/lib/chat/topics/user_topics.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { readMessageFlags } from "../flags/store.ts";
import type { VisibleMessage } from "../model.ts";
import type { NarrowTerm } from "../narrow/model/narrow.ts";
import type { ScanBudget } from "./filter_candidates.ts";
import { findAmongIds } from "./find_messages.ts";

/** Number of messages that are searched together. */
const BATCH = 100;

/** A search for the first unread message of a user. */
interface FirstUnreadQuery {
  readonly user: UserRecord;
  readonly terms: readonly NarrowTerm[];
  readonly budget: ScanBudget;
}

/**
 * Returns the id of the oldest unread message that matches a narrow, as the initial state counts unread
 * messages: in conversations and in unarchived channels to which the user is subscribed. Muted topics are
 * skipped unless the narrow names them, and muted channels unless it names the channel. Null when there is none, or
 * when the budget is spent before one is found.
 */
export async function findFirstUnread(
  app: ChatApp,
  permissions: PermissionContext,
  query: FirstUnreadQuery,
): Promise<number | null> {
  const { user, budget } = query;
  const reader = { app, realm: permissions.realm, user };
  const subscriptions = await listUnarchivedSubscriptions(reader);
  const { ids } = await findUnreadCandidates(reader, subscriptions);
  for (const batch of chunk(ids, BATCH)) {
    budget.left -= batch.length;
    if (budget.left < 0) return null;
    for await (const visible of findAmongIds(app, permissions, { ids: batch, query })) {
      const { message: { id, channel_id }, isReceived } = visible;
      if (!isReceived || (channel_id !== null && !subscriptions.has(channel_id))) continue;
      if (await isMutedIn(app, permissions, { query, visible })) continue;
      const flags = await readMessageFlags(app, permissions, { visible, user });
      if (!flags.includes("read")) return id;
    }
    budget.lastId = batch.at(-1) ?? 0;
  }
  return null;
}

async function isMutedIn(
  app: ChatApp,
  { realm }: PermissionContext,
  { query: { terms, user }, visible }: { query: FirstUnreadQuery; visible: VisibleMessage },
): Promise<boolean> {
  const hasTerm = (kind: NarrowTerm["kind"]) => terms.some((term) => term.kind === kind && !term.negated);
  const namesMuted = terms.some((term) => term.kind === "is" && term.what === "muted" && !term.negated);
  if (namesMuted || (hasTerm("channel") && hasTerm("topic"))) return false;
  const { message } = visible;
  const { isMuted, isTopicMuted } = await readTopicVisibility(app, realm.id, { message, userId: user.id });
  return hasTerm("channel") ? isTopicMuted : isMuted;
}
