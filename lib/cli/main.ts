import { ConfigError, readConfig, readEnvironment } from "@/lib/config.ts";
import { errorMessage } from "@/lib/core/errors.ts";
import { storePath } from "@/lib/kv/open.ts";
import { CHAT_COMMANDS, CHAT_USAGE } from "./chat_commands.ts";
import type { LoadCommand } from "./command.ts";
import { Refusal, UsageError } from "./errors.ts";

const USAGE = `deno task admin COMMAND

  backup FILE    copy the store into FILE, also while the server runs
  restore FILE   restore a backup into an empty store
  check          check the consistency of the store
  export FILE|-  write all entries as lines of JSON, to move them to another store
  import FILE|-  read such lines into an empty store; continues after an interruption

${CHAT_USAGE}`;

const COMMANDS: Readonly<Record<string, LoadCommand>> = {
  backup: async () => (await import("./backup.ts")).backup,
  restore: async () => (await import("./restore.ts")).restore,
  check: async () => (await import("./check.ts")).check,
  export: async () => (await import("./transfer/export_store.ts")).exportStore,
  import: async () => (await import("./transfer/import_store.ts")).importStore,
  ...CHAT_COMMANDS,
};

/** Runs one command, prints its result as one JSON object unless it wrote it itself, and returns the exit status. */
async function runCommand([name = "", ...args]: readonly string[]): Promise<number> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (load === undefined) throw new UsageError(USAGE);
    const command = await load();
    const config = readConfig(readEnvironment());
    const { kvUrl } = config;
    const result = await command({ config, location: kvUrl, path: storePath(kvUrl) }, args);
    if (result !== null) write(Deno.stdout, JSON.stringify(result));
    return 0;
  } catch (error) {
    if (error instanceof Refusal && error.report !== null) write(Deno.stdout, JSON.stringify(error.report));
    write(Deno.stderr, errorMessage(error));
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  stream.writeSync(new TextEncoder().encode(text + "\n"));
}

Deno.exit(await runCommand(Deno.args));
