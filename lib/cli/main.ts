import { readEnvironment } from "@/lib/config.ts";
import { runCommand } from "./run_command.ts";

function write(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  stream.writeSync(new TextEncoder().encode(text + "\n"));
}

Deno.exit(
  await runCommand(Deno.args, {
    readVariables: readEnvironment,
    print: (line) => write(Deno.stdout, line),
    printError: (line) => write(Deno.stderr, line),
  }),
);
