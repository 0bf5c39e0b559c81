// Runs the tests of several servers on one KV Connect server, and a part of the API tests on stores of such servers. Prints
// one line where there is no KV Connect server.
import { findDenokv } from "@/tests/helpers/denokv.ts";
import { KV_TOKEN } from "@/tests/helpers/server.ts";

/** Tests of the complete server that also run with their store on a KV Connect server. */
const API_TESTS = [
  "tests/api/links_test.ts",
  "tests/api/manage_links_test.ts",
  "tests/api/chat/messages",
  "tests/api/chat/events/events_abuse_test.ts",
  "tests/api/chat/events/events_moves_test.ts",
  "tests/api/chat/events/events_test.ts",
];

/** Runs the tests and returns the exit status of the test runner. */
async function runClusterTests(program: string): Promise<number> {
  const paths = Deno.args.length > 0 ? Deno.args : ["tests/cluster", ...API_TESTS];
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--frozen", "--no-check", "--quiet", ...paths],
    env: { TEST_STORE: program, DENO_KV_ACCESS_TOKEN: KV_TOKEN },
    stdin: "null",
  }).spawn().status;
  return code;
}

if (import.meta.main) {
  const program = findDenokv();
  if (program === null) {
    // deno-lint-ignore no-console
    console.log(
      "Not tested: several servers on one store. Run `cargo install denokv --locked`, or set DENOKV.",
    );
  } else {
    Deno.exit(await runClusterTests(program));
  }
}
