import type { AtomicOperation } from "@/lib/store/kv.ts";
import { dayOf, hourOf } from "@/lib/core/days.ts";
import { toHex } from "@/lib/core/bytes.ts";
import { durably } from "@/lib/store/durably.ts";
import { toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { linkKeys, type LogRow } from "./store.ts";

/**
 * Budget of the short URLs of a row of the log, in bytes; a value holds 65,536, of which the times of the visits
 * of a commit take 20,000.
 */
const MAX_ROW_BYTES = 40_000;
/** Bytes of a short URL in a row besides its id, and of each code unit of the id. */
const BESIDES = 20;
const BYTES_A_UNIT = 2;

/** A visit as the log stores it. */
interface LoggedVisit {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Visits of one hour by short URL. */
export type VisitGroup = ReadonlyMap<string, readonly LoggedVisit[]>;

/** Conditions of a commit, and the new numbers of visits of links with a maximum. */
export interface CommitOptions {
  readonly checks: readonly Deno.AtomicCheck[];
  readonly limited?: ReadonlyMap<string, number>;
}

/** Appends the visits of a process to its own log. */
export class VisitLogWriter {
  readonly #store: Store;
  #name = createName();
  /** Number of visits before each row that may be in the log, and before the next one. */
  #before = [0];
  #first = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Number of visits of this process in the log, at most. */
  get backlog(): number {
    return (this.#before.at(-1) ?? 0) - (this.#before[0] ?? 0);
  }

  /** Commits a group of visits; returns false and writes nothing when a check fails. */
  async append(group: VisitGroup, options: CommitOptions): Promise<boolean> {
    const row = toLogRow(group);
    const key = linkKeys.logRow(this.#name, this.#first + this.#before.length - 1);
    try {
      const isCommitted = await durably(this.#store, async () => {
        const atomic = this.#store.kv.atomic();
        const { ok } = await write(atomic, row, { ...options, key }).commit();
        // Only an earlier attempt can have written the row.
        return ok || (await this.#store.kv.get(key)).value !== null;
      });
      if (isCommitted) this.#before.push((this.#before.at(-1) ?? 0) + row.times.length);
      return isCommitted;
    } catch (error) {
      // The row may still be written, also after later rows were applied. Nothing follows it in its log.
      this.#name = createName();
      [this.#before, this.#first] = [[0], 0];
      throw error;
    }
  }

  /** Reads which rows are still in the log. */
  async measure(): Promise<void> {
    const name = this.#name;
    let first = this.#first + this.#before.length - 1;
    const listing = this.#store.kv.list({ prefix: [...linkKeys.logOf(name)] }, { limit: 1 });
    for await (const { key } of listing) first = Math.min(first, toValue<number>(key[2]));
    if (name !== this.#name) return;
    this.#before.splice(0, first - this.#first);
    this.#first = first;
  }
}

/** Groups visits by short URL, in groups whose row fits into a value; each group is of one hour. */
export function groupVisits<V extends LoggedVisit & { readonly short: string }>(
  visits: readonly V[],
  maxShorts = Infinity,
): Map<string, V[]>[] {
  let group = new Map<string, V[]>();
  let hour = hourOf(visits[0]?.at ?? 0);
  let bytes = 0;
  const groups = [group];
  for (const visit of visits) {
    const { short, at } = visit;
    const same = hourOf(at) === hour ? group.get(short) : undefined;
    if (same !== undefined) {
      same.push(visit);
      continue;
    }
    bytes += rowBytesOf(short);
    const hasRoom = hourOf(at) === hour && group.size < maxShorts && bytes <= MAX_ROW_BYTES;
    if (!hasRoom && group.size > 0) {
      groups.push(group = new Map());
      bytes = rowBytesOf(short);
    }
    hour = hourOf(at);
    group.set(short, [visit]);
  }
  return visits.length === 0 ? [] : groups;
}

function rowBytesOf(short: string): number {
  return BESIDES + BYTES_A_UNIT * short.length;
}

/** Creates a name that no other log of any process has. */
function createName(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(8)));
}

/** Packs visits into a row, those of each short URL by their time. */
function toLogRow(group: VisitGroup): LogRow {
  const [shorts, counts]: [string[], number[]] = [[], []];
  const times = new Float64Array(group.values().reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const [short, visits] of group) {
    const start = end;
    for (const { at } of visits) times[end++] = at;
    if (visits.length > 1) times.subarray(start, end).sort();
    shorts.push(short);
    counts.push(visits.length);
  }
  return { shorts, counts, times };
}

/** Adds a row with its sums to a commit. */
function write(
  atomic: AtomicOperation,
  row: LogRow,
  { key, checks, limited = new Map() }: CommitOptions & { readonly key: Deno.KvKey },
): AtomicOperation {
  const [first = 0] = row.times;
  const count = BigInt(row.times.length);
  atomic.check(...checks, { key, versionstamp: null }).set(key, row);
  for (const [short, visits] of limited) atomic.set(linkKeys.limitedVisitsOf(short), visits);
  return atomic.sum(linkKeys.visitCount, count).sum(linkKeys.visitDay(dayOf(first)), count)
    .sum(linkKeys.visitHour(hourOf(first)), count);
}
