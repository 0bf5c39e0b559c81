import assert from "node:assert/strict";
import { PROJECT } from "@/tests/helpers/server.ts";
import { settled } from "@/tests/helpers/wait.ts";
import { call, type ClientStage, startClientStage } from "./client_stage.ts";

/** Folder of the installed generators, which is not committed. */
const INSTALLED = `${PROJECT}.generators`;
const JAVA_PACKAGE = "org.openapitools:openapi-generator-cli:7.16.0";
const NODE_PACKAGES = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"];
/** Milliseconds after which a whole test counts as hanging. */
const TEST_MS = 900_000;

/** A client that a test generates and compiles in a folder of its own. */
export interface GeneratedClient {
  readonly stage: ClientStage;
  /** Folder with the description of the server's API as `openapi.json`. */
  readonly folder: string;
}

/** Defines a test that needs programs. Where one of them is not installed, its only step says so and succeeds. */
export function generatorTest(
  name: string,
  programs: readonly string[],
  test: (client: GeneratedClient) => Promise<void>,
): void {
  Deno.test(name, async (t) => {
    const missing = programs.filter((program) => !isInstalled(program));
    if (missing.length > 0) {
      await t.step(`not tested: there is no ${missing.join(", ")}`, () => {});
      return;
    }
    await using stage = await startClientStage("");
    const folder = `${stage.folder}/generated`;
    await Deno.mkdir(folder);
    const description = await stage.server.fetch("/openapi.json");
    await Deno.writeTextFile(`${folder}/openapi.json`, await description.text());
    await settled("the test ends", test({ stage, folder }), { giveUpMs: TEST_MS });
  });
}

function isInstalled(program: string): boolean {
  return new Deno.Command("sh", { args: ["-c", `command -v ${program}`], stdout: "null" }).outputSync()
    .success;
}

/**
 * Runs a program to its end and returns its output.
 * @throws Error with the end of its output when it fails.
 */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { ...options, args: [...args] })
    .output();
  const output = new TextDecoder().decode(stdout);
  const explain = () => `${output.slice(-5000)}\n${new TextDecoder().decode(stderr).slice(-5000)}`;
  assert.ok(success, success ? "" : `${program} ${args.join(" ")}\n${explain()}`);
  return output;
}

/** Generates a client with the generator that runs on Java, in the folder `sotto`. */
export async function generateWithJava(
  { folder }: GeneratedClient,
  { generator, properties }: { readonly generator: string; readonly properties: string },
): Promise<void> {
  await Deno.mkdir(INSTALLED, { recursive: true });
  const jar = `${INSTALLED}/${JAVA_PACKAGE.split(":").slice(1).join("-")}.jar`;
  if (!await exists(jar)) {
    const options = [`-Dartifact=${JAVA_PACKAGE}`, `-DoutputDirectory=${INSTALLED}`];
    await run("mvn", ["--batch-mode", "--quiet", "dependency:copy", ...options], { cwd: INSTALLED });
  }
  const parts = "apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false";
  const settings = ["--generator-name", generator, "--additional-properties", properties];
  const paths = ["--input-spec", "openapi.json", "--output", "sotto"];
  await run("java", ["-jar", jar, "generate", ...paths, ...settings, "--global-property", parts], {
    cwd: folder,
  });
}

/** Installs the packages for TypeScript and returns the folder of their programs. */
export async function installNodePackages(): Promise<string> {
  const modules = `${INSTALLED}/node_modules`;
  const wanted = NODE_PACKAGES.join("\n");
  const list = `${INSTALLED}/installed.txt`;
  if (await Deno.readTextFile(list).catch(() => "") !== wanted) {
    await Deno.mkdir(INSTALLED, { recursive: true });
    const options = ["--no-save", "--no-audit", "--no-fund", "--prefix", INSTALLED];
    await run("npm", ["install", ...options, ...NODE_PACKAGES], { cwd: INSTALLED });
    await Deno.writeTextFile(list, wanted);
  }
  return `${modules}/.bin`;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Copies a program that makes calls with the client. */
export async function copyCalls({ folder }: GeneratedClient, name: string): Promise<void> {
  const to = `${folder}/${name.replace(/^calls_\w+/, "calls").replace(/\.txt$/, "")}`;
  await Deno.copyFile(`${PROJECT}tests/clients/generated/${name}`, to);
}

/** Runs the program that makes the calls, and asserts what they returned and did. */
export async function assertCalls(
  { stage, folder }: GeneratedClient,
  [program, ...args]: readonly [string, ...string[]],
): Promise<void> {
  const { server, ada } = stage;
  const output = await run(program, [...args, server.url, ada.email, ada.key], { cwd: folder });
  const { sent, short, ...read } = JSON.parse(output);
  assert.deepEqual(read, { realm: "Gardeners", user: ada.id, read: ["<p>Prune them</p>"] });
  const { message } = await call(stage, ada, ["GET", `messages/${sent}`, { apply_markdown: false }]);
  assert.deepEqual([message.display_recipient, message.subject, message.content], [
    "Garden",
    "roses",
    "Prune them",
  ]);
  const visit = await server.fetch(`/${encodeURIComponent(short)}`, {
    headers: { accept: "text/html" },
    redirect: "manual",
  });
  await visit.body?.cancel();
  assert.equal(visit.headers.get("location"), "https://example.com/rose");
}
