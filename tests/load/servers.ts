import { collect, TestServer } from "../helpers/server.ts";
import { waitFor } from "../helpers/wait.ts";

/** A server under load; disposing of it ends it. */
export interface Target extends AsyncDisposable {
  readonly url: string;
}

/** Starts the bare limit on a store, which writes entries of each visited link or one row of a log. */
export function startBare(store: string, shape: "links" | "log" = "links"): Promise<Target> {
  return startScript("bare_server.ts", [store, shape]);
}

/** Starts the bare limit of authenticated reads on a new store: `reads` of them, then the JSON in a file. */
export function startBareChat(store: string, answer: string, reads = 2): Promise<Target> {
  return startScript("bare_chat_server.ts", [store, answer, String(reads)]);
}

/** Starts the bare limit of a list: the last `count` values below a prefix of a store. */
export function startBareList(store: string, prefix: Deno.KvKey, count: number): Promise<Target> {
  return startScript("bare_list_server.ts", [store, JSON.stringify(prefix), String(count)]);
}

/** A script that serves on loopback; disposing of it ends it. */
export interface ScriptServer extends Target {
  readonly pid: number;
  readonly port: number;
}

/** Starts a script that prints its port once it listens; its process runs the `shell` commands first. */
export async function startScript(
  name: string,
  args: readonly string[],
  shell = "",
): Promise<ScriptServer> {
  const script = new URL(name, import.meta.url).pathname;
  const child = new Deno.Command("sh", {
    args: ["-c", `${shell}\nexec "$@"`, "sh", Deno.execPath(), "run", "-A", "--unstable-kv", script, ...args],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const output = collect(child.stdout);
  const end = async () => {
    child.kill("SIGKILL");
    await child.status;
  };
  try {
    const port = Number(await waitFor(`${name} listens`, () => /^\d+(?=\n)/.exec(output())?.[0]));
    return { url: `http://127.0.0.1:${port}`, port, pid: child.pid, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Starts Sotto on a store; its log is read and dropped unless the shell commands send it elsewhere. */
export function startSotto(store: string, shell?: string): Promise<TestServer> {
  const options = { env: { KV_URL: store }, isLogKept: false };
  return TestServer.start(shell === undefined ? options : { ...options, shell });
}
