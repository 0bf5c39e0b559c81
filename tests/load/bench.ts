/**
 * The load benchmarks: what Sotto does beside a bare Deno.serve with the same durable group commit, in one run, so that
 * the ratios hold on any machine. Prints a table; asserts no absolute time. BENCH_QUICK=1 takes fewer, shorter runs;
 * arguments name the parts to measure, such as `reads`.
 */
import { PROJECT } from "../helpers/server.ts";
import { measureAdminPages } from "./admin_bench.ts";
import { measureChatReads, measureChatWrites } from "./chat_bench.ts";
import { compare, type Contender } from "./compare.ts";
import { measureEvents } from "./event_bench.ts";
import { measureInvites } from "./invite_bench.ts";
import { measureLinkifiers } from "./linkifier_cost.ts";
import { measureMessages } from "./message_bench.ts";
import { MANY_LINKS, WORKING_SET } from "./seeding.ts";
import { measurePermissions } from "./permission_cost.ts";
import { createStores, type Stores } from "./stores.ts";
import { measurePresence } from "./presence_bench.ts";
import { measureReading } from "./reading_bench.ts";
import { measureResources } from "./resources.ts";
import { measureUploads } from "./upload_bench.ts";
import { measureVisits } from "./visit_bench.ts";
import { startBare, startSotto } from "./servers.ts";
import { printLine, type Row, toRateRows, toTable } from "./table.ts";
import { hasWrk } from "./wrk.ts";

/** All of them are measured unless some are named as arguments. */
const PARTS: Readonly<Record<string, (stores: Stores) => Promise<Row[]>>> = {
  limit: againstBare,
  workloads: measureVisits,
  size: againstEmpty,
  visits: withVisits,
  log: withLog,
  resources: measureResources,
  reads: measureChatReads,
  writes: measureChatWrites,
  permissions: measurePermissions,
  messages: measureMessages,
  reading: measureReading,
  linkifiers: measureLinkifiers,
  invites: measureInvites,
  presence: measurePresence,
  events: measureEvents,
  admin: measureAdminPages,
  uploads: measureUploads,
};

if (!hasWrk()) {
  printLine("The benchmarks need wrk: install it with your system's packages, such as apt-get install wrk.");
  Deno.exit(1);
}
const cache = `${PROJECT}data/bench`;
await Deno.mkdir(cache, { recursive: true });
// Not in the system's temporary folder, which may lie in memory, where a durable commit costs nothing.
const folder = await Deno.makeTempDir({ dir: cache, prefix: "run-" });
try {
  const stores = await createStores(cache, folder);
  printLine(toTable(await measureAll(stores)));
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function measureAll(stores: Stores): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    if (Deno.args.length === 0 || Deno.args.includes(name)) rows.push(...await part(stores));
  }
  return rows;
}

async function againstBare(stores: Stores): Promise<Row[]> {
  await using bare = await startBare(await stores.workingSet());
  await using sotto = await startSotto(await stores.workingSet());
  const set = stores.resolve(WORKING_SET);
  const one = stores.resolve(1);
  return [
    ...await versus("resolve, 1,000 URLs", "≥ 0.6, p99 < 10 ms", [
      { name: "bare", server: bare, load: set },
      { name: "Sotto", server: sotto, load: set },
    ]),
    ...await versus("resolve, one URL", "≥ 0.6, p99 < 10 ms", [
      { name: "bare", server: bare, load: one },
      { name: "Sotto", server: sotto, load: one },
    ]),
  ];
}

async function againstEmpty(stores: Stores): Promise<Row[]> {
  await using small = await startSotto(await stores.workingSet());
  await using big = await startSotto(await stores.manyLinks());
  const set = stores.resolve(WORKING_SET);
  return [
    ...await versus("resolve, 1,000 of all URLs", "≥ 0.9", [
      { name: "store with these alone", server: small, load: set },
      { name: "store with 1,000,000", server: big, load: set },
    ]),
    ...await versus("resolve, any of all URLs", "for information", [
      { name: "store with 1,000", server: small, load: set },
      { name: "store with 1,000,000", server: big, load: stores.resolve(MANY_LINKS) },
    ]),
  ];
}

async function withVisits(stores: Stores): Promise<Row[]> {
  await using fresh = await startSotto(await stores.workingSet());
  await using busy = await startSotto(await stores.manyVisits());
  const one = stores.resolve(1);
  return await versus("resolve, one URL", "≥ 0.9", [
    { name: "no visits before", server: fresh, load: one },
    { name: "1,000,000 visits before", server: busy, load: one },
  ]);
}

async function withLog(stores: Stores): Promise<Row[]> {
  await using piped = await startSotto(await stores.workingSet());
  const file = `'${stores.folder}/requests.log'`;
  // The first line still goes to the pipe: it says on which port the server listens.
  const toFile = `exec 3>&1 >${file}; { tail -n +1 -f ${file} | head -n 1 >&3; } & exec 3>&-`;
  await using written = await startSotto(await stores.workingSet(), toFile);
  const load = stores.resolve(WORKING_SET);
  return await versus("resolve, JSON log", "for information", [
    { name: "to a pipe", server: piped, load },
    { name: "to a file", server: written, load },
  ]);
}

/** One row for each; the ratios are to the first. */
async function versus(what: string, aim: string, contenders: readonly Contender[]): Promise<Row[]> {
  printLine(`measuring: ${what} …`);
  return toRateRows(what, aim, await compare(contenders));
}
