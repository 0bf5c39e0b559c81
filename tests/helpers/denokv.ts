import { collect, KV_TOKEN } from "./server.ts";
import { waitFor } from "./wait.ts";

/**
 * Returns the path of the KV Connect server's program: the variable DENOKV, or `denokv` in the PATH or in
 * Cargo's folder; null where there is none.
 */
export function findDenokv(): string | null {
  const { DENOKV, PATH = "", HOME = "" } = Deno.env.toObject();
  const folders = [...PATH.split(":"), `${HOME}/.cargo/bin`];
  const paths = [...(DENOKV === undefined ? [] : [DENOKV]), ...folders.map((folder) => `${folder}/denokv`)];
  return paths.find(isFile) ?? null;
}

/** A KV Connect server in its own process, with a folder of its own; it keeps its address when it is restarted. */
export class KvServer implements AsyncDisposable {
  #child: Deno.ChildProcess;
  #output: () => string;

  private constructor(readonly program: string, readonly folder: string, readonly port: number) {
    [this.#child, this.#output] = this.#spawn(port);
  }

  /** Starts a server on an empty store and waits until it listens. */
  static async start(program: string): Promise<KvServer> {
    const folder = await Deno.makeTempDir({ prefix: "sotto-test-" });
    const server = new KvServer(program, folder, 0);
    const port = await waitFor("the KV server listens", () => readPort(server.#output()), {
      explain: server.explain,
    });
    return Object.assign(server, { port });
  }

  /** Address without a trailing slash. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns what the server printed. */
  readonly explain = (): string => `The KV server's output:\n${this.#output()}`;

  /** Stops all work without ending the process, as a machine that hangs does. */
  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  /** Continues after a pause. */
  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** Sends SIGKILL and waits until the process has ended. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }

  /** Starts it again on its store and address after it was killed. */
  async restart(): Promise<void> {
    await waitFor("the KV server listens again", async () => {
      [this.#child, this.#output] = this.#spawn(this.port);
      let hasEnded = false;
      this.#child.status.then(() => hasEnded = true);
      await waitFor("it listens or ends", () => hasEnded || readPort(this.#output()) !== null);
      return !hasEnded;
    }, { explain: this.explain });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill().catch(() => {});
    await Deno.remove(this.folder, { recursive: true });
  }

  #spawn(port: number): [Deno.ChildProcess, () => string] {
    const child = new Deno.Command(this.program, {
      args: ["--sqlite-path", `${this.folder}/store.sqlite`, "serve", "--addr", `127.0.0.1:${port}`],
      env: { DENO_KV_ACCESS_TOKEN: KV_TOKEN, RUST_LOG: "info" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const [output, errors] = [collect(child.stdout), collect(child.stderr)];
    return [child, () => output() + errors()];
  }
}

function readPort(output: string): number | null {
  const port = /Listening on http:\/\/[^/\s]+:(\d+)/.exec(output)?.[1];
  return port === undefined ? null : Number(port);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
