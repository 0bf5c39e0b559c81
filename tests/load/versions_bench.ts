/**
 * Rates of another version and of this one, in bursts of one second that alternate between two servers: the speed of a
 * machine changes within minutes, but hardly within a pair. Prints a table. Argument: the folder of a checkout of the
 * other version, with its packages installed and its pages built. Further arguments select loads.
 */
import { PROJECT, TestServer } from "../helpers/server.ts";
import { callSotto } from "./call.ts";
import type { ChatPeople, LoadUser } from "./chat_seeding.ts";
import { quantileOf, toMarkdownTable } from "./markdown_table.ts";
import { printLine } from "./table.ts";
import { createReadLoad, createWriteLoad, type Write } from "./user_loads.ts";
import { hasWrk, type Load, medianOf, runWrk } from "./wrk.ts";

const PAIRS = Deno.env.get("BENCH_QUICK") === "1" ? 5 : 15;
const BURST_SECONDS = 1;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 64;
/** For long answers, which would else wait behind each other. */
const FEW_CONNECTIONS = 8;
/** Sender of requests without credentials. */
const NOBODY: LoadUser = { id: 0, authorization: "" };
const CHANNEL = "Load";
const MESSAGES = 200;

/** A running server of one version, with what its loads need. */
interface Version extends AsyncDisposable {
  readonly server: TestServer;
  readonly folder: string;
  readonly people: ChatPeople;
  readonly channelId: number;
  readonly messageId: number;
  /** Path of a short link. */
  readonly link: string;
}

/** Figures of one burst: requests a second, and microseconds of the main thread for each. */
interface Burst {
  readonly rate: number;
  readonly mainThread: number;
}

type ToLoad = (version: Version) => Promise<Load>;

const LOADS: Readonly<Record<string, ToLoad>> = {
  "visits": ({ folder, link }) => createReadLoad(folder, link, [NOBODY]),
  "links": () => Promise.resolve({ script: "shorten.lua", args: [] }),
  "account": (version) => reading(version, "/api/v1/users/me"),
  "message": (version) => reading(version, `/api/v1/messages/${version.messageId}`),
  "channel": (version) => newest(version, [{ operator: "channel", operand: version.channelId }]),
  "newest": (version) => newest(version, []),
  "search": (version) => newest(version, [{ operator: "search", operand: "words" }]),
  "register": async (version) => {
    const load = await reading(version, "/api/v1/register");
    return { ...load, args: [...load.args, "POST"], connections: FEW_CONNECTIONS };
  },
  "sending": (version) => {
    const body = `type=channel&to=${version.channelId}&topic=load&content=some+words+to+send`;
    return writing(version, { path: "/api/v1/messages", bodies: [body, body] });
  },
  "marking": (version) => {
    const body = `stream_id=${version.channelId}&topic_name=load`;
    return writing(version, { path: "/api/v1/mark_topic_as_read", bodies: [body, body] });
  },
  "settings": (version) => {
    const bodies = ["web_font_size_px=13", "web_font_size_px=14"] as const;
    return writing(version, { method: "PATCH", path: "/api/v1/settings", bodies });
  },
};

if (!hasWrk()) {
  printLine("The benchmarks need wrk: install it with your system's packages, such as apt-get install wrk.");
  Deno.exit(1);
}
const [other, ...chosen] = Deno.args;
const unknown = chosen.filter((name) => !(name in LOADS));
if (other === undefined || unknown.length > 0) {
  printLine(`Usage: deno task bench:versions <folder> [${Object.keys(LOADS).join("|")}]…`);
  Deno.exit(1);
}
await using before = await startVersion(`${await Deno.realPath(other)}/`);
await using now = await startVersion(PROJECT);
const rows: string[][] = [];
for (const name of chosen.length === 0 ? Object.keys(LOADS) : chosen) rows.push(await measure(name));
const headings = ["Load", "Before", "Now", "Now / before", "Main thread"];
printLine(`\n${toMarkdownTable(headings, rows)}`);

/** Starts the server of a checkout on a new store, and fills it over its API. */
async function startVersion(project: string): Promise<Version> {
  printLine(`starting ${project} …`);
  await using started = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ dir: await dataFolder() });
  started.defer(() => Deno.remove(folder, { recursive: true }));
  const people = await seedPeople(project, `${folder}/sotto.kv`);
  const server = started.use(await TestServer.start({ project, folder, isLogKept: false }));
  const { owner, members } = people;
  const subscribers = JSON.stringify(members.map(({ id }) => id));
  const created = await post(server, owner, "channels/create", { name: CHANNEL, subscribers });
  const channelId = Number(created["id"]);
  let messageId = 0;
  for (let sent = 0; sent < MESSAGES; sent++) {
    const form = { type: "channel", to: String(channelId), topic: "load", content: `Some words, ${sent}` };
    const answer = await post(server, members[sent % members.length], "messages", form);
    messageId = Number(answer["id"]);
  }
  const body = JSON.stringify({ url: "https://example.com/load" });
  const headers = { "content-type": "application/json" };
  const { short } = await (await server.fetch("/", { method: "POST", headers, body })).json();
  const kept = started.move();
  return {
    server,
    folder,
    people,
    channelId,
    messageId,
    link: `/${encodeURIComponent(short)}`,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The stores are on the disk of the project: a temporary folder may be in memory. */
async function dataFolder(): Promise<string> {
  await Deno.mkdir(`${PROJECT}data/bench`, { recursive: true });
  return `${PROJECT}data/bench`;
}

function post(server: TestServer, user: LoadUser | undefined, path: string, form: Record<string, string>) {
  return callSotto(server, { user, method: "POST", path: `/api/v1/${path}`, form });
}

/** Creates a store with the code of the version that opens it, and returns its people. */
async function seedPeople(project: string, store: string): Promise<ChatPeople> {
  const script = new URL("seed_checkout.ts", import.meta.url).pathname;
  const flags = ["-A", "--quiet", "--no-check", "--config", `${project}deno.json`];
  const args = ["run", ...flags, script, project, store];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function measure(name: string): Promise<string[]> {
  printLine(`measuring: ${name} …`);
  const toLoad = LOADS[name] ?? (() => Promise.reject(new RangeError(`There is no load ${name}`)));
  const sides = [
    { server: before.server, load: await toLoad(before), bursts: new Array<Burst>() },
    { server: now.server, load: await toLoad(now), bursts: new Array<Burst>() },
  ];
  for (const { server, load } of sides) await runWrk(server.url, load, WARM_UP_SECONDS);
  for (let pair = 0; pair < PAIRS; pair++) {
    for (const side of pair % 2 === 0 ? sides : sides.toReversed()) {
      side.bursts.push(await runBurst(side.server, side.load));
    }
  }
  const [old = [], recent = []] = sides.map(({ bursts }) => bursts);
  const rates = recent.map(({ rate }, at) => rate / (old[at]?.rate ?? NaN));
  const times = recent.map(({ mainThread }, at) => (old[at]?.mainThread ?? NaN) / mainThread);
  const toRate = (bursts: readonly Burst[]) => `${Math.round(medianOf(bursts.map(({ rate }) => rate)))} /s`;
  return [name, toRate(old), toRate(recent), toSpread(rates), toSpread(times)];
}

/** The median and, in brackets, the middle half. */
function toSpread(ratios: readonly number[]): string {
  const at = (share: number) => quantileOf(ratios, share).toFixed(2);
  return `${medianOf(ratios).toFixed(2)} (${at(0.25)} – ${at(0.75)})`;
}

async function runBurst({ pid, url }: TestServer, load: Load): Promise<Burst> {
  const started = mainThreadNanos(pid);
  const { rate } = await runWrk(url, load, BURST_SECONDS);
  return { rate, mainThread: (mainThreadNanos(pid) - started) / 1000 / (rate * BURST_SECONDS) };
}

/** Time that the kernel has given to the first thread of a process: see proc_pid_schedstat(5). */
function mainThreadNanos(pid: number): number {
  return Number(Deno.readTextFileSync(`/proc/${pid}/task/${pid}/schedstat`).split(" ")[0]);
}

async function newest(version: Version, narrow: readonly unknown[]): Promise<Load> {
  const query = `anchor=newest&num_before=100&num_after=0&narrow=${
    encodeURIComponent(JSON.stringify(narrow))
  }`;
  return { ...await reading(version, `/api/v1/messages?${query}`), connections: FEW_CONNECTIONS };
}

function reading({ folder, people }: Version, path: string): Promise<Load> {
  return createReadLoad(folder, path, people.members.slice(0, CONNECTIONS));
}

function writing({ folder, people }: Version, write: Write): Promise<Load> {
  return createWriteLoad(folder, write, people.members.slice(0, CONNECTIONS));
}
