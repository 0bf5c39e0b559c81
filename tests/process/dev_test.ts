import assert from "node:assert/strict";
import { collect, PROJECT, readPort, taskFlags } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { settled, waitFor } from "@/tests/helpers/wait.ts";

/** Parts of the project that a server needs, with few routes and islands, as each of the three starts builds them. */
const SOURCES = [
  ...[
    "deno.json",
    "deno.lock",
    "main.ts",
    "components",
    "lib",
    "static",
    "islands/admin/shell",
    "islands/home",
  ],
  ...["routes/(_app)", "routes/[short]", "routes/_app.tsx", "routes/_error.tsx", "routes/health.ts"],
  ...["routes/openapi.json.ts", "_fresh/compressed"],
];
const SCRIPT = "lib/build/dev.ts";
/** Source of the answer of `/health`, in a file that the watcher watches. */
const ROUTE = "routes/health.ts";
const BANNER = "Sotto listens";
/** The route that the test adds. */
const ADDED_ROUTE = "routes/added.ts";
/** Milliseconds after which a request counts as never answered. */
const REQUEST_GIVE_UP_MS = 60_000;

Deno.test("deno task dev restarts once for each change, never without one, and describes a new route", async () => {
  await using folder = await copySources();
  const dev = startDev(folder.path);
  const output = collect(dev.stdout);
  const errors = collect(dev.stderr);
  const explain = () => `Its output:\n${output()}\nIts errors:\n${errors()}`;
  const untilStatus = (status: string) =>
    waitFor(`/health answers ${status}`, () => readStatus(output()), {
      isMet: (found) => found === status,
      explain,
    });
  try {
    await untilStatus("ok");
    // A start that causes another one would be counted by the time at which two later changes are served.
    await replaceStatus(folder.path, "ok", "changed");
    await untilStatus("changed");
    await addRoute(folder.path);
    await waitFor("/openapi.json describes the new route", () => readPaths(output()), {
      isMet: (paths) => paths.includes("/added"),
      explain,
    });
    assert.deepEqual(listRestarts(errors()), [ROUTE, ADDED_ROUTE].map((path) => `${folder.path}/${path}`));
    dev.kill("SIGINT");
    await settled("deno task dev stops", dev.status, { explain });
  } finally {
    await kill(dev);
  }
});

/** A copy of the project, which the test may change, with its compressed files, which take long to make. */
async function copySources(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await createTestFolder();
  await copyTo(folder.path, SOURCES);
  await Deno.symlink(`${PROJECT}node_modules`, `${folder.path}/node_modules`);
  return folder;
}

async function copyTo(folder: string, paths: readonly string[]): Promise<void> {
  const copy = await new Deno.Command("cp", { args: ["-r", "--parents", ...paths, folder], cwd: PROJECT })
    .output();
  assert.ok(copy.success, new TextDecoder().decode(copy.stderr));
}

function startDev(folder: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", ...taskFlags("dev", SCRIPT), SCRIPT],
    cwd: folder,
    env: { PORT: "0", HOST: "127.0.0.1", KV_URL: ":memory:", NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
    stdin: "null",
  }).spawn();
}

/** Status that `/health` answers at the latest start. */
async function readStatus(output: string): Promise<string | null> {
  return (await readJson(output, "/health"))?.status ?? null;
}

/** Paths that `/openapi.json` describes at the latest start. */
async function readPaths(output: string): Promise<string[]> {
  return Object.keys((await readJson(output, "/openapi.json"))?.paths ?? {});
}

/** Response at the latest start; each start has a port of its own. */
async function readJson(output: string, path: string): Promise<{ status?: string; paths?: object } | null> {
  const port = readPort(output.slice(Math.max(0, output.lastIndexOf(BANNER))));
  if (port === null) return null;
  const signal = AbortSignal.timeout(REQUEST_GIVE_UP_MS);
  return await (await fetch(`http://127.0.0.1:${port}${path}`, { signal })).json();
}

/** Changes what `/health` answers; the file is replaced at once, so that the watcher sees one change. */
async function replaceStatus(folder: string, before: string, after: string): Promise<void> {
  const source = await Deno.readTextFile(`${folder}/${ROUTE}`);
  assert.ok(source.includes(`status: "${before}"`));
  await Deno.writeTextFile(`${folder}/route.ts`, source.replace(`status: "${before}"`, `status: "${after}"`));
  await Deno.rename(`${folder}/route.ts`, `${folder}/${ROUTE}`);
}

/** Adds a route that answers as `/health` does. */
async function addRoute(folder: string): Promise<void> {
  await Deno.copyFile(`${folder}/${ROUTE}`, `${folder}/route.ts`);
  await Deno.rename(`${folder}/route.ts`, `${folder}/${ADDED_ROUTE}`);
}

/** Lists the files whose changes made the watcher restart. */
function listRestarts(errors: string): (string | undefined)[] {
  return Array.from(errors.matchAll(/File change detected: "([^"]+)"/g), ([, path]) => path);
}

async function kill(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended already.
  }
  await child.status;
}
