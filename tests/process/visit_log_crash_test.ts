import { strict as assert } from "node:assert";
import { checkLinks } from "@/lib/links/check.ts";
import { type CompactionRound, linkKeys } from "@/lib/links/store.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { settled, waitFor } from "@/tests/helpers/wait.ts";
import { TestServer } from "../helpers/server.ts";
import { Ledger, type Random, readSeed, seededRandom } from "./traffic.ts";

/** Clients of each server. */
const CLIENTS = 4;
/** Links whose visits take several commits of a compaction. */
const LINKS = 60;

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
    await whileVisited(stage, [first], () => waitForRound(kv, () => true));
    await using second = await TestServer.start({ folder: folder.path });
    await whileVisited(stage, [first, second], async () => {
      const { owner } = await waitForRound(kv, ({ done }) => done !== "");
      await first.kill();
      await waitForRound(kv, (round) => round.owner !== owner);
    });
    const countRows = async () => (await Array.fromAsync(kv.list({ prefix: linkKeys.log }))).length;
    await waitFor("the log is empty", countRows, { isMet: (rows) => rows === 0 });
    await ledger.verify(second.url, "all");
    assert.deepEqual((await checkLinks(kv)).problems, []);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  }
});

/** Waits for a moment within a round of compaction that fulfills a condition. */
async function waitForRound(
  kv: Deno.Kv,
  isMet: (round: CompactionRound) => boolean,
): Promise<CompactionRound> {
  const read = async () => {
    const [round, rows] = await kv.getMany<[CompactionRound, string[]]>([linkKeys.round, linkKeys.roundRows]);
    return rows.value === null || round.value === null || !isMet(round.value) ? null : round.value;
  };
  const round = await waitFor("a round of compaction is under way", read);
  assert.ok(round !== null);
  return round;
}

interface Stage {
  readonly ledger: Ledger;
  readonly random: Random;
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
