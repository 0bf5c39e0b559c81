import type { Options } from "./chat_command.ts";
import { UsageError } from "./errors.ts";

/**
 * Returns the password that the operator chose, whatever its strength; null without one.
 * @throws UsageError for an empty one.
 */
export function requirePassword(options: Options, name: string): string | null {
  const password = options.optional(name) ?? null;
  if (password === "") throw new UsageError(`--${name} must not be empty.`);
  return password;
}
