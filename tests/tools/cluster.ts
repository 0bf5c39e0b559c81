// Runs the tests of several servers on one KV Connect server; prints one line where there is no such server.
import { findDenokv } from "@/tests/helpers/denokv.ts";

/** Runs the tests and returns the exit status of the test runner. */
async function runClusterTests(): Promise<number> {
  const args = ["test", "-A", "--frozen", "--no-check", "--quiet", "tests/cluster", ...Deno.args];
  const { code } = await new Deno.Command(Deno.execPath(), { args, stdin: "null" }).spawn().status;
  return code;
}

if (import.meta.main) {
  if (findDenokv() === null) {
    // deno-lint-ignore no-console
    console.log(
      "Not tested: several servers on one store. Run `cargo install denokv --locked`, or set DENOKV.",
    );
  } else {
    Deno.exit(await runClusterTests());
  }
}
