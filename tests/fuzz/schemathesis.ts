// Runs schemathesis against a server of its own, on the description of the API. It needs Python and its packages; without them, one line says so.
import { parseArgs } from "node:util";
import { installPythonPackages } from "@/tests/helpers/python.ts";
import { PROJECT } from "@/tests/helpers/server.ts";
import { print } from "@/tests/tools/suite.ts";
import { FuzzServer } from "./fuzz_server.ts";

const PACKAGES = { folder: ".venv-fuzz", requirements: "tests/fuzz/requirements.txt" };
const DEFAULT_SECONDS = 30;
/**
 * Checks that the description is exact enough for. It leaves out rules between parameters and the texts of
 * permissions, so that neither acceptance of all that matches nor refusal of all else can be expected.
 */
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
];
/** Requests that wait for events, and those that end the account or the organization of the caller. */
const LEFT_OUT = ["/api/v1/events", "/api/v1/users/me", "/api/v1/users/me/api_key/regenerate"];
/**
 * Operations that schemathesis cannot judge: texts with JSON in a query exceed what the HTTP library reads of a
 * request line, which it refuses without a body.
 */
const NOT_JUDGED = [
  "getMessages",
  "getMessagesMatchesNarrow",
  "getBotStorage",
  "deleteBotStorage",
  "deleteUsersMeAlertWords",
];

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: "string" }, seed: { type: "string" } } });
  const programs = await installPythonPackages(PACKAGES);
  if (programs === null) {
    print("Python or its packages cannot be installed: schemathesis was not run.");
    return;
  }
  await using server = await FuzzServer.start({});
  const args = await toArguments(server, {
    seconds: values.seconds ?? String(DEFAULT_SECONDS),
    seed: values.seed ?? "1",
  });
  // It keeps what it found in its working folder.
  const cwd = PROJECT + PACKAGES.folder;
  const { code } = await new Deno.Command(`${programs}/st`, { args, cwd, stdin: "null" }).spawn().status;
  const problem = await server.stop();
  if (problem !== null) print(problem);
  if (code !== 0 || problem !== null) Deno.exit(1);
}

async function toArguments(
  { parts, server }: FuzzServer,
  { seconds, seed }: { readonly seconds: string; readonly seed: string },
): Promise<string[]> {
  const stage = await parts.openStage();
  const owner = stage.organization.accounts.get("owner");
  return [
    "run",
    `${server.url}/openapi.json`,
    `--url=${server.url}`,
    `--auth=${owner?.email}:${owner?.apiKey}`,
    `--header=Host: ${stage.hostOf("owner")}`,
    `--checks=${CHECKS.join(",")}`,
    "--phases=examples,coverage,fuzzing",
    "--max-examples=10",
    `--max-time=${seconds}`,
    `--seed=${seed}`,
    "--generation-database=none",
    "--warnings=off",
    "--suppress-health-check=all",
    "--no-color",
    ...LEFT_OUT.map((path) => `--exclude-path=${path}`),
    ...NOT_JUDGED.map((id) => `--exclude-operation-id=${id}`),
  ];
}
