import type { Config } from "@/lib/config.ts";
import type { PasswordCost } from "@/lib/core/password.ts";

export interface CommandContext {
  readonly config: Config;
  /** The store's location, as KV_URL has it. */
  readonly location: string | null;
  /** File of the embedded store; null for another store. */
  readonly path: string | null;
  /** Cost of the passwords that it stores; that of the server by default. */
  readonly passwordCost?: PasswordCost | undefined;
}

/** A command of the operator: acts on its arguments and returns the result that is printed; null for none. */
export type Command = (context: CommandContext, args: readonly string[]) => Promise<object | null>;

/** Loads a command when it is run, so that no other command's modules are loaded with it. */
export type LoadCommand = () => Promise<Command>;

/** Error of a command with wrong arguments: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Error of a command that could not do its work: exit status 1. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(message: string, readonly report: object | null = null) {
    super(message);
  }
}

export function onlyArgument(args: readonly string[], usage: string): string {
  const [only] = args;
  if (args.length !== 1 || only === undefined || only === "") throw new UsageError(usage);
  return only;
}

/** @throws Refusal for a store in memory. */
export function requireReachable(location: string | null): void {
  if (location === ":memory:") {
    throw new Refusal("A store in memory is accessible only to its own server.");
  }
}
