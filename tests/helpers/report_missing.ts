import assert from "node:assert/strict";

/**
 * Prints a line that says what a test lacks, with the command that installs it.
 * @throws AssertionError where CI is set, because nothing may be left out there.
 */
export function reportMissing(program: string, command: string): void {
  assert.notEqual(Deno.env.get("CI"), "true", `There is no ${program}: ${command}`);
  // deno-lint-ignore no-console
  console.log(`Not tested without ${program}: ${command}`);
}
