import { fileURLToPath } from "node:url";
import { ProdBuildCache, setBuildCache } from "fresh/internal";
import { readConfig } from "@/lib/config.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { createMailTransport } from "@/lib/mail/transport.ts";
import { guard, type ServeHandler } from "@/lib/server/guard.ts";
import { createLog } from "@/lib/services/log.ts";
import { createServices, drainServices, type Services } from "@/lib/services/services.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { createFreshApp } from "@/routes/(_app)/fresh_app.ts";

const PROJECT = new URL("../../", import.meta.url);
/** Rules that count every request and refuse none. */
const UNREACHED = { points: 1_000_000_000, seconds: 60 };

/** The server without a socket: the machine's clock, a store in memory, and a log that is discarded. */
export interface RequestServer extends AsyncDisposable {
  readonly services: Services;
  readonly handle: ServeHandler;
}

/** Starts a server with the routes of the build on disk. */
export async function startRequestServer(): Promise<RequestServer> {
  const rateLimits = JSON.stringify({ resolve: UNREACHED, shorten: UNREACHED });
  const config = readConfig({ KV_URL: ":memory:", RATE_LIMITS: rateLimits });
  const store = await openSottoStore(config.kvUrl);
  const services = createServices({
    ...{ config, store, clock: systemClock },
    passwords: createPasswordHasher(),
    secretKey: crypto.getRandomValues(new Uint8Array(32)),
    mailTransport: createMailTransport(config),
    listRoutes: () => Promise.resolve([]),
    log: createLog(({ length }) => Promise.resolve(length), systemClock.now),
  });
  const app = createFreshApp(services);
  const snapshot = await import(new URL("_fresh/snapshot.js", PROJECT).href);
  setBuildCache(app, new ProdBuildCache(fileURLToPath(PROJECT), snapshot), "production");
  return {
    services,
    handle: guard(services, app.handler()),
    async [Symbol.asyncDispose]() {
      await drainServices(services);
      store[Symbol.dispose]();
    },
  };
}
