import { createSetupToken } from "@/lib/chat/people/auth/confirmations.ts";
import { errorMessage } from "@/lib/core/errors.ts";
import { type EarlyServer, listen } from "./listen.ts";
import { canWriteFiles } from "@/lib/core/private_files.ts";
import type { ServeHandler } from "./guard.ts";
import { findNewerVersion } from "@/lib/store/migrate.ts";
import { MIGRATIONS } from "../services/migrations.ts";
import { frequentWorkersOf, hourlyWorkersOf, type Services } from "../services/services.ts";

/**
 * Time within which SIGINT repeats itself, in milliseconds: a terminal sends it to the server and to the task runner,
 * which passes it on.
 */
const REPEATED_MS = 2000;
/** Time between two looks at the version of the store, in milliseconds. */
const VERSION_MS = 2000;

/**
 * Serves until a signal stops the process, then ends it with exit status 0 when everything was finished. A second signal
 * ends the requests in flight, and the process with exit status 1; a third one does not wait for anything. A server whose
 * store a newer version has migrated stops by itself, with exit status 1.
 */
export function run(app: Services, handler: ServeHandler, earlyServer: EarlyServer | null): void {
  const listener = listen(app, handler, earlyServer);
  printBanner(app, listener.address);
  const hurry = Promise.withResolvers<void>();
  let status = 0;
  const stop = async () => {
    try {
      await listener.stop(hurry.promise);
      app.store[Symbol.dispose]();
    } catch (error) {
      printError(`Sotto did not stop cleanly: ${errorMessage(error)}`);
      status = 1;
    }
    Deno.exit(status);
  };
  let isHastened = false;
  const hasten = () => {
    if (isHastened) Deno.exit(1);
    isHastened = true;
    status = 1;
    hurry.resolve();
  };
  let signaledAt = -Infinity;
  const onSignal = (signal: Deno.Signal) => {
    const now = app.clock.monotonic();
    if (signal === "SIGINT" && now - signaledAt < REPEATED_MS) return;
    signaledAt = now;
    if (app.status.isStopping) hasten();
    else stop();
  };
  const watch = setInterval(async () => {
    const problem = await findNewerVersion(app.store, MIGRATIONS).catch(() => null);
    if (problem === null || app.status.isStopping) return;
    printError(problem);
    status = 1;
    stop();
  }, VERSION_MS);
  Deno.unrefTimer(watch);
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => onSignal(signal));
}

/** Prints the one-time setup link while no organization exists. */
export async function printSetupLink({ chat, config }: Services): Promise<void> {
  const token = await createSetupToken(chat);
  if (token !== null) print(`Set up: ${config.baseUrl}/setup?token=${token}`);
}

/** Writes text to standard output. */
function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
}

/** Writes text to standard error. */
export function printError(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text + "\n"));
}

function printBanner({ config, store }: Services, address: Deno.NetAddr): void {
  const withoutSmtp = canWriteFiles() ? `files in ${config.mailDir}` : "waits for SMTP_URL";
  const mail = config.smtpUrl === null ? withoutSmtp : new URL(config.smtpUrl).host;
  print(`Sotto listens on http://${address.hostname}:${address.port} and is reached at ${config.baseUrl}`);
  print(`Store: ${store.location}`);
  print(`Mail: ${mail}`);
}

/**
 * Logs and counts errors that nothing handles, and keeps the process alive: the request or the work that failed is lost,
 * while ending would lose all others. Changes are atomic commits, so none is left half done.
 */
export function reportUnhandledErrors({ log, metrics }: Services): void {
  const report = (event: Event, cause: unknown) => {
    event.preventDefault();
    metrics.unhandledError();
    const stack = cause instanceof Error ? cause.stack : undefined;
    log.event("error", "unhandled error", { cause: errorMessage(cause), stack });
  };
  globalThis.addEventListener("unhandledrejection", (event) => report(event, event.reason));
  globalThis.addEventListener("error", (event) => report(event, event.error));
}

/** Registers work that the platform starts at the times of a schedule, also while no process serves. */
export type RegisterCron = (name: string, schedule: string, work: () => Promise<void>) => unknown;

/**
 * Lets a platform that ends idle processes start the background work: every minute what is due, and every hour
 * what can wait. Does nothing where the platform has no schedules, which `register` then is undefined for. Work
 * that another process does at the same time is done once, as by several servers.
 */
export function registerBackgroundWork(services: Services, register: RegisterCron | undefined): void {
  register?.("due work", "* * * * *", async () => {
    const sweeps = frequentWorkersOf(services).map((worker) => worker.sweep());
    await Promise.all([...sweeps, services.links.compactor.catchUp()]);
  });
  register?.("hourly work", "17 * * * *", async () => {
    await Promise.all(hourlyWorkersOf(services).map((worker) => worker.sweep()));
  });
}
