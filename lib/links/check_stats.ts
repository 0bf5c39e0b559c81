import type { Kv } from "@/lib/store/kv.ts";
import { dayOf, hourOf } from "@/lib/core/days.ts";
import { readRecord, toEntry, toValue } from "@/lib/store/key.ts";
import { linkKeys, type LinkRecord, type Rank } from "./store.ts";
import type { LoggedTimes } from "./visit_log.ts";

/** Reports a problem. */
export type Complain = (sentence: string) => void;
/** Numbers by name. */
export type Counts = Map<string, number>;

/** Compares the sums by day, the ranking and the order of new links with the links and their visits. */
export async function checkLinkStats(kv: Kv, logged: LoggedTimes, complain: Complain): Promise<void> {
  await checkDays(kv, logged, complain);
  await checkRanks(kv, complain);
  await checkOrder(kv, complain);
}

async function checkDays(kv: Kv, logged: LoggedTimes, complain: Complain): Promise<void> {
  const all: Counts = new Map();
  const hours: Counts = new Map();
  const byShort: Counts = new Map();
  const addTime = (time: number) => {
    add(all, String(dayOf(time)), 1);
    add(hours, String(hourOf(time)), 1);
  };
  for await (const { key, value } of kv.list<Float64Array>({ prefix: ["visit"] }, { batchSize: 100 })) {
    for (const time of value) {
      addTime(time);
      add(byShort, nameOf(toValue<string>(key[1]), dayOf(time)), 1);
    }
  }
  for (const time of [...logged.values()].flat()) addTime(time);
  compareCounts(
    { what: "visits of day", wanted: all, found: await sumsBelow(kv, linkKeys.visitDays) },
    complain,
  );
  await checkHours(kv, hours, complain);
  const found = await sumsBelow(kv, linkKeys.visitDaysOf("").slice(0, 1));
  compareCounts({ what: "visits by short URL and day", wanted: byShort, found }, complain);
}

/** Compares the sums by hour; those of hours before all visits were counted are not complete. */
async function checkHours(kv: Kv, wanted: Counts, complain: Complain): Promise<void> {
  const since = await readRecord<number>(kv, linkKeys.visitHoursSince) ?? -Infinity;
  const counted = (hours: Counts) => new Map([...hours].filter(([hour]) => Number(hour) >= since));
  const found = await sumsBelow(kv, linkKeys.visitHours);
  compareCounts({ what: "visits of hour", wanted: counted(wanted), found: counted(found) }, complain);
}

async function checkRanks(kv: Kv, complain: Complain): Promise<void> {
  const wanted: Counts = new Map();
  for await (const { key, value } of kv.list<Deno.KvU64>({ prefix: linkKeys.visitCount })) {
    const short = key[1];
    if (typeof short === "string") wanted.set(encodeURIComponent(short), Number(value.value));
  }
  const ranked: Counts = new Map();
  for await (const listed of kv.list({ prefix: linkKeys.ranksOf }, { batchSize: 500 })) {
    const { key, value } = toEntry<Rank>(listed);
    ranked.set(encodeURIComponent(toValue<string>(key[1])), value.count);
  }
  const places: Counts = new Map();
  for await (const { key } of kv.list({ prefix: linkKeys.ranks }, { batchSize: 500 })) {
    add(places, encodeURIComponent(toValue<string>(key[2])), toValue<number>(key[1]));
  }
  compareCounts({ what: "place in the ranking of", wanted: ranked, found: places }, complain);
  compareCounts({ what: "ranked visits of", wanted, found: ranked }, complain);
}

async function checkOrder(kv: Kv, complain: Complain): Promise<void> {
  const days: Counts = new Map();
  const wanted: Counts = new Map();
  for await (const listed of kv.list({ prefix: linkKeys.links }, { batchSize: 1000 })) {
    const { key, value } = toEntry<LinkRecord>(listed);
    add(days, String(dayOf(value.createdAt)), 1);
    wanted.set(encodeURIComponent(toValue<string>(key[1])), 1);
  }
  const found: Counts = new Map();
  for await (const { value } of kv.list<string[]>({ prefix: linkKeys.linksMade }, { batchSize: 100 })) {
    for (const short of value) add(found, encodeURIComponent(short), 1);
  }
  compareCounts(
    { what: "new URLs of day", wanted: days, found: await sumsBelow(kv, linkKeys.linkDays) },
    complain,
  );
  compareCounts({ what: "entries in the order of", wanted, found }, complain);
}

async function sumsBelow(kv: Kv, prefix: Deno.KvKey): Promise<Counts> {
  const sums: Counts = new Map();
  for await (const { key, value } of kv.list<Deno.KvU64>({ prefix }, { batchSize: 1000 })) {
    const [, first, second] = key;
    const name = second === undefined ? String(first) : nameOf(toValue<string>(first), Number(second));
    sums.set(name, Number(value.value));
  }
  return sums;
}

function nameOf(short: string, day: number): string {
  return `${encodeURIComponent(short)} ${day}`;
}

function add(counts: Counts, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Reports each name whose number differs from the wanted one. */
export function compareCounts(
  { what, wanted, found }: { what: string; wanted: Counts; found: Counts },
  complain: Complain,
): void {
  for (const name of new Set([...wanted.keys(), ...found.keys()])) {
    const [there, here] = [wanted.get(name) ?? 0, found.get(name) ?? 0];
    if (there !== here) complain(`The ${what} ${name}: ${here} is stored; it should be ${there}.`);
  }
}
