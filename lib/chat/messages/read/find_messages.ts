import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/app.ts";
import { readChannelAsSpectator } from "@/lib/chat/channels/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { Candidate, IdScan, VisibleMessage } from "../model.ts";
import { chooseIndex, type NarrowIndex } from "../narrow/choose_index.ts";
import type { NarrowTerm } from "../narrow/model/narrow.ts";
import { createFilter, type MessageQuery, type QueryPlan, type ScanBudget } from "./filter_candidates.ts";
import { listCandidates } from "./list_candidates.ts";

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
export interface MessageSearch {
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
      isSpent = query.budget !== undefined && !spend(query.budget, candidate.id, plan);
      if (isSpent) break;
      if (batch.push(candidate) < plan.readAhead) continue;
      yield await filter(batch);
      batch = [];
    }
    if (isSpent) break;
  }
  yield await filter(batch);
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
