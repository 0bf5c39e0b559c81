import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/app.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { readChannelAsSpectator } from "@/lib/chat/channels/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { createVisibilityReader, type VisibilityReader } from "../access.ts";
import type { NarrowTerm } from "../narrow/model/narrow.ts";
import { listCandidates } from "./list_candidates.ts";
import { readMessages } from "./read_messages.ts";
import { readMessageFlags } from "../flags/store.ts";
import type { Candidate, IdScan, MessageRecord, Viewer, VisibleMessage } from "../model.ts";
import type { MessageFlag } from "../flags/model.ts";
import { chooseIndex, type NarrowIndex } from "../narrow/choose_index.ts";
import { matchesNarrow, type MessageFacts } from "../narrow/matches_narrow.ts";
import { reactionsKey } from "../reactions/model.ts";
import {
  DEFAULT_TOPIC_VISIBILITY,
  readTopicVisibility,
  type TopicVisibility,
} from "@/lib/chat/topics/store.ts";

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

/** Terms that name a location; with one of them, messages sent before the viewer subscribed match too. */
const LOCATION_KINDS: readonly string[] = ["channel", "channels", "topic", "dm", "id"];
/** Index of all web-public messages. */
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
/** Number of messages read concurrently, and of those whose text is searched, which takes more time. */
const READ_AHEAD = 20;
const SEARCH_AHEAD = 4;
/** Characters of text whose search counts as one read. */
const CHARACTERS_PER_READ = 1000;

/** Yields the messages that the viewer can see and that satisfy all terms, in scan order. */
export async function* findMessages(
  app: ChatApp,
  permissions: PermissionContext,
  { query, scan }: { query: MessageQuery; scan: IdScan },
): AsyncGenerator<VisibleMessage> {
  const plan = query.user === null
    ? await planForSpectator(app, permissions, query.terms)
    : createPlan(query.terms);
  const reader = { realmId: permissions.realm.id, userId: query.user?.id ?? null };
  const readVisible = createVisibilityReader(app, permissions, query.user);
  let batch: Candidate[] = [];
  for await (const candidate of await listCandidates(app, reader, { index: plan.index, scan })) {
    if (query.budget !== undefined && !spend(query.budget, candidate.id, plan)) break;
    if (batch.push(candidate) < plan.readAhead) continue;
    yield* filterCandidates(app, permissions, { candidates: batch, query, plan, readVisible });
    batch = [];
    await yieldToEventLoop();
  }
  yield* filterCandidates(app, permissions, { candidates: batch, query, plan, readVisible });
}

/** Counts a message; returns false when the search has to end before it. */
function spend(budget: ScanBudget, id: number, { reads }: QueryPlan): boolean {
  budget.left -= reads;
  if (budget.left < 0) return false;
  budget.lastId = id;
  return true;
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
  const readVisible = createVisibilityReader(app, permissions, query.user);
  const known = ids.filter(Number.isSafeInteger).map((id) => ({ id, message: null }));
  for (const candidates of chunk(known, plan.readAhead)) {
    yield* filterCandidates(app, permissions, { candidates, query, plan, readVisible });
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
  { realm }: PermissionContext,
  terms: readonly NarrowTerm[],
): Promise<QueryPlan> {
  const plan = createPlan(terms);
  const { index } = plan;
  if ("channelId" in index) {
    return await readChannelAsSpectator(app, realm, index.channelId) === null
      ? { ...plan, index: { kind: "nothing" } }
      : plan;
  }
  return COVERING_KINDS.includes(index.kind) && await isWebPublicScanCheap(app, realm.id)
    ? { ...plan, index: WEB_PUBLIC_INDEX, ...toResidualPlan(terms) }
    : plan;
}

async function isWebPublicScanCheap(app: ChatApp, realmId: number): Promise<boolean> {
  const scan = { from: Number.MAX_SAFE_INTEGER - 1, isAscending: false };
  let count = 0;
  const found = await listCandidates(app, { realmId, userId: null }, { index: WEB_PUBLIC_INDEX, scan });
  for await (const _ of found) {
    if (++count > MAX_WEB_PUBLIC_SCAN) return false;
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
  const needsFlags = residual.some(({ kind }) => kind === "is");
  const needsVisibility = needsFlags || residual.some(({ kind }) => kind === "in");
  const needsReactions = residual.some((term) => term.kind === "has" && term.what === "reaction");
  const searchesText = residual.some(({ kind }) => kind === "search");
  return {
    residual,
    needsFlags,
    needsVisibility,
    needsReactions,
    searchesText,
    reads: 1 + (needsVisibility ? 2 : 0) + (needsReactions ? 1 : 0),
    readAhead: searchesText ? SEARCH_AHEAD : READ_AHEAD,
  };
}

async function* filterCandidates(
  app: ChatApp,
  permissions: PermissionContext,
  { candidates, query, plan, readVisible }: {
    candidates: readonly Candidate[];
    query: MessageQuery;
    plan: QueryPlan;
    readVisible: VisibilityReader;
  },
): AsyncGenerator<VisibleMessage> {
  const { user } = query;
  const messages = await readCandidates(app, permissions.realm.id, candidates);
  const found = (await readVisible(messages)).filter((visible) => visible !== null)
    .filter((visible) => !plan.isOwnHistory || isInOwnHistory(visible, user));
  if (plan.residual.length === 0) return yield* found;
  const matches = await Promise.all(
    found.map((visible) => isMatch(app, permissions, { visible, query, plan })),
  );
  for (const [at, visible] of found.entries()) if (matches[at] === true) yield visible;
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

/** Returns whether a message satisfies the terms that its index leaves open. */
async function isMatch(
  app: ChatApp,
  permissions: PermissionContext,
  { visible, query: { user, budget }, plan }: {
    visible: VisibleMessage;
    query: MessageQuery;
    plan: QueryPlan;
  },
): Promise<boolean> {
  const { id: realmId } = permissions.realm;
  const { message } = visible;
  if (plan.searchesText && budget !== undefined) {
    budget.left -= Math.min(budget.left, message.content.length / CHARACTERS_PER_READ);
  }
  const [flags, hasReaction, visibility] = await Promise.all([
    plan.needsFlags ? readMessageFlags(app, permissions, { visible, user }) : [],
    plan.needsReactions && app.reads.read(reactionsKey(realmId, message.id)).then((row) => row !== null),
    plan.needsVisibility && user !== null
      ? readTopicVisibility(app, realmId, { message, userId: user.id })
      : DEFAULT_TOPIC_VISIBILITY,
  ]);
  return matchesNarrow(plan.residual, toFacts(visible, { flags, hasReaction, visibility }));
}

function isInOwnHistory({ message, isReceived }: VisibleMessage, user: Viewer): boolean {
  return isReceived || message.sender_id === user?.id;
}

function toFacts(
  { message, channel, conversation }: VisibleMessage,
  { flags, hasReaction, visibility }: {
    flags: readonly MessageFlag[];
    hasReaction: boolean;
    visibility: TopicVisibility;
  },
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
