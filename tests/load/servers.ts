import { freePort, TestServer } from "../helpers/server.ts";

/** A server under load; disposing of it ends it. */
export interface Target extends AsyncDisposable {
  readonly url: string;
}

/** Starts the bare limit on a store. */
export function startBare(store: string): Promise<Target> {
  return startScript("bare_server.ts", [store]);
}

/** Starts the bare limit of authenticated reads on a new store, answering with the JSON in a file after so many reads. */
export function startBareChat(store: string, answer: string, reads = 2): Promise<Target> {
  return startScript("bare_chat_server.ts", [store, answer, String(reads)]);
}

async function startScript(name: string, args: readonly string[]): Promise<Target> {
  const port = freePort();
  const script = new URL(name, import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--unstable-kv", script, String(port), ...args],
    stdin: "null",
    stdout: "null",
  }).spawn();
  await untilListening(port);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

/** Starts Sotto on a store, with its log to /dev/null unless the shell commands send it elsewhere. */
export function startSotto(store: string, shell?: string): Promise<TestServer> {
  const options = { env: { KV_URL: store }, isLogKept: false };
  return TestServer.start(shell === undefined ? options : { ...options, shell });
}

async function untilListening(port: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
