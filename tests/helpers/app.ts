import { Builder } from "fresh/dev";
import { readConfig } from "@/lib/config.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { cryptographicRandom, type RandomSource } from "@/lib/core/random.ts";
import { createFreshApp } from "@/lib/http/fresh_app.ts";
import { guard, type ServeHandler } from "@/lib/http/guard.ts";
import { createLog } from "@/lib/http/log.ts";
import { createServices, drainServices, type Services } from "@/lib/http/services.ts";
import { openSottoStore } from "@/lib/kv/sotto_store.ts";

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  time: number;
}

/** A clock that shows 2026-11-21T11:00:00.000Z. */
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

/** The whole server in this process, on a store of its own. */
export interface TestApp extends AsyncDisposable {
  readonly services: Services;
  readonly clock: FakeClock;
  /** Everything that was logged so far. */
  readonly log: () => Promise<string>;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Shortens a URL and gives the id's path. */
  shorten(url: string): Promise<string>;
}

/** What a test decides about its server. */
export interface TestAppOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly random?: RandomSource;
  readonly remoteAddress?: string;
  readonly maxInFlight?: number;
}

/** Builds the routes once in memory; every test app of the process shares them. */
const applySnapshot = await new Builder({ root: new URL("../../", import.meta.url).href }).build({
  mode: "production",
  snapshot: "memory",
});

/** Starts a server without a socket; limits are off unless `env` says otherwise. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = createFakeClock();
  const lines: string[] = [];
  const decoder = new TextDecoder();
  const log = createLog((bytes) => Promise.resolve(lines.push(decoder.decode(bytes))), clock.now.bind(clock));
  const config = readConfig({ KV_URL: ":memory:", RATE_LIMITS: "off", ...options.env });
  const store = await openSottoStore(config.kvUrl);
  const random = options.random ?? cryptographicRandom();
  const services = createServices({ config, clock, random, store, log });
  const app = createFreshApp(services);
  await applySnapshot(app);
  const handler = guard(services, app.handler(), options.maxInFlight);
  const info = toInfo(options.remoteAddress ?? "127.0.0.1");
  const request = (path: string, init?: RequestInit) =>
    handler(new Request(`http://localhost:8000${path}`, init), info);
  return {
    services,
    clock,
    log: () => log.flush().then(() => lines.join("")),
    request,
    async shorten(url) {
      const response = await request("/", jsonBody({ url }));
      const { short } = await response.json();
      return `/${encodeURIComponent(short)}`;
    },
    async [Symbol.asyncDispose]() {
      await drainServices(services);
      store[Symbol.dispose]();
    },
  };
}

/** A POST of JSON. */
export function jsonBody(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function toInfo(hostname: string): Parameters<ServeHandler>[1] {
  return { remoteAddr: { transport: "tcp", hostname, port: 50_000 }, completed: Promise.resolve() };
}
