import { errorMessage } from "@/lib/core/errors.ts";
import { taskCommand } from "@/lib/core/task_command.ts";
import { ConfigError, readConfig } from "@/lib/config.ts";
import type { PasswordCost } from "@/lib/core/password.ts";
import { storePath } from "@/lib/store/open.ts";
import { CHAT_COMMANDS, CHAT_USAGE } from "./chat_commands.ts";
import { type LoadCommand, Refusal, UsageError } from "./command.ts";

const USAGE = `${taskCommand("-q admin COMMAND")}

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

interface CommandSurroundings {
  readonly readVariables: () => Readonly<Record<string, string | undefined>>;
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Cost of the passwords that the command stores; that of the server by default. */
  readonly passwordCost?: PasswordCost | undefined;
}

/** Runs one command, prints its result as one JSON object unless it wrote it itself, and returns the exit status. */
export async function runCommand(
  [name = "", ...args]: readonly string[],
  { readVariables, print, printError, passwordCost }: CommandSurroundings,
): Promise<number> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (load === undefined) throw new UsageError(USAGE);
    const command = await load();
    const config = readConfig(readVariables());
    const { kvUrl } = config;
    const context = { config, location: kvUrl, path: storePath(kvUrl), passwordCost };
    const result = await command(context, args);
    if (result !== null) print(JSON.stringify(result));
    return 0;
  } catch (error) {
    if (error instanceof Refusal && error.report !== null) print(JSON.stringify(error.report));
    printError(errorMessage(error));
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}
