import assert from "node:assert/strict";
import { join } from "node:path";
import { taskCommand } from "@/lib/core/task_command.ts";
import { tryCommand } from "@/tests/helpers/command_calls.ts";
import { inheritedEnv, PROJECT, RUNTIME_FLAGS, taskFlags, TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { settled } from "@/tests/helpers/wait.ts";

const SCRIPT = "tests/tools/demo/main.ts";
const VOLUMES = [
  ...["--large", "--people", "80", "--channels", "30", "--messages", "800"],
  ...["--links", "200", "--visits", "1000", "--avatars", "1"],
];
const PASSWORD = "violet kettle seldom 42";
const OWNER = "maren@larkspur.example";

async function runDemo(store: string, ...args: string[]) {
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...RUNTIME_FLAGS,
      ...taskFlags("demo", SCRIPT),
      "--config",
      `${PROJECT}deno.json`,
      `${PROJECT}${SCRIPT}`,
      ...args,
    ],
    clearEnv: true,
    env: { ...inheritedEnv(), KV_URL: store, PORT: "8431", NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await settled("the demo ends", command.output());
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout), errors: decoder.decode(stderr) };
}

async function signIn(server: TestServer): Promise<string> {
  const response = await server.fetch("/login", {
    method: "POST",
    headers: { origin: server.baseUrl },
    body: new URLSearchParams({ username: OWNER, password: PASSWORD }),
  });
  await response.body?.cancel();
  assert.equal(response.status, 303);
  return response.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
}

Deno.test("a large demo fills an empty store consistently, refuses to fill it again, and its owner finds everything", async () => {
  await using folder = await createTestFolder();
  const store = join(folder.path, "demo.kv");
  const created = await runDemo(store, ...VOLUMES, "--password", PASSWORD);
  assert.equal(created.code, 0, created.errors);
  assert.match(created.errors, /^Creating the demo: 100 %, \d+\/s, 0 s left\n$/m);
  const command = taskCommand("start", { KV_URL: store, PORT: "8431" });
  assert.ok(created.output.includes(`${command}\n`), created.output);
  assert.ok(created.output.includes("http://localhost:8431/login\n"), created.output);
  assert.match(created.output, new RegExp(`${OWNER}\\n.*${PASSWORD}\\n`));

  const { code, result, errors } = await tryCommand(store, "check");
  assert.deepEqual([code, result.ok], [0, true], errors);
  const { realms, users, groups, channels, messages } = result.chat;
  // Bots have accounts as well.
  assert.deepEqual({ realms, users, groups, channels }, { realms: 1, users: 85, groups: 12, channels: 30 });
  assert.ok(messages > 800);
  assert.deepEqual([result.links.urls, result.links.visits], [200, 1000]);

  const again = await runDemo(store, ...VOLUMES);
  assert.deepEqual([again.code, again.output], [2, ""]);
  assert.match(again.errors, /has an organization/);

  await using server = await TestServer.start({ env: { KV_URL: store } });
  await requirePages(server);
  await requireFoundMessages(server);
});

/** Requires that the owner sees pages of the organization. */
async function requirePages(server: TestServer): Promise<void> {
  const cookie = await signIn(server);
  for (const path of ["/admin", "/admin/users", "/admin/invitations", "/admin/stats", "/admin/audit"]) {
    const page = await server.fetch(path, { headers: { cookie } });
    const html = await page.text();
    assert.deepEqual([path, page.status], [path, 200]);
    assert.ok(html.includes("Larkspur Community Garden"), path);
  }
}

/** Requires that the owner finds messages that were written in bulk, in the order of their times. */
async function requireFoundMessages(server: TestServer): Promise<void> {
  const fetched = await server.fetch("/api/v1/fetch_api_key", {
    method: "POST",
    body: new URLSearchParams({ username: OWNER, password: PASSWORD }),
  });
  const { api_key } = await fetched.json();
  const authorization = `Basic ${btoa(`${OWNER}:${api_key}`)}`;
  const narrow = JSON.stringify([{ operator: "search", operand: "forecast" }]);
  const query = new URLSearchParams({ anchor: "newest", num_before: "20", num_after: "0", narrow });
  const found = await server.fetch(`/api/v1/messages?${query}`, { headers: { authorization } });
  const { messages } = await found.json();
  assert.equal(messages.length, 20);
  const times = messages.map(({ timestamp }: { timestamp: number }) => timestamp);
  assert.deepEqual(times.toSorted((one: number, other: number) => one - other), times);
}
