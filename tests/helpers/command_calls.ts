import assert from "node:assert/strict";
import { runCommand } from "@/lib/cli/run_command.ts";
import { type CommandResult, type NewOwner, toGardeners } from "./command_line.ts";
import { CHEAP_PASSWORDS } from "./passwords.ts";
import { inheritedEnv } from "./server.ts";

/**
 * Runs an operator's command on a store in this process, which saves the start of another one.
 * Passwords are hashed at a low cost, which the servers of the store accept.
 */
export async function tryCommand(store: string, ...args: string[]): Promise<CommandResult> {
  const output: string[] = [];
  const errors: string[] = [];
  const code = await runCommand(args, {
    readVariables: () => ({ ...inheritedEnv(), KV_URL: store }),
    print: (line) => output.push(line),
    printError: (line) => errors.push(line),
    passwordCost: CHEAP_PASSWORDS,
  });
  return { code, result: JSON.parse(output.at(-1) ?? "{}"), lines: output.length, errors: errors.join("\n") };
}

/** Runs a command in this process that must succeed and print one line; returns the JSON of that line. */
export async function callCommand(store: string, ...args: string[]): Promise<CommandResult["result"]> {
  const { code, result, lines, errors } = await tryCommand(store, ...args);
  assert.deepEqual([code, lines, errors], [0, 1, ""], args.join(" "));
  return result;
}

/** Creates the organization Gardeners in this process and returns what the command printed. */
export function createGardeners(store: string, owner?: NewOwner): Promise<CommandResult["result"]> {
  return callCommand(store, ...toGardeners(owner));
}
