import type { Kv } from "@/lib/store/kv.ts";
import { toEntry, toValue } from "@/lib/store/key.ts";
import { checkLinkIndex } from "./check_index.ts";
import { checkLinkStats } from "./check_stats.ts";
import { linkKeys, type LinkRecord, readInstanceCounts } from "./store.ts";
import { type LoggedTimes, readLoggedTimes } from "./visit_log.ts";

/** Maximum number of problems that are listed; further ones are only counted. */
const MAX_LISTED = 100;

/** Result of checking the links. */
export interface LinksReport {
  readonly urls: number;
  readonly visits: number;
  /** One sentence for each counter that is wrong. */
  readonly problems: readonly string[];
}

/** Recounts links and visits and compares them with every counter and order. */
export async function checkLinks(kv: Kv): Promise<LinksReport> {
  const problems: string[] = [];
  const complain = (sentence: string) => {
    if (problems.length < MAX_LISTED) problems.push(sentence);
  };
  const visitsByShort = await countVisits(kv);
  const logged = await readLoggedTimes(kv, null);
  const urls = await compareLinks(kv, { visitsByShort, logged }, complain);
  for (const short of logged.keys()) {
    if ((await kv.get(linkKeys.link(short))).value === null) visitsByShort.set(short, 0);
  }
  for (const short of visitsByShort.keys()) {
    complain(`Visits of ${escape(short)} are stored, but not the short URL.`);
  }
  let visits = logged.values().reduce((sum, { length }) => sum + length, 0);
  for await (const count of countersBelow(kv)) visits += count;
  const totals = await readInstanceCounts(kv);
  if (totals.urls !== urls) complain(`The count of URLs is ${totals.urls}; ${urls} are stored.`);
  if (totals.visits !== visits) {
    complain(`The count of all visits is ${totals.visits}; the counts of the URLs add up to ${visits}.`);
  }
  await checkLinkStats(kv, logged, complain);
  await checkLinkIndex(kv, complain);
  return { urls, visits, problems };
}

async function countVisits(kv: Kv): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { key, value } of kv.list<Float64Array>({ prefix: ["visit"] }, { batchSize: 100 })) {
    const short = toValue<string>(key[1]);
    counts.set(short, (counts.get(short) ?? 0) + value.length);
  }
  return counts;
}

/** Removes each link's visits from `visitsByShort`; the remaining ones belong to no link. */
async function compareLinks(
  kv: Kv,
  { visitsByShort, logged }: { visitsByShort: Map<string, number>; logged: LoggedTimes },
  complain: (sentence: string) => void,
): Promise<number> {
  const counters = new Map<string, number>();
  for await (
    const { key, value } of kv.list<Deno.KvU64>({ prefix: linkKeys.visitCount }, { batchSize: 1000 })
  ) {
    counters.set(toValue<string>(key[1]), Number(value.value));
  }
  const limited = new Map<string, number>();
  for await (const { key, value } of kv.list<number>({ prefix: linkKeys.limitedVisits })) {
    limited.set(toValue<string>(key[1]), value);
  }
  let urls = 0;
  for await (const entry of kv.list({ prefix: linkKeys.links }, { batchSize: 1000 })) {
    const { key, value } = toEntry<LinkRecord>(entry);
    if (value.deletedAt === undefined) urls++;
    const short = toValue<string>(key[1]);
    const waiting = logged.get(short)?.length ?? 0;
    const listed = (visitsByShort.get(short) ?? 0) + waiting;
    const counted = (counters.get(short) ?? 0) + waiting;
    visitsByShort.delete(short);
    if (listed !== counted) {
      complain(`${escape(short)} has ${listed} visits in its list; its count is ${counted}.`);
    }
    const towards = limited.get(short) ?? counted;
    if (towards !== counted) {
      complain(`${escape(short)} has ${counted} visits; ${towards} count towards its maximum.`);
    }
  }
  return urls;
}

async function* countersBelow(kv: Kv): AsyncGenerator<number> {
  for await (const { value } of kv.list<Deno.KvU64>({ prefix: linkKeys.visitCount }, { batchSize: 1000 })) {
    yield Number(value.value);
  }
}

function escape(short: string): string {
  return encodeURIComponent(short);
}
