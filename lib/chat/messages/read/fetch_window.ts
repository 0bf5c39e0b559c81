import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { MAX_RESPONSE_BYTES } from "@/lib/core/response_bytes.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import { toEntry } from "@/lib/store/key.ts";
import {
  findUnreadCandidates,
  listUnarchivedSubscriptions,
} from "@/lib/chat/messages/read/unread_candidates.ts";
import { readTopicVisibility } from "@/lib/chat/channels/topics/user_topics.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { IdScan, MessageRecord, VisibleMessage } from "../model.ts";
import { readMessageFlags } from "../flags.ts";
import type { NarrowTerm } from "../narrow/terms.ts";
import { LARGEST_ANCHOR, type MessageWindow } from "../narrow/api.ts";
import {
  findAmongIds,
  findMessageBatches,
  findMessages,
  type MessageQuery,
  type ScanBudget,
} from "./find_messages.ts";

/**
 * Returns an id before which every message of an organization was sent before a time, in milliseconds since 1970
 * UTC. Ids ascend with the times of messages, so the number of reads grows with the logarithm of the ids.
 */
async function findIdSentSince(app: ChatApp, realmId: number, sentSince: number): Promise<number> {
  let low = 0;
  let high = (await app.reads.read<number>(channelKeys.messageHead) ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const range = { start: [realmId, "message", middle], end: [realmId, "message", high] };
    const [entry] = await Array.fromAsync(app.store.kv.list(range, { limit: 1 }));
    const next = entry === undefined ? null : toEntry<MessageRecord>(entry).value;
    if (next === null || next.sent_at >= sentSince) high = middle;
    else low = next.id + 1;
  }
  return low;
}

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
async function findFirstUnread(
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

/** Work that is left for a window; counted down. */
interface WindowRoom {
  /** Bytes of the answer. */
  bytes: number;
  /** Reads of the store. */
  reads: number;
}

/** Source of a window's messages, and their form in the answer. */
interface WindowSource<T> {
  readonly find: (scan: IdScan, budget: ScanBudget) => AsyncGenerator<readonly VisibleMessage[], void>;
  readonly convert: (messages: readonly VisibleMessage[]) => Promise<readonly T[]>;
  /** Returns the bytes that a converted message takes in the answer. */
  readonly weigh: (converted: T) => number;
}

/** Messages that are converted together, so that they share reads. */
const PORTION = 50;
/** Bytes of the answer after which the event loop takes its turn. */
const SLICE_BYTES = 256 * 1024;

/** Messages before or after an anchor, nearest first, taken as far as there is room. */
class WindowSide<T> {
  readonly taken: T[] = [];
  /** The converted message of the anchor, if it was found and is included. */
  anchorMessage: T | null = null;
  hasAnchor = false;
  /** Whether the messages end here: there are none beyond those taken. */
  isEnd = false;
  /** Whether the last search ended because no reads were left. */
  isLimited = false;
  #next: number;
  #isDone: boolean;
  #sinceYield = 0;

  /**
   * Creates a side without messages, of which `wanted` are to be taken. It starts after the anchor, which may be among
   * those found; a side with an anchor also detects whether messages follow.
   */
  constructor(
    readonly source: WindowSource<T>,
    readonly extent: IdScan & {
      readonly wanted: number;
      readonly anchor?: { readonly id: number; readonly isIncluded: boolean };
    },
  ) {
    this.#next = extent.from;
    this.#isDone = extent.wanted === 0 && extent.anchor === undefined;
  }

  /** Id of the last message that was examined, whether it matched or not. */
  get lastExaminedId(): number {
    return this.#next - this.#step;
  }

  get #step(): number {
    return this.extent.isAscending ? 1 : -1;
  }

  /** Takes messages while there is room, at least one; continues where the last call ended. */
  async fill(room: WindowRoom): Promise<void> {
    if (this.#isDone) return;
    this.isLimited = false;
    const budget: ScanBudget = { left: room.reads };
    const found = this.source.find({ ...this.extent, from: this.#next }, budget);
    const takeUpTo = createTaker(found);
    for (;;) {
      const portion = await takeUpTo(this.#portionSize());
      if (portion.length === 0) {
        this.#endSearch(budget);
        break;
      }
      if (!await this.#takePortion(portion, room) || this.#isDone) break;
    }
    await found.return(undefined);
    room.reads = Math.max(0, budget.left);
  }

  /** One more than wanted shows whether messages follow; the anchor comes in addition. */
  #portionSize(): number {
    const ahead = this.extent.anchor === undefined ? 0 : this.hasAnchor ? 1 : 2;
    return Math.min(PORTION, this.extent.wanted - this.taken.length + ahead);
  }

  #endSearch({ left, lastId }: ScanBudget): void {
    this.isLimited = left < 0;
    this.isEnd = this.#isDone = !this.isLimited;
    if (this.isLimited && lastId !== undefined) this.#next = lastId + this.#step;
  }

  /** Takes the messages of a portion; returns false when the room ended within it. */
  async #takePortion(portion: readonly VisibleMessage[], room: WindowRoom): Promise<boolean> {
    const others = await this.#takeAnchor(portion, room);
    const wanted = others.slice(0, this.extent.wanted - this.taken.length);
    const converted = await this.source.convert(wanted);
    for (const [at, each] of converted.entries()) {
      const bytes = this.source.weigh(each);
      if (bytes > room.bytes && this.taken.length > 0) return false;
      this.taken.push(each);
      room.bytes -= bytes;
      this.#next = (wanted[at]?.message.id ?? this.#next) + this.#step;
      await this.#yieldAfter(bytes);
    }
    const isFull = this.taken.length === this.extent.wanted;
    this.#isDone = isFull && (this.extent.anchor === undefined || others.length > wanted.length);
    return true;
  }

  /** Sets the anchor's message apart and returns the other messages. */
  async #takeAnchor(
    portion: readonly VisibleMessage[],
    room: WindowRoom,
  ): Promise<readonly VisibleMessage[]> {
    const { anchor } = this.extent;
    const [first] = portion;
    if (anchor === undefined || first?.message.id !== anchor.id) return portion;
    this.hasAnchor = true;
    this.#next = anchor.id + this.#step;
    if (anchor.isIncluded) {
      const [converted] = await this.source.convert([first]);
      if (converted !== undefined) {
        this.anchorMessage = converted;
        room.bytes -= this.source.weigh(converted);
      }
    }
    return portion.slice(1);
  }

  async #yieldAfter(bytes: number): Promise<void> {
    this.#sinceYield += bytes;
    if (this.#sinceYield <= SLICE_BYTES) return;
    this.#sinceYield = 0;
    await yieldToEventLoop();
  }
}

/** Creates a function that takes values from batches; it gets the next batch only when it needs more values. */
function createTaker<T>(
  batches: AsyncGenerator<readonly T[], void>,
): (count: number) => Promise<readonly T[]> {
  let rest: readonly T[] = [];
  return async (count) => {
    const taken: T[] = [];
    for (;;) {
      const missing = count - taken.length;
      for (const value of rest.slice(0, missing)) taken.push(value);
      rest = rest.slice(missing);
      if (taken.length >= count) return taken;
      const { done, value } = await batches.next();
      if (done === true) return taken;
      rest = value;
    }
  };
}

/** Id beyond all message ids: the newest end. */
const NEWEST_ID = Number.MAX_SAFE_INTEGER;
/** Maximum number of reads to find the messages of a request without an account. */
const MAX_SPECTATOR_READS = 5000;
/** Share of the budgets for messages after the anchor, and for learning whether there are any. */
const AFTER_SHARE = 0.5;
const LOOK_AFTER_SHARE = 0.1;

/** Messages around an anchor, ascending, and whether they reach the oldest and newest end. */
interface FetchedWindow<T> {
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
  const room = { bytes: share * MAX_RESPONSE_BYTES, reads: share * maxReads };
  await after.fill(room);
  room.bytes += (1 - share) * MAX_RESPONSE_BYTES;
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
