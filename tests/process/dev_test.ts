import assert from "node:assert/strict";
import { collect, freePort, PROJECT, taskFlags, within } from "@/tests/helpers/server.ts";
import { makeTestFolder } from "@/tests/helpers/store.ts";

const SOURCES = ["deno.json", "deno.lock", "main.ts", "components", "islands", "lib", "routes", "static"];
/** Longer than the watcher waits before it looks at a change. */
const QUIET_MS = 1500;
const SCRIPT = "lib/build/dev.ts";

Deno.test("deno task dev serves, stays up while nothing changes, and starts anew with what did", async () => {
  await using folder = await makeTestFolder();
  const copy = await new Deno.Command("cp", { args: ["-r", ...SOURCES, folder.path], cwd: PROJECT }).output();
  assert.ok(copy.success);
  await Deno.symlink(`${PROJECT}node_modules`, `${folder.path}/node_modules`);
  const port = freePort();
  const dev = new Deno.Command(Deno.execPath(), {
    args: ["run", ...taskFlags("dev", SCRIPT), SCRIPT],
    cwd: folder.path,
    env: { PORT: String(port), HOST: "127.0.0.1", KV_URL: ":memory:", NO_COLOR: "1" },
    stdout: "piped",
    stderr: "null",
    stdin: "null",
  }).spawn();
  const output = collect(dev.stdout);
  const started = () => output().split("Sotto listens").length - 1;
  try {
    await untilAnswered(port, (text) => text.includes('"status":"ok"'));
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const before = started();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    assert.equal(started(), before);

    const route = `${folder.path}/routes/health.ts`;
    const source = await Deno.readTextFile(route);
    assert.ok(source.includes('status: "ok"'));
    await Deno.writeTextFile(route, source.replace('status: "ok"', 'status: "changed"'));
    await untilAnswered(port, (text) => text.includes('"status":"changed"'));
  } finally {
    dev.kill("SIGINT");
    await within(10_000, dev.status, () => "deno task dev does not stop");
  }
});

async function untilAnswered(port: number, isExpected: (text: string) => boolean): Promise<void> {
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2000) });
    return await response.text();
  };
  const poll = async () => {
    while (!isExpected(await ask().catch(() => ""))) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await within(20_000, poll(), () => "The development server does not answer as expected");
}
