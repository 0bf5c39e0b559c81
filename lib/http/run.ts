import { makeSetupToken } from "@/lib/chat/sessions/setup.ts";
import type { EarlyServer } from "./early_server.ts";
import { listen } from "./listen.ts";
import type { ServeHandler } from "./guard.ts";
import type { Services } from "./services.ts";

/** Serves until a signal stops the process, then ends it with exit status 0 when everything was finished. */
export function run(app: Services, handler: ServeHandler, earlyServer: EarlyServer | null): void {
  const listener = listen(app, handler, earlyServer);
  printBanner(app, listener.address);
  const stop = async () => {
    // The second signal does not wait.
    if (app.status.isStopping) Deno.exit(1);
    await listener.stop();
    app.store[Symbol.dispose]();
    Deno.exit(0);
  };
  Deno.addSignalListener("SIGTERM", stop);
  Deno.addSignalListener("SIGINT", stop);
}

/** Prints the one-time link that sets the server up, while it has no organization. */
export async function printSetupLink({ chat, config }: Services): Promise<void> {
  const token = await makeSetupToken(chat);
  if (token !== null) print(`Set up: ${config.baseUrl}/setup?token=${token}`);
}

/** Writes text for the operator to standard output. */
export function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
}

/** Writes text for the operator to standard error. */
export function printError(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text + "\n"));
}

function printBanner({ config, store }: Services, address: Deno.NetAddr): void {
  const mail = config.smtpUrl === null ? `files in ${config.mailDir}` : new URL(config.smtpUrl).host;
  print(`Sotto listens on http://${address.hostname}:${address.port} and is reached at ${config.baseUrl}`);
  print(`Store: ${store.location}`);
  print(`Mail: ${mail}`);
}
