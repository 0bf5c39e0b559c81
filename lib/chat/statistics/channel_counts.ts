import type { ChatApp } from "../app.ts";
import { channelKeys } from "../channels/model/channel.ts";
import { type DayRange, listDaySums } from "./store.ts";

/** Maximum number of sums that are read, newest first: about the days of 650 active channels in a month. */
const MAX_SUMS = 20_000;
/** Size of a sum in the cache, in UTF-16 units. */
const SUM_SIZE = 20;

type CountingApp = Pick<ChatApp, "store" | "reads" | "cache">;

interface CountedRange extends DayRange {
  readonly max?: number;
}

/** Numbers of messages by the ids of the channels that they were sent to. */
type ChannelCounts = ReadonlyMap<number, number>;

/** Messages that were sent to channels in some days. */
export interface RankedChannels {
  /** Most messages first. */
  readonly ranked: readonly (readonly [id: number, count: number])[];
  /** First day that is counted, if it is after the start of the days; otherwise null. */
  readonly since: number | null;
}

interface CountedDay {
  /** Number of messages to channels when the counts were read, or less. */
  readonly total: number;
  readonly counts: ChannelCounts;
}

/** Counts of some days, with all messages up to the id `head`. */
interface KeptCounts extends RankedChannels {
  readonly size: number;
  readonly head: number;
  readonly days: ReadonlyMap<number, CountedDay>;
}

/**
 * Counts the messages that were sent to each channel of an organization in some days. Where there are more sums than
 * are read, the newest days count, and only whole ones. The counts stay in memory, where those of a day are read
 * again when its number of messages has changed, which the commit of each message increments.
 */
export async function rankChannels(
  app: CountingApp,
  realmId: number,
  { from, to, max = MAX_SUMS }: CountedRange,
): Promise<RankedChannels> {
  const head = await app.reads.read<number>(channelKeys.messageHead) ?? 0;
  return await app.cache.get<KeptCounts>(
    `channel counts ${realmId} ${to - from} ${max}`,
    [head, from, to],
    async (previous) => {
      // A store that was restored has fewer messages than before.
      const known = previous === undefined || previous.head > head ? new Map() : previous.days;
      const totals = await readTotals(app, realmId, { from, to });
      return { head, ...await new DayCounter(app, realmId, { totals, known, max }).count({ from, to }) };
    },
  );
}

/** Reads the number of messages to channels of each day; days without messages are missing. */
async function readTotals(
  { store }: CountingApp,
  realmId: number,
  range: DayRange,
): Promise<ReadonlyMap<number, number>> {
  const totals = new Map<number, number>();
  for await (const { day, part, count } of listDaySums(store.kv, { realmId, measure: "messages" }, range)) {
    if (part === "public" || part === "private") totals.set(day, (totals.get(day) ?? 0) + count);
  }
  return totals;
}

/** Numbers of messages by day: of the present, and with the counts that are known. */
interface KnownDays {
  readonly max: number;
  readonly totals: ReadonlyMap<number, number>;
  readonly known: ReadonlyMap<number, CountedDay>;
}

/** Counts messages day by day, newest first, until the maximum number of sums. */
class DayCounter {
  readonly #days = new Map<number, CountedDay>();
  /** Number of sums of the counted days. */
  #sums = 0;
  /** Oldest counted day with a sum. */
  #oldest: number | null = null;
  /** First day that is counted, where older ones have more sums than are read. */
  #since: number | null = null;

  constructor(readonly app: CountingApp, readonly realmId: number, readonly state: KnownDays) {}

  async count({ from, to }: DayRange): Promise<Omit<KeptCounts, "head">> {
    for (let day = to; day >= from && this.#since === null; day--) {
      const known = this.#readKnown(day);
      if (known !== null) {
        this.#add(day, known.counts);
        continue;
      }
      const last = day;
      while (day > from && this.#readKnown(day - 1) === null) day--;
      await this.#list({ from: day, to: last });
    }
    const counts = new Map<number, number>();
    for (const { counts: ofDay } of this.#days.values()) {
      for (const [id, count] of ofDay) counts.set(id, (counts.get(id) ?? 0) + count);
    }
    const ranked = [...counts].sort(([, one], [, other]) => other - one);
    const size = SUM_SIZE * (this.#sums + this.#days.size + ranked.length + 1);
    return { days: this.#days, ranked, since: this.#since, size };
  }

  /** Returns the counts of a day unless messages were sent since they were read. */
  #readKnown(day: number): CountedDay | null {
    const known = this.state.known.get(day);
    return known?.total === this.#totalOf(day) ? known : null;
  }

  #totalOf(day: number): number {
    return this.state.totals.get(day) ?? 0;
  }

  /** Lists the sums of days up to the maximum, and adds the whole days. */
  async #list({ from, to }: DayRange): Promise<void> {
    const of = { realmId: this.realmId, measure: "channel_messages" } as const;
    let day = to;
    let counts = new Map<number, number>();
    const finishDays = (next: number) => {
      this.#add(day, counts);
      while (--day > next) this.#add(day, new Map());
      counts = new Map();
    };
    for await (const sum of listDaySums(this.app.store.kv, of, { from, to })) {
      if (sum.day !== day) finishDays(sum.day);
      counts.set(sum.part, sum.count);
      if (this.#sums + counts.size > this.state.max) break;
    }
    finishDays(from - 1);
  }

  /** Adds a day, unless it or a newer one exceeds the maximum. */
  #add(day: number, counts: ChannelCounts): void {
    if (this.#since !== null) return;
    if (this.#sums + counts.size > this.state.max) {
      this.#since = this.#sums === this.state.max ? this.#oldest : day + 1;
      return;
    }
    this.#days.set(day, { total: this.#totalOf(day), counts });
    this.#sums += counts.size;
    if (counts.size > 0) this.#oldest = day;
  }
}
