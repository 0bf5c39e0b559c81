import { createSetupToken } from "@/lib/chat/auth/setup_token.ts";
import type { EarlyServer } from "./early_server.ts";
import { canWriteFiles } from "../kv/private_files.ts";
import { listen } from "./listen.ts";
import type { ServeHandler } from "./guard.ts";
import type { Services } from "../services/services.ts";

/** Serves until a signal stops the process, then ends it with exit status 0 when everything was finished. */
export function run(app: Services, handler: ServeHandler, earlyServer: EarlyServer | null): void {
  const listener = listen(app, handler, earlyServer);
  printBanner(app, listener.address);
  const stop = async () => {
    // A second signal ends the process without waiting.
    if (app.status.isStopping) Deno.exit(1);
    await listener.stop();
    app.store[Symbol.dispose]();
    Deno.exit(0);
  };
  Deno.addSignalListener("SIGTERM", stop);
  Deno.addSignalListener("SIGINT", stop);
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
