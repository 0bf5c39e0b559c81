import type { Kv } from "@/lib/store/kv.ts";
import { strict as assert } from "node:assert";
import { checkLinks } from "@/lib/links/check.ts";
import { type CompactionRound, linkKeys } from "@/lib/links/store.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { settled, waitFor } from "@/tests/helpers/wait.ts";
import { TestServer } from "../helpers/server.ts";
import { Ledger, type Random, readSeed, seededRandom } from "./traffic.ts";

/** Clients of each server. */
const CLIENTS = 4;
/** Links whose visits take so many commits of a compaction that a moment between two of them is easy to meet. */
const LINKS = 150;

Deno.test("kill -9 in the middle of a compaction: another server continues, and no visit is lost or doubled", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const ledger = new Ledger();
  await using folder = await createTestFolder();
  try {
    await using first = await TestServer.start({ folder: folder.path });
    while (ledger.links.size < LINKS) await ledger.shorten(first.url);
    using kv = await Deno.openKv(first.store);
    const stage = { kv, ledger, random };
    // The first server takes the compaction over before there is a second one.
    await visitAll(ledger, first);
    const { owner } = await waitForRound(kv, (round) => round.done === null);
    await using second = await TestServer.start({ folder: folder.path });
    await whileVisited(stage, [first, second], async () => {
      await waitForRound(kv, ({ ends, done }) => ends.size > 0 && done !== "");
      await first.kill();
    });
    await waitForRound(kv, async (round) => {
      await visitAll(ledger, second);
      return round.owner !== owner;
    });
    const countRows = async () => (await Array.fromAsync(kv.list({ prefix: linkKeys.log() }))).length;
    await waitFor("the log is empty", countRows, { isMet: (rows) => rows === 0 });
    await ledger.verify(second.url, "all");
    assert.deepEqual((await checkLinks(kv)).problems, []);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  }
});

/** Waits for a state of the compaction that fulfills a condition, and returns it. */
async function waitForRound(
  kv: Kv,
  isMet: (round: CompactionRound) => boolean | Promise<boolean>,
): Promise<CompactionRound> {
  const read = async () => {
    const { value } = await kv.get<CompactionRound>(linkKeys.round);
    return value !== null && await isMet(value) ? value : null;
  };
  const round = await waitFor("the compaction is in the state", read);
  assert.ok(round !== null);
  return round;
}

interface Stage {
  readonly ledger: Ledger;
  readonly random: Random;
}

/** Visits each link once. */
async function visitAll(ledger: Ledger, server: TestServer): Promise<void> {
  await Promise.all(ledger.links.keys().map((short) => ledger.visit(server.url, short)));
}

/** Does something while clients visit random links of the servers. */
async function whileVisited<T>(
  { ledger, random }: Stage,
  servers: readonly TestServer[],
  act: () => Promise<T>,
): Promise<T> {
  let isOver = false;
  const shorts = [...ledger.links.keys()];
  const visit = async (base: string) => {
    while (!isOver) {
      // A client ends when its server was killed.
      if (!await ledger.visit(base, shorts[Math.floor(random() * shorts.length)] ?? "")) return;
    }
  };
  const clients = servers.flatMap(({ url }) => Array.from({ length: CLIENTS }, () => visit(url)));
  try {
    return await act();
  } finally {
    isOver = true;
    await settled("all clients end", Promise.all(clients));
  }
}
