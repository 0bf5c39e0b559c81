import { type Config, ConfigError, readConfig, readEnvironment } from "@/lib/config.ts";
import { errorMessage } from "@/lib/core/errors.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import {
  printError,
  printSetupLink,
  registerBackgroundWork,
  reportUnhandledErrors,
  run,
} from "@/lib/server/run.ts";
import { type EarlyServer, listenEarly, withoutZeroLength } from "@/lib/server/listen.ts";
import { guard, type ServeHandler } from "@/lib/server/guard.ts";
import { createLog } from "@/lib/services/log.ts";
import { createServices, type ServedRoute, startWorkers } from "@/lib/services/services.ts";
import { maskForeignAccess } from "@/lib/core/private_files.ts";
import { openSottoStore, readOrMakeSecretKey } from "@/lib/services/sotto_store.ts";
import type { StartSpan } from "@/lib/store/database.ts";
import type { Store } from "@/lib/store/open.ts";
import { createMailTransport } from "@/lib/mail/transport.ts";
import { createFreshApp } from "@/routes/(_app)/fresh_app.ts";

maskForeignAccess();
const { config, earlyServer } = readConfigOrExit();
// Only a server that is traced needs the module.
const tracing = config.isTraced ? await import("@/lib/services/tracing.ts") : null;
const store = await openStoreOrExit(config, tracing?.startSpan);
const log = createLog(writeToStdout, () => store.clock.now());
const services = createServices({
  config,
  clock: store.clock,
  store,
  passwords: createPasswordHasher(),
  secretKey: config.secretKey ?? await readOrMakeSecretKey(store),
  mailTransport: createMailTransport(config, store.clock),
  listRoutes: listBuiltRoutes,
  log: tracing?.traceRequests(log) ?? log,
});

/** The app whose routes the built server entry adds. */
export const app = createFreshApp(services);

// The platform looks for schedules while the entry point is evaluated.
if (config.isDeployment) registerBackgroundWork(services, Deno.cron);

if (import.meta.main) {
  // Not awaited: the built entry imports this module, which must have been evaluated by then.
  serve().catch((error) => exit(1, `Sotto cannot start: ${errorMessage(error)}`));
}

/** Serves the built routes until a signal stops the process. */
export async function serve(): Promise<void> {
  const built: { default: { fetch: ServeHandler } } = await import(import.meta.resolve("./_fresh/server.js"));
  reportUnhandledErrors(services);
  startWorkers(services);
  run(services, withoutZeroLength(guard(services, built.default.fetch)), earlyServer);
  await printSetupLink(services);
}

/** Writes all bytes; a single write to a pipe or a disk may take some of them only. */
async function writeToStdout(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}

async function listBuiltRoutes(): Promise<readonly ServedRoute[]> {
  const built: { routes: readonly ServedRoute[] } = await import(import.meta.resolve("./_fresh/routes.js"));
  return built.routes;
}

/** With port 0 the system chooses one, which must be known before the default of BASE_URL. */
function readConfigOrExit(): { config: Config; earlyServer: EarlyServer | null } {
  try {
    const variables = readEnvironment();
    const config = readConfig(variables);
    if (config.port !== 0) return { config, earlyServer: null };
    const earlyServer = listenEarly(config.host);
    return { config: readConfig({ ...variables, PORT: String(earlyServer.port) }), earlyServer };
  } catch (error) {
    if (error instanceof ConfigError) exit(2, error.message);
    throw error;
  }
}

async function openStoreOrExit({ kvUrl }: Config, startSpan?: StartSpan): Promise<Store> {
  try {
    return await openSottoStore(kvUrl, startSpan);
  } catch (error) {
    exit(1, errorMessage(error));
  }
}

function exit(status: number, message: string): never {
  printError(message);
  Deno.exit(status);
}
