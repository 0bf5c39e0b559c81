import type { ChatApp } from "@/lib/chat/app.ts";
import { MAX_ANSWER_BYTES } from "@/lib/core/answer_bytes.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { LARGEST_ANCHOR, type MessageWindow } from "../narrow/api.ts";
import { findFirstUnread } from "./find_first_unread.ts";
import { findIdSentSince } from "./find_id_sent_since.ts";
import type { MessageQuery, ScanBudget } from "./filter_candidates.ts";
import { findMessageBatches, findMessages } from "./find_messages.ts";
import { WindowSide, type WindowSource } from "./window_side.ts";

/** Id beyond all message ids: the newest end. */
const NEWEST_ID = Number.MAX_SAFE_INTEGER;
/** Maximum number of reads to find the messages of a request without an account. */
export const MAX_SPECTATOR_READS = 5000;
/** Share of the budgets for messages after the anchor, and for learning whether there are any. */
const AFTER_SHARE = 0.5;
const LOOK_AFTER_SHARE = 0.1;

/** Messages around an anchor, ascending, and whether they reach the oldest and newest end. */
export interface FetchedWindow<T> {
  readonly messages: readonly T[];
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  /** Whether a search ended before the wanted number of messages because of its reads. */
  readonly history_limited: boolean;
  /** Id that the search for older messages reached; only where it was limited. */
  readonly oldest_searched_id?: number;
  /** Id that the search for newer messages reached; only where it was limited. */
  readonly newest_searched_id?: number;
}

/** Conversion of messages to their form in the answer, and their length in it in bytes. */
export type WindowForm<T> = Pick<WindowSource<T>, "convert" | "weigh">;

/**
 * Returns the messages of a window; each appears once, even when messages are sent concurrently. Beyond the
 * budgets of bytes and reads the window is shorter: each side may use half of them, and what the other leaves.
 */
export async function fetchWindow<T>(
  app: ChatApp,
  permissions: PermissionContext,
  { query, window, form }: { query: MessageQuery; window: MessageWindow; form: WindowForm<T> },
): Promise<FetchedWindow<T>> {
  const maxReads = query.user === null ? MAX_SPECTATOR_READS : app.config.searchMaxReads;
  const id = await findAnchor(app, permissions, { query, window, budget: { left: maxReads } });
  const { numBefore, numAfter, includesAnchor: isIncluded } = window;
  const source: WindowSource<T> = {
    ...form,
    find: (scan, budget) => findMessageBatches(app, permissions, { query: { ...query, budget }, scan }),
  };
  const before = new WindowSide(source, { from: id - 1, isAscending: false, wanted: numBefore });
  const anchor = { id, isIncluded };
  const after = new WindowSide(source, { from: id, isAscending: true, wanted: numAfter, anchor });
  const share = numAfter === 0 ? LOOK_AFTER_SHARE : AFTER_SHARE;
  const room = { bytes: share * MAX_ANSWER_BYTES, reads: share * maxReads };
  await after.fill(room);
  room.bytes += (1 - share) * MAX_ANSWER_BYTES;
  room.reads += (1 - share) * maxReads;
  await before.fill(room);
  if (numAfter > 0) await after.fill(room);
  const isAfterLimited = numAfter > 0 && after.isLimited;
  return {
    messages: [
      ...before.taken.reverse(),
      ...(after.anchorMessage === null ? [] : [after.anchorMessage]),
      ...after.taken,
    ],
    anchor: id === NEWEST_ID ? LARGEST_ANCHOR : id,
    found_anchor: after.hasAnchor,
    found_oldest: id === 0 || before.isEnd,
    found_newest: after.isEnd,
    history_limited: before.isLimited || isAfterLimited,
    ...(before.isLimited ? { oldest_searched_id: before.lastExaminedId } : {}),
    ...(isAfterLimited ? { newest_searched_id: after.lastExaminedId } : {}),
  };
}

/**
 * Returns the id of an anchor. Where the search for it ended early, it is the last id that was examined: no message that
 * would be the anchor is before it, and the window continues the search.
 */
async function findAnchor(
  app: ChatApp,
  permissions: PermissionContext,
  { query, window, budget }: { query: MessageQuery; window: MessageWindow; budget: ScanBudget },
): Promise<number> {
  if (typeof window.anchor === "number") return window.anchor;
  if (window.anchor === "oldest") return 0;
  if (typeof window.anchor === "object") {
    const from = await findIdSentSince(app, permissions.realm.id, window.anchor.sentSince);
    const scan = { from, isAscending: true };
    for await (const { message } of findMessages(app, permissions, { query: { ...query, budget }, scan })) {
      return message.id;
    }
    return budget.left < 0 ? budget.lastId ?? from : NEWEST_ID;
  }
  const { user } = query;
  // Everything counts as read for spectators.
  if (window.anchor === "newest" || user === null) return NEWEST_ID;
  const unread = await findFirstUnread(app, permissions, { user, terms: query.terms, budget });
  return unread ?? (budget.left < 0 ? budget.lastId ?? 0 : NEWEST_ID);
}
