/**
 * A server under a mixed load of fixed rate for a long time: whether memory, open files, the store and durations stay
 * flat. Prints tables and a verdict for each figure, and asserts nothing. `--minutes=30`; `--rate=N` requests a second,
 * half of what the server serves by default; `--speed=10` is the pace of the server's clock, which needs faketime.
 */
import { parseArgs } from "node:util";
import { findFaketime } from "../helpers/faketime.ts";
import { type LoadPlan, type Outcome, sendClosedLoop, sendOpenLoop } from "../helpers/open_loop.ts";
import { PROJECT, TestServer } from "../helpers/server.ts";
import { callSotto } from "./call.ts";
import { type ChatPeople, seedChat } from "./chat_seeding.ts";
import { interleave, SOAK_KINDS, type SoakScene, toBytes } from "./soak/kinds.ts";
import { type Answer, listVerdicts, toDurationTable, toSliceTable } from "./soak/report.ts";
import { sampleServer, WaitingClients } from "./soak/watch.ts";
import { printLine } from "./table.ts";

const OWNER_PASSWORD = "violet kettle seldom 42";
const LINKS = 1000;
const WAITING_CLIENTS = 20;
/** Connections and seconds of the measurement of what the server serves. */
const CAPACITY = { connections: 16, seconds: 10 } as const;
const SAMPLES = 200;
const LEAST_SAMPLE_MS = 1000;
/** Delay of this process after which it leaves requests out, because a burst of them would be another load. */
const LATE_MS = 1000;

const { values } = parseArgs({
  args: Deno.args,
  options: {
    minutes: { type: "string", default: "30" },
    rate: { type: "string" },
    speed: { type: "string", default: "10" },
  },
});
const order = interleave(SOAK_KINDS.map(({ weight }) => weight));
const now = () => performance.now();
const cache = `${PROJECT}data/bench`;
await Deno.mkdir(cache, { recursive: true });
const folder = await Deno.makeTempDir({ dir: cache, prefix: "soak-" });
try {
  await soak(Number(values.minutes));
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function soak(minutes: number): Promise<void> {
  const people = await seedChat(`${folder}/sotto.kv`, { ownerPassword: OWNER_PASSWORD });
  const env = { TRUSTED_PROXIES: "127.0.0.1", ...await fastClock(Number(values.speed)) };
  await using server = await TestServer.start({ folder, env, isLogKept: false });
  const plan = toPlan(server, await prepareScene(server, people));
  const rate = values.rate === undefined ? await halfOfCapacity(plan) : Number(values.rate);
  printLine(
    `${minutes} minutes with ${rate.toFixed(1)} requests a second and ${WAITING_CLIENTS} waiting clients …`,
  );
  await using clients = new WaitingClients(server.port, people.members.slice(0, WAITING_CLIENTS));
  const durationMs = minutes * 60_000;
  let isOver = false;
  const everyMs = Math.max(LEAST_SAMPLE_MS, durationMs / SAMPLES);
  const sampling = sampleServer(server, { everyMs, isOver: () => isOver, now });
  const started = now();
  const seconds = minutes * 60;
  const outcomes = await sendOpenLoop({ ...plan, seconds, leaveOutAfterMs: LATE_MS }, rate);
  isOver = true;
  const samples = await sampling;
  const observed = { samples, answers: outcomes.map((outcome) => toAnswer(outcome, started)), durationMs };
  printLine(`\n${toSliceTable(observed)}\n\n${toDurationTable(observed)}\n`);
  for (const verdict of listVerdicts(observed)) printLine(verdict);
  printLine(
    `left out because the load itself was late: ${Math.floor(rate * seconds) - outcomes.length} requests`,
  );
  const { received, renewals } = clients.counts;
  printLine(`waiting clients: ${received} messages received, ${renewals} queues renewed`);
}

/** Returns the environment of a server whose clock is faster, while durations keep their pace. */
async function fastClock(speed: number): Promise<Record<string, string>> {
  const library = await findFaketime();
  if (speed === 1) return {};
  if (library === null) {
    printLine("faketime is not installed, so the server's clock keeps its pace.");
    return {};
  }
  return { LD_PRELOAD: library, FAKETIME: `+0 x${speed}`, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
}

async function prepareScene(server: TestServer, people: ChatPeople): Promise<SoakScene> {
  const { owner, members } = people;
  const form = { name: "soak", subscribers: JSON.stringify(members.map(({ id }) => id)) };
  const post = (path: string, body: Record<string, string>) =>
    callSotto(server, { user: owner, method: "POST", path: `/api/v1${path}`, form: body });
  const channelId = Number((await post("/channels/create", form))["id"]);
  const message = { type: "channel", to: String(channelId), topic: "topic 0", content: "First" };
  const messageId = Number((await post("/messages", message))["id"]);
  const shorts: string[] = [];
  for (let at = 0; at < LINKS; at++) {
    const response = await server.fetch("/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: `https://example.com/soaked/${at}` }),
    });
    const { short } = await response.json();
    shorts.push(`/${encodeURIComponent(short)}`);
  }
  return { people, ownerPassword: OWNER_PASSWORD, channelId, messageId, shorts };
}

function toPlan({ port }: TestServer, scene: SoakScene): Omit<LoadPlan, "seconds"> {
  const request = (number: number) => {
    const kind = SOAK_KINDS[order[number % order.length] ?? 0];
    if (kind === undefined) throw new Error("There are no kinds of requests");
    return toBytes(kind.request(scene, number), number);
  };
  return { port, request, now };
}

async function halfOfCapacity(plan: Omit<LoadPlan, "seconds">): Promise<number> {
  printLine("measuring: capacity …");
  const { connections, seconds } = CAPACITY;
  const outcomes = await sendClosedLoop({ ...plan, seconds }, connections);
  const served = outcomes.filter((outcome) => !isError(outcome)).length;
  return served / seconds / 2;
}

function toAnswer(outcome: Outcome, started: number): Answer {
  const kind = SOAK_KINDS[order[outcome.number % order.length] ?? 0]?.name ?? "";
  return { kind, at: outcome.at - started, ms: outcome.ms, isError: isError(outcome) };
}

function isError({ status }: Outcome): boolean {
  return status === 0 || status >= 400;
}
