import assert from "node:assert/strict";
import { inheritedEnv, PROJECT, RUNTIME_FLAGS, taskFlags } from "./server.ts";
import { settled } from "./wait.ts";

/** Result of an operator's command. */
export interface CommandResult {
  readonly code: number;
  /** The last line of standard output, read as JSON; empty without output. */
  // deno-lint-ignore no-explicit-any
  readonly result: any;
  /** Lines of standard output. */
  readonly lines: number;
  readonly errors: string;
}

const SCRIPT = "lib/cli/main.ts";

/** Runs the operator's command line on a store, with the permissions of its task. */
export function tryAdmin(store: string, ...args: string[]): Promise<CommandResult> {
  return run({ store, input: null }, args);
}

/** Runs it with a text on standard input. */
export function tryAdminWithInput(store: string, input: string, ...args: string[]): Promise<CommandResult> {
  return run({ store, input }, args);
}

/** Starts the operator's command line on a store; its output is piped. */
export function spawnAdmin(
  store: string,
  args: readonly string[],
  { stdin }: { readonly stdin: "null" | "piped" },
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...RUNTIME_FLAGS,
      ...taskFlags("admin", SCRIPT),
      "--config",
      `${PROJECT}deno.json`,
      `${PROJECT}${SCRIPT}`,
      ...args,
    ],
    clearEnv: true,
    env: { ...inheritedEnv(), KV_URL: store },
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function run(
  { store, input }: { readonly store: string; readonly input: string | null },
  args: readonly string[],
): Promise<CommandResult> {
  await using child = spawnAdmin(store, args, { stdin: input === null ? "null" : "piped" });
  if (input !== null) {
    // A command that refuses its input may have ended before it is all written.
    await new Blob([input]).stream().pipeTo(child.stdin).catch(() => {});
  }
  const { code, stdout, stderr } = await settled(`the command ends: ${args.join(" ")}`, child.output());
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  const lines = text(stdout) === "" ? [] : text(stdout).split("\n");
  return { code, result: JSON.parse(lines.at(-1) ?? "{}"), lines: lines.length, errors: text(stderr) };
}

/** Owner of an organization that the operator's command creates. */
export interface NewOwner {
  readonly email: string;
  readonly name: string;
  readonly password?: string;
}

/** Creates the organization Gardeners and returns what the command printed. */
export function createGardeners(store: string, owner?: NewOwner): Promise<CommandResult["result"]> {
  return admin(store, ...toGardeners(owner));
}

/** Returns the command that creates the organization Gardeners. */
export function toGardeners(
  { email, name, password }: NewOwner = { email: "owner@example.com", name: "Owner" },
): string[] {
  const secret = password === undefined ? [] : ["--owner-password", password];
  return ["create-realm", "--name", "Gardeners", "--owner-email", email, "--owner-name", name, ...secret];
}

/** A line of progress, which commands that take several seconds print. */
const PROGRESS = /^[A-Z][a-z ]+: \d.*$\n?/gm;

/** Runs a command that must succeed and print one line and nothing but progress else; returns the JSON of that line. */
export async function admin(store: string, ...args: string[]): Promise<CommandResult["result"]> {
  const { code, result, lines, errors } = await tryAdmin(store, ...args);
  assert.deepEqual([code, lines, errors.replaceAll(PROGRESS, "")], [0, 1, ""], args.join(" "));
  return result;
}
