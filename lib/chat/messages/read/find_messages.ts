import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { readChannelAsSpectator } from "@/lib/chat/channels/store.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  DEFAULT_TOPIC_VISIBILITY,
  readTopicVisibility,
  type TopicVisibility,
} from "@/lib/chat/channels/topics/user_topics.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { createRowsReader } from "@/lib/chat/messages/rows_reader.ts";
import { createVisibilityReader } from "../access.ts";
import { createFlagsReader, type MessageFlag } from "../flags.ts";
import type { Candidate, IdScan, MessageRecord, Viewer, VisibleMessage } from "../model.ts";
import { chooseIndex, matchesNarrow, type MessageFacts, type NarrowIndex } from "../narrow/match_narrow.ts";
import type { NarrowTerm } from "../narrow/terms.ts";
import { reactionsKey } from "../reactions.ts";
import { readMessages } from "./cached_reads.ts";
import { listCandidates } from "./list_candidates.ts";

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
interface QueryPlan {
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

/**
 * Creates a filter that returns those of some candidates that the viewer can see and that satisfy all terms, in their
 * order, and lets the event loop take its turn after some work.
 */
function createFilter(
  app: ChatApp,
  permissions: PermissionContext,
  { query, plan }: { query: MessageQuery; plan: QueryPlan },
): (candidates: readonly Candidate[]) => Promise<readonly VisibleMessage[]> {
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
      .filter(({ message, isReceived }) =>
        !plan.isOwnHistory || isReceived || message.sender_id === query.user?.id
      );
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

/** Terms that name a location; with one of them, messages sent before the viewer subscribed match too. */
const LOCATION_KINDS: readonly string[] = ["channel", "channels", "topic", "dm", "id"];
const WEB_PUBLIC_INDEX: NarrowIndex = { kind: "channels", which: "web-public" };
/**
 * Number of web-public messages up to which they are scanned one by one instead of by an index of all
 * messages.
 */
const MAX_WEB_PUBLIC_SCAN = 4000;
/** Kinds of indexes that hold messages of all channels. */
const COVERING_KINDS: readonly NarrowIndex["kind"][] = ["search", "sender", "facet", "reactions"];
/** Kinds of indexes that also hold messages that do not match. */
const INEXACT_KINDS: readonly NarrowIndex["kind"][] = ["search", "mentioned", "alerted"];
/** Operands of `is:` that depend on the viewer's flags, and those that depend on policies for topics and channels. */
const FLAG_STATES: readonly string[] = ["starred", "mentioned", "alerted", "unread"];
const VISIBILITY_STATES: readonly string[] = ["followed", "muted"];
/** Number of messages read concurrently, and of those whose text is searched, which takes more time. */
const READ_AHEAD = 20;
const SEARCH_AHEAD = 4;

/** Yields the messages that the viewer can see and that satisfy all terms, in scan order. */
export async function* findMessages(
  app: ChatApp,
  permissions: PermissionContext,
  search: MessageSearch,
): AsyncGenerator<VisibleMessage> {
  for await (const found of findMessageBatches(app, permissions, search)) yield* found;
}

/** A query and where it begins. */
interface MessageSearch {
  readonly query: MessageQuery;
  readonly scan: IdScan;
}

/** Yields the messages as `findMessages` does, those together that were read together. */
export async function* findMessageBatches(
  app: ChatApp,
  permissions: PermissionContext,
  { query, scan }: MessageSearch,
): AsyncGenerator<readonly VisibleMessage[], void> {
  const plan = query.user === null
    ? await planForSpectator(app, permissions, query.terms)
    : createPlan(query.terms);
  const reader = { permissions, user: query.user };
  const filter = createFilter(app, permissions, { query, plan });
  let batch: Candidate[] = [];
  let isSpent = false;
  for await (const candidates of await listCandidates(app, reader, { index: plan.index, scan })) {
    for (const candidate of candidates) {
      if (query.budget !== undefined) {
        query.budget.left -= plan.reads;
        isSpent = query.budget.left < 0;
        if (isSpent) break;
        query.budget.lastId = candidate.id;
      }
      if (batch.push(candidate) < plan.readAhead) continue;
      yield await filter(batch);
      batch = [];
    }
    if (isSpent) break;
  }
  yield await filter(batch);
}

/**
 * Yields those of the given messages that the viewer can see and that satisfy all terms, in the order of the
 * ids.
 */
export async function* findAmongIds(
  app: ChatApp,
  permissions: PermissionContext,
  { ids, query }: { ids: readonly number[]; query: MessageQuery },
): AsyncGenerator<VisibleMessage> {
  // Without an index, all terms are checked on each message.
  const plan = { ...createPlan(query.terms), ...toResidualPlan(query.terms) };
  const filter = createFilter(app, permissions, { query, plan });
  const known = ids.filter(Number.isSafeInteger).map((id) => ({ id, message: null }));
  for (const candidates of chunk(known, plan.readAhead)) {
    yield* await filter(candidates);
    // Callers search many ids in portions, each with a filter of its own.
    await yieldToEventLoop();
  }
}

/**
 * Plans a query of a spectator. Messages that are not web-public are not even scanned, so response times
 * reveal nothing about private messages, their authors and words. An index of all messages is used only when
 * there are very many web-public ones.
 */
async function planForSpectator(
  app: ChatApp,
  permissions: PermissionContext,
  terms: readonly NarrowTerm[],
): Promise<QueryPlan> {
  const plan = createPlan(terms);
  const { index } = plan;
  if ("channelId" in index) {
    return await readChannelAsSpectator(app, permissions.realm, index.channelId) === null
      ? { ...plan, index: { kind: "nothing" } }
      : plan;
  }
  return COVERING_KINDS.includes(index.kind) && await isWebPublicScanCheap(app, permissions)
    ? { ...plan, index: WEB_PUBLIC_INDEX, ...toResidualPlan(terms) }
    : plan;
}

async function isWebPublicScanCheap(app: ChatApp, permissions: PermissionContext): Promise<boolean> {
  const scan = { from: Number.MAX_SAFE_INTEGER - 1, isAscending: false };
  let count = 0;
  const found = await listCandidates(app, { permissions, user: null }, { index: WEB_PUBLIC_INDEX, scan });
  for await (const { length } of found) {
    count += length;
    if (count > MAX_WEB_PUBLIC_SCAN) return false;
  }
  return true;
}

function createPlan(terms: readonly NarrowTerm[]): QueryPlan {
  const { index, residual } = chooseIndex(terms);
  const residualTerms = INEXACT_KINDS.includes(index.kind) ? terms : residual;
  return {
    index,
    isOwnHistory: !terms.some(({ kind, negated }) => LOCATION_KINDS.includes(kind) && !negated),
    ...toResidualPlan(residualTerms),
  };
}

function toResidualPlan(
  residual: readonly NarrowTerm[],
): Pick<QueryPlan, Exclude<keyof QueryPlan, "index" | "isOwnHistory">> {
  const needsFlags = residual.some((term) => term.kind === "is" && FLAG_STATES.includes(term.what));
  const needsVisibility = residual.some((term) =>
    term.kind === "in" || (term.kind === "is" && VISIBILITY_STATES.includes(term.what))
  );
  const needsReactions = residual.some((term) => term.kind === "has" && term.what === "reaction");
  const searchesText = residual.some(({ kind }) => kind === "search");
  return {
    residual,
    needsFlags,
    needsVisibility,
    needsReactions,
    searchesText,
    reads: 1 + (needsFlags || needsVisibility ? 2 : 0) + (needsReactions ? 1 : 0),
    readAhead: searchesText ? SEARCH_AHEAD : READ_AHEAD,
  };
}
