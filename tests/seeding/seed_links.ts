import { dayOf, hourOf } from "@/lib/core/clock.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { keyAfter } from "@/lib/store/key.ts";
import { type Alphabet, countShorts, shortAt } from "@/lib/links/alphabet.ts";
import { nameWordBatch } from "@/lib/links/search/indexer.ts";
import { urlWords } from "@/lib/links/search/words.ts";
import { linkKeys, type LinkRecord, type Rank } from "@/lib/links/store.ts";
import { PAGE_VISITS } from "@/lib/links/visit_pages.ts";
import { addSums, addTo, createPipelinedWriter, type PipelinedWriter } from "./commit_pipeline.ts";
import { byText } from "./key_order.ts";

/** Number of consecutive links in an entry of the order of creation, few so that entries hardly overlap. */
const PACK_LINKS = 20;
/** Number of links whose words share entries: more than the indexer takes, for fewer entries; their ids fit into a value. */
const BATCH_LINKS = 200;
/** Number of links between two reports of the progress. */
const REPORT_EVERY = 5000;
/** Maximum size of a stored time, and of an id in a list. */
const BYTES = { time: 8, id: 40 } as const;

/** Scatters neighboring numbers over the whole space, as random ids are; resolve.lua has the same. */
const SCATTER = 999_983;

/** Returns the id of the link with this number; each number below that of all ids has another one. */
export function scatteredShort(alphabet: Alphabet, index: number): string {
  return shortAt(alphabet, (index * SCATTER) % countShorts(alphabet));
}

/** A link with its visits. */
export interface SeededLink {
  readonly short: string;
  readonly url: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  /** Times of its visits, ascending, in milliseconds since 1970 UTC. */
  readonly visits: Float64Array;
}

/** Steps in which collected links are written. */
const STEPS = ["orders", "words", "links", "pages", "counts", "days", "ranksOf", "ranks", "sums"] as const;
/** Number of the steps of `write`. */
export const LINK_STEPS: number = STEPS.length;

/**
 * Collects links in the order of their creation, and writes them as shortening, visits, compaction and indexing leave
 * them. All entries are written in the order of their keys: ids are random, so that others would touch a page of the
 * store each.
 */
export class LinkSeeder {
  readonly #kv: Kv;
  readonly #writer: PipelinedWriter;
  #links: SeededLink[] = [];
  #advance: (share: number) => void = () => {};

  constructor(kv: Kv) {
    this.#kv = kv;
    this.#writer = createPipelinedWriter(kv);
  }

  /** Collects a link, whose id must be free. */
  add(link: SeededLink): void {
    this.#links.push(link);
  }

  /**
   * Makes one of the steps, which must follow each other, and settles once everything is stored. `advance` receives the
   * share of its links that are done.
   */
  async write(step: number, advance: (share: number) => void = () => {}): Promise<void> {
    const name = STEPS[step];
    this.#advance = advance;
    if (name === "orders") await this.#writeOrders();
    if (name === "words") await this.#writeWords();
    if (name === "links") await this.#writeLinks();
    if (name === "pages") {
      for (const { short, visits } of this.#visited()) await this.#writePages(short, visits);
    }
    if (name === "counts") await this.#writeCounts();
    if (name === "days") await this.#writeDays();
    if (name === "ranksOf") await this.#writeRanksOf();
    if (name === "ranks") await this.#writeRanks();
    await this.#writer.settle();
    if (name === "sums") await this.#writeSums();
  }

  *#visited(): Generator<SeededLink> {
    for (const link of this.#all()) if (link.visits.length > 0) yield link;
  }

  *#all(): Generator<SeededLink> {
    for (const [at, link] of this.#links.entries()) {
      if (at % REPORT_EVERY === 0) this.#advance(at / this.#links.length);
      yield link;
    }
  }

  async #writeOrders(): Promise<void> {
    // A series whose ids need no check would not know these links.
    await this.#kv.delete(linkKeys.idSeries);
    for (let at = 0; at < this.#links.length; at += PACK_LINKS) {
      const pack = this.#links.slice(at, at + PACK_LINKS);
      const key = linkKeys.made(pack[0]?.createdAt ?? 0, `seed-${at}`);
      await this.#writer.set(key, pack.map(({ short }) => short), BYTES.id * pack.length);
    }
  }

  async #writeWords(): Promise<void> {
    const words = new Map<string, Map<string, number[]>>();
    const shortsOf = new Map<string, string[]>();
    for (const [at, { short, url, createdAt }] of this.#links.entries()) {
      const first = this.#links[at - at % BATCH_LINKS]?.createdAt ?? createdAt;
      const batch = nameWordBatch(first, `seed-${Math.floor(at / BATCH_LINKS)}`);
      shortsOf.set(batch, [...shortsOf.get(batch) ?? [], short]);
      for (const word of urlWords(url)) {
        const batches = words.get(word) ?? new Map<string, number[]>();
        words.set(word, batches);
        const numbers = batches.get(batch);
        if (numbers === undefined) batches.set(batch, [at % BATCH_LINKS]);
        else numbers.push(at % BATCH_LINKS);
      }
    }
    for (const [batch, shorts] of [...shortsOf].reverse()) {
      await this.#writer.set(linkKeys.wordBatch(batch), shorts, BYTES.id * shorts.length);
    }
    for (const [word, batches] of [...words].sort(([one], [other]) => byText(one, other))) {
      for (const [batch, numbers] of [...batches].reverse()) {
        await this.#writer.set(linkKeys.word(word, batch), Uint8Array.from(numbers), numbers.length);
      }
    }
  }

  /** Writes the records; from then on, the links are in the order of their ids. */
  async #writeLinks(): Promise<void> {
    this.#links = this.#links.sort((one, other) => byText(one.short, other.short));
    for (const { short, url, createdAt } of this.#all()) {
      await this.#writer.set(linkKeys.link(short), { url, createdAt } satisfies LinkRecord, 2 * url.length);
    }
  }

  /** Writes full pages and a last one, as folding leaves them. */
  async #writePages(short: string, times: Float64Array): Promise<void> {
    for (let at = 0; at < times.length; at += PAGE_VISITS) {
      const page = times.slice(at, at + PAGE_VISITS);
      const key = linkKeys.visits(short, page[0] ?? 0, `seed-${String(at / PAGE_VISITS).padStart(4, "0")}`);
      await this.#writer.set(key, page, BYTES.time * page.length);
      if (times.length <= PAGE_VISITS || at + PAGE_VISITS < times.length) continue;
      const start = page.length < PAGE_VISITS ? key : keyAfter(key);
      await this.#writer.set(linkKeys.visitFold(short), { start });
    }
  }

  async #writeCounts(): Promise<void> {
    for (const { short, visits } of this.#visited()) {
      await this.#writer.set(linkKeys.visitCount(short), new Deno.KvU64(BigInt(visits.length)));
    }
  }

  async #writeDays(): Promise<void> {
    for (const { short, visits } of this.#visited()) {
      for (const [day, count] of countBy(visits, dayOf)) {
        await this.#writer.set(linkKeys.visitDayOf(short, day), new Deno.KvU64(BigInt(count)));
      }
    }
  }

  async #writeRanksOf(): Promise<void> {
    for (const { short, visits } of this.#visited()) {
      await this.#writer.set(linkKeys.rankOf(short), toRank(visits));
    }
  }

  async #writeRanks(): Promise<void> {
    // Sorting is stable, so links of one number of visits stay in the order of their ids.
    for (const { short, visits } of [...this.#visited()].sort(byVisits)) {
      const { count, last } = toRank(visits);
      await this.#writer.set(linkKeys.rank(count, short), last);
    }
  }

  async #writeSums(): Promise<void> {
    const days = new Map<number, number>();
    const hours = new Map<number, number>();
    let count = 0;
    for (const { visits } of this.#visited()) {
      count += visits.length;
      for (const [hour, visitsOfHour] of countBy(visits, hourOf)) addTo(hours, hour, visitsOfHour);
      for (const [day, visitsOfDay] of countBy(visits, dayOf)) addTo(days, day, visitsOfDay);
    }
    const created = countBy(this.#links.map(({ createdAt }) => createdAt), dayOf);
    await addSums(this.#kv, [
      [linkKeys.linkCount, this.#links.length],
      [linkKeys.visitCount(), count],
      ...Array.from(created, ([day, links]) => [linkKeys.linkDay(day), links] as const),
      ...Array.from(days, ([day, visits]) => [linkKeys.visitDay(day), visits] as const),
      ...Array.from(hours, ([hour, visits]) => [linkKeys.visitHour(hour), visits] as const),
    ]);
    this.#links = [];
  }
}

function toRank(visits: Float64Array): Rank {
  return { count: visits.length, last: visits.at(-1) ?? 0 };
}

function byVisits({ visits: one }: SeededLink, { visits: other }: SeededLink): number {
  return one.length - other.length;
}

function countBy(times: Iterable<number>, toPeriod: (time: number) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const time of times) addTo(counts, toPeriod(time), 1);
  return counts;
}
