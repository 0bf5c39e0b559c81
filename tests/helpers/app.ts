import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { App } from "fresh";
import { Builder } from "fresh/dev";
import { ProdBuildCache, setBuildCache } from "fresh/internal";
import PostalMime, { type Email } from "postal-mime";
import { listRouteFiles } from "@/lib/build/route_list.ts";
import { isStale } from "@/lib/build/stamp.ts";
import { readConfig } from "@/lib/config.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import type { Store } from "@/lib/store/open.ts";
import { guard, type ServeHandler } from "@/lib/server/guard.ts";
import { createLog } from "@/lib/services/log.ts";
import {
  createServices,
  drainServices,
  type ServedRoute,
  type Services,
  type State,
} from "@/lib/services/services.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { createMailTransport } from "@/lib/mail/transport.ts";
import { createFreshApp } from "@/routes/(_app)/fresh_app.ts";
import { KvServer } from "./denokv.ts";
import { type ExpiringWrite, recordExpiringWrites } from "./expiring_writes.ts";
import { createRefusalCheck } from "./declared_refusals.ts";
import { CHEAP_PASSWORDS } from "./passwords.ts";

const PROJECT = new URL("../../", import.meta.url);

/** A clock that stays at one time until a test changes it. */
export interface FakeClock extends Clock {
  time: number;
}

/** Creates a clock at 2026-11-21T11:00:00.000Z. */
export function createFakeClock(): FakeClock {
  return {
    time: Date.UTC(2026, 10, 21, 11),
    now() {
      return this.time;
    },
    monotonic() {
      return this.time;
    },
  };
}

/** The whole server in this process, with its own store. */
export interface TestApp extends AsyncDisposable {
  readonly services: Services;
  readonly clock: FakeClock;
  /** The last write of each key with an expiry; one of keys whose expiry no copy would keep fails. */
  readonly expiringWrites: ReadonlyMap<string, ExpiringWrite>;
  /** Returns everything logged so far. */
  readonly log: () => Promise<string>;
  /** Sends a request; `host` replaces the host of the public address. */
  request(path: string, init?: RequestInit, host?: string): Promise<Response>;
  /** Sends due mails and returns all mails sent so far, oldest first. */
  mails(): Promise<Email[]>;
  /** Shortens a URL and returns the id's path. */
  shorten(url: string): Promise<string>;
}

/** Settings of a test server. */
export interface TestAppOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
  readonly maxInFlight?: number;
  /** Store of the server, closed with it; an empty one in memory by default. */
  readonly store?: Store;
  /** Key that is used when `env` has none; a fixed one by default. */
  readonly secretKey?: Uint8Array;
}

/** The build that every test app of the process shares. */
const build = await isStale() ? await buildAside() : await loadBuild();

const requireDeclaredRefusal = createRefusalCheck(build.routes);

/** A build of the project. */
interface Build {
  readonly routes: readonly ServedRoute[];
  /** Applies the routes and static files to an app. */
  readonly apply: (app: App<State>) => void;
}

/** Builds the sources as they are now into a folder of its own. */
async function buildAside(): Promise<Build> {
  const outDir = await Deno.makeTempDir({ prefix: "sotto-build-" });
  await new Builder({ root: PROJECT.href, outDir }).build();
  const routes = (await listRouteFiles()).map(({ path, file }) => ({
    path,
    load: () => import(new URL(`routes/${file}`, PROJECT).href),
  }));
  return { routes, apply: await loadSnapshot(`file://${outDir}/snapshot.js`) };
}

/** Loads the build on disk, which saves each test process some 300 ms. */
async function loadBuild(): Promise<Build> {
  const { routes } = await import(new URL("_fresh/routes.js", PROJECT).href);
  return { routes, apply: await loadSnapshot(new URL("_fresh/snapshot.js", PROJECT).href) };
}

async function loadSnapshot(url: string): Promise<Build["apply"]> {
  const cache = new ProdBuildCache<State>(fileURLToPath(PROJECT), await import(url));
  return (app) => setBuildCache(app, cache, "production");
}

/** Starts a server without a socket; limits are off unless `env` sets them. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = createFakeClock();
  const lines: string[] = [];
  const decoder = new TextDecoder();
  const log = createLog((bytes) => Promise.resolve(lines.push(decoder.decode(bytes))), clock.now.bind(clock));
  const config = readConfig({ KV_URL: ":memory:", RATE_LIMITS: "off", ...options.env });
  const kvServer = options.store === undefined ? await startKvServerOfTests() : null;
  const store = options.store ?? await openSottoStore(kvServer?.url ?? config.kvUrl);
  const expiringWrites = recordExpiringWrites(store.kv);
  const mailDir = config.smtpUrl === null ? `${await Deno.makeTempDir({ prefix: "sotto-mail-" })}/mail` : "";
  const services = createServices({
    config,
    clock,
    store,
    log,
    listRoutes: () => Promise.resolve(build.routes),
    passwords: createPasswordHasher(CHEAP_PASSWORDS),
    secretKey: config.secretKey ?? options.secretKey ?? new Uint8Array(32).fill(7),
    mailTransport: createMailTransport({ smtpUrl: config.smtpUrl, mailDir }, clock),
  });
  const app = createFreshApp(services);
  build.apply(app);
  const handler = guard(services, app.handler(), options.maxInFlight);
  const info = toInfo(options.remoteAddress ?? "127.0.0.1");
  const request = async (path: string, init?: RequestInit, host = "localhost:8000") => {
    const sent = new Request(`http://${host}${path}`, init);
    const response = await handler(sent, info);
    await requireDeclaredRefusal(sent, response);
    return response;
  };
  return {
    services,
    clock,
    expiringWrites,
    log: () => log.flush().then(() => lines.join("")),
    request,
    async shorten(url) {
      const response = await request("/", jsonBody({ url }));
      const { short } = await response.json();
      return `/${encodeURIComponent(short)}`;
    },
    async mails() {
      await services.mailer.sweep();
      return await readMails(mailDir);
    },
    async [Symbol.asyncDispose]() {
      await drainServices(services);
      store[Symbol.dispose]();
      await kvServer?.[Symbol.asyncDispose]();
      if (mailDir !== "") await Deno.remove(dirname(mailDir), { recursive: true });
    },
  };
}

/** Program of the KV Connect servers to which TEST_STORE directs the stores of a run; undefined for stores in memory. */
const KV_SERVER = Deno.env.get("TEST_STORE");

/** Whether each store is on a KV Connect server of its own. */
export function areStoresRemote(): boolean {
  return KV_SERVER !== undefined;
}

async function startKvServerOfTests(): Promise<KvServer | null> {
  return KV_SERVER === undefined ? null : await KvServer.start(KV_SERVER);
}

async function readMails(folder: string): Promise<Email[]> {
  const names = [...await Array.fromAsync(Deno.readDir(folder)).catch(() => [])].map(({ name }) => name)
    .sort();
  return await Promise.all(
    names.map(async (name) => await PostalMime.parse(await Deno.readFile(`${folder}/${name}`))),
  );
}

/** Returns a POST request with a JSON body. */
export function jsonBody(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function toInfo(hostname: string): Parameters<ServeHandler>[1] {
  return { remoteAddr: { transport: "tcp", hostname, port: 50_000 }, completed: Promise.resolve() };
}
