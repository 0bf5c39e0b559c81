import { TestServer } from "../helpers/server.ts";
import { DAY_MS, linkKeys } from "@/lib/links/store.ts";
import { MANY_VISITS, shortOf } from "./seeding.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toPlainRow } from "./table.ts";

/** Visited URLs of the big store, with ten visits each, spread over a year. */
const VISITED = MANY_VISITS / 10;
const SAMPLES = 100;
const AIM = "p95 < 100 ms";

/** Adds a million visits, as version 1 kept them, to a store with a million links, for it to be brought forward again. */
export async function seedVisitedLinks(path: string): Promise<void> {
  using kv = await Deno.openKv(path);
  await kv.set(["schema_version"], 1);
  const now = Date.now();
  for (let from = 0; from < VISITED; from += 300) {
    const atomic = kv.atomic();
    let sum = 0;
    for (let at = from; at < Math.min(from + 300, VISITED); at++) {
      const count = 5 + at % 11;
      const times = Float64Array.from(
        { length: count },
        (_, visit) => now - ((at * 7 + visit * 31) % 365) * DAY_MS,
      ).sort();
      atomic.set(linkKeys.visits(shortOf(at), times[0] ?? 0, "seed"), times);
      atomic.sum(linkKeys.visitCountOf(shortOf(at)), BigInt(count));
      sum += count;
    }
    await atomic.sum(linkKeys.visitCount, BigInt(sum)).commit();
  }
}

/** How long the server takes for the pages of statistics of a store with a million links and a million visits. */
export async function measureStats(stores: Stores): Promise<Row[]> {
  await using server = await TestServer.start({ env: { KV_URL: await stores.visitedLinks() } });
  const cookie = await signIn(server);
  const pages = [
    ["statistics", "/admin/stats"],
    ["statistics, all days", "/admin/stats?days=all"],
    ["statistics, newest", "/admin/stats?view=newest"],
    ["statistics, search", "/admin/stats?q=articles%2F77777"],
    ["one URL", `/admin/stats/${encodeURIComponent(shortOf(10))}`],
  ] as const;
  const rows: Row[] = [];
  for (const [what, path] of pages) {
    printLine(`measuring: ${what} …`);
    const times = (await sample(server, path, cookie)).sort((one, other) => one - other);
    const at = (part: number) => `${(times[Math.floor(part * times.length)] ?? NaN).toFixed(1)} ms`;
    rows.push({
      ...toPlainRow(`${what}: 1,000,000 URLs and visits`, `p95 ${at(0.95)}`, AIM),
      median: at(0.5),
      p99: at(0.99),
    });
  }
  return rows;
}

async function sample(server: TestServer, path: string, cookie: string): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < SAMPLES; at++) {
    const started = performance.now();
    const response = await fetch(server.url + path, { headers: { cookie, accept: "text/html" } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
    times.push(performance.now() - started);
  }
  return times;
}

/** Sets the server up through the link that it printed, and gives the owner's cookie. */
async function signIn(server: TestServer): Promise<string> {
  let token: string | undefined;
  while (token === undefined) {
    token = /setup\?token=(\w+)/.exec(server.output)?.[1];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const fields = {
    token,
    organization: "Load",
    full_name: "Ada",
    email: "ada@example.com",
    password: "violet kettle seldom 42",
  };
  const response = await server.fetch("/setup", {
    method: "POST",
    headers: { origin: server.url },
    body: new URLSearchParams(fields),
  });
  await response.body?.cancel();
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return cookies.find((cookie) => cookie.startsWith("sotto_session=")) ?? "";
}
