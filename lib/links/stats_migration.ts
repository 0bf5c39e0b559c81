import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { BulkWriter } from "../store/bulk_writer.ts";
import { type Key, toEntry, toValue } from "../store/key.ts";
import type { Store } from "../store/open.ts";
import { retryLocked } from "../store/retry.ts";

const VERSION_KEY = ["schema_version"];
/** Version after this migration; it is written last. */
const VERSION = 3;
const CLAIM_KEY = ["migration_claim"];
const DAY_MS = 86_400_000;
const LINKS_IN_PACK = 100;
/** Silence after which another process counts as dead, in milliseconds. */
const PATIENCE_MS = 10_000;
const POLL_MS = 250;
const BUILT = [
  "visit_day",
  "visit_day_of",
  "link_day",
  "link_made",
  "link_rank",
  "link_rank_of",
  "visit_journal",
  "visit_merged",
];

/**
 * Migrates from version 2 to 3: counts visits and new links by day, and builds the ranking and the order of
 * all links. Starts over after an interruption. One of several processes does it while the others wait.
 */
export async function addLinkStatistics(store: Store): Promise<void> {
  for (;;) {
    const version = await store.kv.get<number>(VERSION_KEY);
    if ((version.value ?? 1) >= VERSION) return;
    try {
      return await build(store.kv, version);
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
    }
    await untilOthersRest(store.kv);
  }
}

/** Thrown when another process has taken over. */
class Superseded extends Error {
  override readonly name = "Superseded";
}

async function build(kv: Kv, version: Deno.AtomicCheck): Promise<void> {
  let claim: Deno.AtomicCheck = await kv.get(CLAIM_KEY);
  // Commits as long as no other process has written or finished.
  const commit = async (atomic: AtomicOperation) => {
    const checked = atomic.check(version).check(claim);
    const result = await retryLocked(() => checked.commit());
    if (!result.ok) throw new Superseded();
    claim = { key: CLAIM_KEY, versionstamp: result.versionstamp };
  };
  const writer = new BulkWriter(kv, (atomic) => commit(atomic.set(CLAIM_KEY, crypto.randomUUID())));
  for (const name of BUILT) {
    for await (const { key } of kv.list({ prefix: [name] }, { batchSize: 500 })) await writer.delete(key);
  }
  await rankVisited(kv, writer);
  await orderLinks(kv, writer);
  await writer.flush();
  await commit(kv.atomic().set(VERSION_KEY, VERSION).delete(CLAIM_KEY));
}

/** Counted visits of a link. */
interface Counted {
  readonly short: string;
  readonly days: Map<number, number>;
  count: number;
  last: number;
}

async function rankVisited(kv: Kv, writer: BulkWriter): Promise<void> {
  const days = new Map<number, number>();
  let counted: Counted = { short: "", days: new Map(), count: 0, last: 0 };
  for await (const { key, value } of kv.list<Float64Array>({ prefix: ["visit"] }, { batchSize: 100 })) {
    const short = toValue<string>(key[1]);
    if (short !== counted.short) {
      await writeCounted(writer, counted);
      counted = { short, days: new Map(), count: 0, last: 0 };
    }
    counted.count += value.length;
    for (const time of value) {
      counted.last = Math.max(counted.last, time);
      addOne(counted.days, time);
      addOne(days, time);
    }
  }
  await writeCounted(writer, counted);
  await writeDays(writer, ["visit_day"], days);
}

async function writeCounted(writer: BulkWriter, { short, days, count, last }: Counted): Promise<void> {
  if (count === 0) return;
  await writeDays(writer, ["visit_day_of", short], days);
  await writer.set(["link_rank", count, short], last);
  await writer.set(["link_rank_of", short], { count, last });
}

/**
 * Ids come in the order of their keys, so all creation times are held in memory for sorting: some hundred
 * bytes a link.
 */
async function orderLinks(kv: Kv, writer: BulkWriter): Promise<void> {
  const days = new Map<number, number>();
  const links: { readonly short: string; readonly time: number }[] = [];
  for await (const listed of kv.list({ prefix: ["link"] }, { batchSize: 1000 })) {
    const { key, value } = toEntry<{ createdAt: number }>(listed);
    links.push({ short: toValue<string>(key[1]), time: value.createdAt });
    addOne(days, value.createdAt);
  }
  links.sort((one, other) => one.time - other.time);
  for (let at = 0; at < links.length; at += LINKS_IN_PACK) {
    const shorts = links.slice(at, at + LINKS_IN_PACK).map(({ short }) => short);
    const batch = `pack-${String(at / LINKS_IN_PACK).padStart(9, "0")}`;
    const bytes = shorts.reduce((sum, { length }) => sum + 2 * length + 8, 0);
    await writer.set(["link_made", links[at]?.time ?? 0, batch], shorts, bytes);
  }
  await writeDays(writer, ["link_day"], days);
}

function addOne(days: Map<number, number>, time: number): void {
  const day = Math.floor(time / DAY_MS);
  days.set(day, (days.get(day) ?? 0) + 1);
}

async function writeDays(writer: BulkWriter, prefix: Key, days: ReadonlyMap<number, number>): Promise<void> {
  for (const [day, count] of days) await writer.set([...prefix, day], new Deno.KvU64(BigInt(count)));
}

/** Settles when the migration is done, or when the process doing it has stopped. */
async function untilOthersRest(kv: Kv): Promise<void> {
  let last = "";
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    const [version, claim] = await kv.getMany<[number, string]>([VERSION_KEY, CLAIM_KEY]);
    if ((version.value ?? 1) >= VERSION) return;
    if (claim.versionstamp !== last) waited = 0;
    last = claim.versionstamp ?? "";
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
