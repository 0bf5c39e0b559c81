import { TestServer } from "../helpers/server.ts";
import { OWNER, seedOrganization } from "./admin_seeding.ts";
import { measurePaints } from "./paint.ts";
import { shortOf } from "./seeding.ts";
import { signIn } from "./sign_in.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toPlainRow } from "./table.ts";

const SAMPLES = 60;
const AIM = "p95 < 100 ms";
const PAGES = [
  "/admin",
  "/admin/invitations",
  "/admin/invitations?sort=expires",
  "/admin/linkifiers",
  "/admin/playgrounds",
  "/admin/profile-fields",
  "/admin/channel-folders",
  "/admin/users",
  "/admin/users?q=member+777",
  "/admin/channels",
  "/admin/channels/new",
  "/admin/groups",
  "/admin/organization",
  "/admin/organization/permissions",
  "/admin/audit",
  "/admin/stats",
  "/admin/stats?days=all",
  "/admin/links?q=articles%2F77777",
  `/admin/links/${encodeURIComponent(shortOf(10))}`,
];

/**
 * Admin pages of 10,000 people, 1,000 channels, 10,000 open invitations and 1,000,000 URLs with as many visits: how long
 * the server takes, and when a browser has painted the largest thing.
 */
export async function measureAdminPages(stores: Stores): Promise<Row[]> {
  const path = await stores.visitedLinks();
  printLine("seeding: an organization of 10,000 people …");
  await seedOrganization(path);
  await using server = await TestServer.start({ env: { KV_URL: path } });
  const cookie = await signIn(server, OWNER);
  const rows: Row[] = [];
  for (const page of PAGES) rows.push(await measure(server, page, cookie));
  return [...rows, ...await measurePaints(server, { cookie, paths: PAGES })];
}

async function measure(server: TestServer, path: string, cookie: string): Promise<Row> {
  printLine(`measuring: ${path} …`);
  const times: number[] = [];
  for (let at = 0; at <= SAMPLES; at++) {
    const started = performance.now();
    const response = await fetch(server.url + path, { headers: { cookie, accept: "text/html" } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
    times.push(performance.now() - started);
  }
  // The first one after a change reads what the others find in memory.
  const [first = NaN, ...others] = times;
  others.sort((one, other) => one - other);
  const at = (part: number) => `${(others[Math.floor(part * others.length)] ?? NaN).toFixed(1)} ms`;
  return {
    ...toPlainRow(`${path} (the first: ${first.toFixed(0)} ms)`, `p95 ${at(0.95)}`, AIM),
    median: at(0.5),
    p99: at(0.99),
  };
}
