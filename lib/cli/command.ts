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
