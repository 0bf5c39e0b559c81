import assert from "node:assert/strict";
import { PROJECT, taskFlags } from "./server.ts";

/** How a command of the operator ended. */
export interface Outcome {
  readonly code: number;
  /** The last line of standard output, read as JSON; empty without output. */
  // deno-lint-ignore no-explicit-any
  readonly result: any;
  /** Lines of standard output. */
  readonly lines: number;
  readonly errors: string;
}

const SCRIPT = "lib/cli/main.ts";

/** Runs the operator's command line on a store, with the permissions that the task gives it. */
export async function tryAdmin(store: string, ...args: string[]): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...taskFlags("admin", SCRIPT),
      "--config",
      `${PROJECT}deno.json`,
      `${PROJECT}${SCRIPT}`,
      ...args,
    ],
    env: { KV_URL: store },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  const lines = text(stdout) === "" ? [] : text(stdout).split("\n");
  return { code, result: JSON.parse(lines.at(-1) ?? "{}"), lines: lines.length, errors: text(stderr) };
}

/** Runs a command that must succeed and print one line and nothing else, and gives what that says. */
export async function admin(store: string, ...args: string[]): Promise<Outcome["result"]> {
  const { code, result, lines, errors } = await tryAdmin(store, ...args);
  assert.deepEqual([code, lines, errors], [0, 1, ""], args.join(" "));
  return result;
}
