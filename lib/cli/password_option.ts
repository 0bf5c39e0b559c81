import type { Options } from "./chat_command.ts";
import { UsageError } from "./command.ts";

/** Value of an option whose password is on standard input. */
const FROM_INPUT = "-";
/** Maximum size of the line with the password, in bytes. */
const MAX_LINE_BYTES = 4096;

/**
 * Returns the password that the operator chose, whatever its strength; null without one. `-` stands for the
 * first line of standard input, which no list of processes shows.
 * @throws UsageError for an empty or overlong one.
 */
export function requirePassword(options: Options, name: string): string | null {
  const given = options.optional(name) ?? null;
  const password = given === FROM_INPUT ? readInputLine(name) : given;
  if (password === "") throw new UsageError(`--${name} must not be empty.`);
  return password;
}

function readInputLine(name: string): string {
  const bytes = new Uint8Array(MAX_LINE_BYTES);
  let size = 0;
  while (!bytes.subarray(0, size).includes(10)) {
    if (size === bytes.length) throw new UsageError(`--${name} is longer than ${MAX_LINE_BYTES} bytes.`);
    const read = Deno.stdin.readSync(bytes.subarray(size));
    if (read === null) break;
    size += read;
  }
  const [line = ""] = new TextDecoder().decode(bytes.subarray(0, size)).split(/\r?\n/, 1);
  return line;
}
