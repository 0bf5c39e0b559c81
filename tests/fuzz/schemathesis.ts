// Runs schemathesis against a server of its own, on the description of the API. It needs Python and its packages; without them, one line says so.
import { parseArgs } from "node:util";
import { PROJECT } from "@/tests/helpers/server.ts";
import { print } from "@/tests/tools/suite.ts";
import { FuzzServer } from "./fuzz_server.ts";

const REQUIREMENTS = `${PROJECT}tests/fuzz/requirements.txt`;
const ENVIRONMENT = `${PROJECT}.venv-fuzz`;
const INSTALLED = `${ENVIRONMENT}/installed.txt`;
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
 * Operations that schemathesis cannot judge: lists of ids in a query exceed what the HTTP library reads of a
 * request line, which it refuses without a body; and the description of `muted_topics` uses `prefixItems`, which
 * this version of schemathesis does not read.
 */
const NOT_JUDGED = ["GET_messages", "GET_messages_matches_narrow", "POST_register"];

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { seconds: { type: "string" }, seed: { type: "string" } } });
  const program = await install();
  if (program === null) {
    print("Python or its packages cannot be installed: schemathesis was not run.");
    return;
  }
  await using server = await FuzzServer.start({});
  const args = await toArguments(server, {
    seconds: values.seconds ?? String(DEFAULT_SECONDS),
    seed: values.seed ?? "1",
  });
  // It keeps what it found in its working folder.
  const { code } = await run(program, args, ENVIRONMENT);
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

/** Installs the exact versions of the requirements, unless they are there; returns null where that is impossible. */
async function install(): Promise<string | null> {
  const program = `${ENVIRONMENT}/bin/st`;
  const wanted = await Deno.readTextFile(REQUIREMENTS);
  if (await Deno.readTextFile(INSTALLED).catch(() => "") === wanted) return program;
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input"];
  const isInstalled = await succeeds("python3", ["-m", "venv", "--clear", ENVIRONMENT]) &&
    await succeeds(`${ENVIRONMENT}/bin/pip`, ["install", ...quiet, "--requirement", REQUIREMENTS]);
  if (!isInstalled) return null;
  await Deno.writeTextFile(INSTALLED, wanted);
  return program;
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  try {
    return (await run(program, args)).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function run(program: string, args: readonly string[], cwd = PROJECT): Promise<Deno.CommandStatus> {
  return new Deno.Command(program, { args: [...args], cwd, stdin: "null" }).spawn().status;
}
