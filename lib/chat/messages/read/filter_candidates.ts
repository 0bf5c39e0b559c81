import type { ChatApp } from "@/lib/chat/app.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import {
  DEFAULT_TOPIC_VISIBILITY,
  readTopicVisibility,
  type TopicVisibility,
} from "@/lib/chat/topics/store.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { createRowsReader } from "./store/rows_reader.ts";
import { createVisibilityReader } from "../access.ts";
import type { MessageFlag } from "../flags/model.ts";
import { createFlagsReader } from "../flags/store.ts";
import type { Candidate, MessageRecord, Viewer, VisibleMessage } from "../model.ts";
import type { NarrowIndex } from "../narrow/choose_index.ts";
import { matchesNarrow, type MessageFacts } from "../narrow/matches_narrow.ts";
import type { NarrowTerm } from "../narrow/model/narrow.ts";
import { reactionsKey } from "../reactions/model.ts";
import { readMessages } from "./read_messages.ts";

/**
 * Work after which the event loop takes its turn, in characters of searched text for each term, and what a candidate
 * counts besides its text.
 */
const WORK_AT_ONCE = 40_000;
const WORK_OF_CANDIDATE = 400;
/** Characters of text whose search counts as one read. */
const CHARACTERS_PER_READ = 1000;

/** A search for messages by a viewer. */
export interface MessageQuery {
  readonly user: Viewer;
  readonly terms: readonly NarrowTerm[];
  /** Limit of the search, if there is one. */
  readonly budget?: ScanBudget;
}

/** Limit of a search. */
export interface ScanBudget {
  /** Reads of the store that may still be made; counted down, and negative once the search has ended early. */
  left: number;
  /** Id of the last message that was examined. */
  lastId?: number;
}

/** Index to scan, and the terms to check on each message. */
export interface QueryPlan {
  readonly index: NarrowIndex;
  readonly residual: readonly NarrowTerm[];
  /** Whether only messages sent to or by the viewer match. */
  readonly isOwnHistory: boolean;
  readonly needsFlags: boolean;
  /** Whether the viewer's policies for topics and channels matter. */
  readonly needsVisibility: boolean;
  readonly needsReactions: boolean;
  /** Reads of the store for each message. */
  readonly reads: number;
  readonly readAhead: number;
  /** Whether the text of each message is searched. */
  readonly searchesText: boolean;
}

/** Returns those of some candidates that the viewer can see and that satisfy all terms, in their order. */
export type CandidateFilter = (candidates: readonly Candidate[]) => Promise<readonly VisibleMessage[]>;

/** Creates a filter that lets the event loop take its turn after some work. */
export function createFilter(
  app: ChatApp,
  permissions: PermissionContext,
  { query, plan }: { query: MessageQuery; plan: QueryPlan },
): CandidateFilter {
  const readVisible = createVisibilityReader(app, permissions, query.user);
  const matches = createMatcher(app, permissions, { query, plan });
  let work = 0;
  return async (candidates) => {
    if (work >= WORK_AT_ONCE) {
      work = 0;
      await yieldToEventLoop();
    }
    const messages = await readCandidates(app, permissions.realm.id, candidates);
    const found = (await readVisible(messages)).filter((visible) => visible !== null)
      .filter((visible) => !plan.isOwnHistory || isInOwnHistory(visible, query.user));
    const searched = plan.searchesText
      ? found.reduce((sum, { message }) => sum + message.content.length, 0)
      : 0;
    work += (candidates.length * WORK_OF_CANDIDATE + searched) * Math.max(1, plan.residual.length);
    return plan.residual.length === 0 ? found : await matches(found);
  };
}

async function readCandidates(
  app: ChatApp,
  realmId: number,
  candidates: readonly Candidate[],
): Promise<MessageRecord[]> {
  const unread = candidates.flatMap(({ id, message }) => message === null ? [id] : []);
  const read = await readMessages(app, realmId, unread);
  let next = 0;
  return candidates.map(({ message }) => message ?? read[next++] ?? null).filter((message) =>
    message !== null
  );
}

/** Creates a function that selects the messages that satisfy the terms which their index leaves open. */
function createMatcher(
  app: ChatApp,
  permissions: PermissionContext,
  { query: { user, budget }, plan }: { query: MessageQuery; plan: QueryPlan },
): (found: readonly VisibleMessage[]) => Promise<readonly VisibleMessage[]> {
  const { id: realmId } = permissions.realm;
  const readRows = createRowsReader(app.store, app.reads);
  const readFlags = createFlagsReader(app, permissions, { user, readRows });
  const isMatch = async (visible: VisibleMessage, flags: readonly MessageFlag[]) => {
    const { message } = visible;
    const [hasReaction, visibility] = await Promise.all([
      plan.needsReactions && app.reads.read(reactionsKey(realmId, message.id)).then((row) => row !== null),
      plan.needsVisibility && user !== null
        ? readTopicVisibility(app, realmId, { message, userId: user.id })
        : DEFAULT_TOPIC_VISIBILITY,
    ]);
    return matchesNarrow(plan.residual, toFacts(visible, { flags, hasReaction, visibility }));
  };
  return async (found) => {
    if (plan.searchesText && budget !== undefined) {
      for (const { message: { content } } of found) {
        budget.left -= Math.min(budget.left, content.length / CHARACTERS_PER_READ);
      }
    }
    if (!plan.needsFlags && !plan.needsReactions && !plan.needsVisibility) {
      return found.filter((visible) => matchesNarrow(plan.residual, toFacts(visible, NO_FACTS)));
    }
    const flags = plan.needsFlags && found.length > 0 ? await readFlags(found) : [];
    const isFound = await Promise.all(found.map((visible, at) => isMatch(visible, flags[at] ?? [])));
    return found.filter((_, at) => isFound[at]);
  };
}

function isInOwnHistory({ message, isReceived }: VisibleMessage, user: Viewer): boolean {
  return isReceived || message.sender_id === user?.id;
}

/** Properties of a message that its record does not hold. */
interface ReadFacts {
  readonly flags: readonly MessageFlag[];
  readonly hasReaction: boolean;
  readonly visibility: TopicVisibility;
}

/** Facts of messages of which no term needs any. */
const NO_FACTS: ReadFacts = { flags: [], hasReaction: false, visibility: DEFAULT_TOPIC_VISIBILITY };

function toFacts(
  { message, channel, conversation }: VisibleMessage,
  { flags, hasReaction, visibility }: ReadFacts,
): MessageFacts {
  return {
    id: message.id,
    channelId: message.channel_id,
    isPublicChannel: channel !== null && !channel.invite_only,
    isWebPublicChannel: channel?.is_web_public ?? false,
    topic: message.topic,
    participants: conversation?.user_ids ?? null,
    senderId: message.sender_id,
    mentionedUserIds: message.mentions.user_ids.filter((id) =>
      conversation === null || conversation.user_ids.includes(id)
    ),
    flags,
    hasLink: message.has_link,
    hasImage: message.has_image,
    hasAttachment: message.has_attachment,
    hasReaction,
    content: message.content,
    ...visibility,
  };
}
