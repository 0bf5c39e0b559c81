import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { IdScan, VisibleMessage } from "../model.ts";
import type { ScanBudget } from "./filter_candidates.ts";

/** Work that is left for a window; counted down. */
export interface WindowRoom {
  /** Bytes of the answer. */
  bytes: number;
  /** Reads of the store. */
  reads: number;
}

/** Source of a window's messages, and their form in the answer. */
export interface WindowSource<T> {
  readonly find: (scan: IdScan, budget: ScanBudget) => AsyncGenerator<readonly VisibleMessage[], void>;
  readonly convert: (messages: readonly VisibleMessage[]) => Promise<readonly T[]>;
  /** Returns the bytes that a converted message takes in the answer. */
  readonly weigh: (converted: T) => number;
}

/** Extent of one side of a window. */
interface SideExtent extends IdScan {
  /** Number of messages to take. */
  readonly wanted: number;
  /** Id of the message that the side starts after, which may be among those found. */
  readonly anchor?: { readonly id: number; readonly isIncluded: boolean };
}

/** Messages that are converted together, so that they share reads. */
const PORTION = 50;
/** Bytes of the answer after which the event loop takes its turn. */
const SLICE_BYTES = 256 * 1024;

/** Messages before or after an anchor, nearest first, taken as far as there is room. */
export class WindowSide<T> {
  readonly taken: T[] = [];
  /** The converted message of the anchor, if it was found and is included. */
  anchorMessage: T | null = null;
  hasAnchor = false;
  /** Whether the messages end here: there are none beyond those taken. */
  isEnd = false;
  /** Whether the last search ended because no reads were left. */
  isLimited = false;
  /** Id that the next search starts from. */
  #next: number;
  #isDone: boolean;
  #sinceYield = 0;

  /** Creates a side without messages. A side with an anchor also detects whether messages follow. */
  constructor(readonly source: WindowSource<T>, readonly extent: SideExtent) {
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
