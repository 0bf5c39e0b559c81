import assert from "node:assert/strict";
import { admin, createGardeners } from "@/tests/helpers/command_line.ts";
import { readDocumentBlocks } from "@/tests/helpers/document_blocks.ts";
import { installPythonPackages } from "@/tests/helpers/python.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { settled } from "@/tests/helpers/wait.ts";

/** The client programs in Python. */
export const PACKAGES = {
  folder: ".venv-clients",
  requirements: "tests/clients/requirements.txt",
  // The terminal client declares no version of Python newer than 3.10, but runs on newer ones.
  options: ["--no-deps", "--ignore-requires-python"],
};
/** Milliseconds after which a whole test counts as hanging. */
const TEST_MS = 300_000;

/** An account of the stage. */
export interface ClientAccount {
  readonly id: number;
  readonly email: string;
  readonly key: string;
  /** Path of a configuration file with the account's address and key. */
  readonly config: string;
}

/** Answer of an API call, which has no types here. */
// deno-lint-ignore no-explicit-any
export type Answer = any;

/** A server process with an organization, whose clients run in the same folder. */
export interface ClientStage extends AsyncDisposable {
  readonly server: TestServer;
  readonly ada: ClientAccount;
  readonly bob: ClientAccount;
  readonly bot: ClientAccount;
  readonly folder: string;
  /** Folder of the installed programs. */
  readonly programs: string;
}

/** Defines a test of a Python program. Without Python, its only step says so and succeeds. */
export function pythonClientTest(name: string, test: (stage: ClientStage) => Promise<void>): void {
  Deno.test(name, async (t) => {
    const programs = await installPythonPackages(PACKAGES);
    if (programs === null) {
      await t.step("not tested: there is no Python", () => {});
      return;
    }
    await using stage = await startClientStage(programs);
    await settled("the test ends", test(stage), { giveUpMs: TEST_MS });
  });
}

/** Starts a server with the owner Ada, the member Bob and a bot of Ada. */
export async function startClientStage(programs: string): Promise<ClientStage> {
  const server = await TestServer.start({ env: { COMPATIBILITY_ALIASES: await readAliases() } });
  const run = (...args: string[]) => admin(server.store, ...args);
  const ada = await createGardeners(server.store, {
    email: "ada@example.com",
    name: "Ada",
    password: "a quiet wall",
  });
  const bob = await run("create-user", "--email", "bob@example.com", "--name", "Bob");
  const bot = await run(
    "create-bot",
    ...["--owner-email", ada.email, "--name", "Rake", "--short-name", "rake"],
  );
  const account = ({ user_id, email, api_key }: Answer): ClientAccount => ({
    ...{ id: user_id, email, key: api_key },
    config: writeConfig(server, { email, key: api_key }),
  });
  return {
    ...{ server, programs, folder: server.folder, ada: account(ada), bob: account(bob), bot: account(bot) },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Returns the aliases that docs/clients.md names for all clients. */
export async function readAliases(): Promise<string> {
  const blocks = await readDocumentBlocks("docs/clients.md");
  const aliases = blocks.map(({ code }) => /COMPATIBILITY_ALIASES='(.*)'/.exec(code)?.[1]).find(Boolean);
  assert.ok(aliases, "docs/clients.md names no aliases");
  return aliases;
}

function writeConfig(server: TestServer, { email, key }: { email: string; key: string }): string {
  const path = `${server.folder}/${email}.ini`;
  // A client refuses a file that others can read.
  Deno.writeTextFileSync(path, `[api]\nemail=${email}\nkey=${key}\nsite=${server.url}\n`, { mode: 0o600 });
  return path;
}

/** Calls the API as an account without a client, and returns the answer to a call that must succeed. */
export async function call(
  { server }: ClientStage,
  account: ClientAccount,
  [method, path, parameters = {}]: readonly [string, string, Readonly<Record<string, unknown>>?],
): Promise<Answer> {
  const body = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
  const response = await server.fetch(`/api/v1/${path}${method === "GET" ? `?${body}` : ""}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${account.email}:${account.key}`)}` },
    ...(method === "GET" ? {} : { body }),
  });
  const answer = await response.json();
  assert.equal(answer.result, "success", `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Creates a channel with subscribers and returns its id. */
export async function createChannel(
  stage: ClientStage,
  name: string,
  subscribers: readonly ClientAccount[],
): Promise<number> {
  const parameters = { name, subscribers: subscribers.map(({ id }) => id) };
  return (await call(stage, stage.ada, ["POST", "channels/create", parameters])).id;
}

/** Sends a message to a topic of a channel and returns its id. */
export async function sendToTopic(
  stage: ClientStage,
  sender: ClientAccount,
  [to, topic, content]: readonly [string, string, string],
): Promise<number> {
  return (await call(stage, sender, ["POST", "messages", { type: "channel", to, topic, content }])).id;
}

/** Returns the latest messages that an account can read, the oldest first, with the sources of their contents. */
export async function readMessages(
  stage: ClientStage,
  account: ClientAccount,
): Promise<Answer[]> {
  const parameters = { anchor: "newest", num_before: 20, num_after: 0, apply_markdown: false };
  return (await call(stage, account, ["GET", "messages", parameters])).messages;
}
