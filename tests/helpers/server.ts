import { settled, waitFor } from "./wait.ts";

/** Access token of the KV Connect servers of tests. */
export const KV_TOKEN = "token-of-the-tests";

/** Folder of the project, with a trailing slash. */
export const PROJECT = new URL("../../", import.meta.url).pathname;

/**
 * Returns the permissions that a task of deno.json grants to `script`, so that tests run it with the same
 * ones.
 */
export function taskFlags(task: string, script: string): string[] {
  const { tasks } = JSON.parse(Deno.readTextFileSync(`${PROJECT}deno.json`));
  const command: string = tasks[task];
  const messages = command.slice(command.lastIndexOf("deno run ")).split(" ");
  if (messages.at(-1) !== script) throw new Error(`The task ${task} does not run ${script}`);
  return messages.slice(2, -1);
}

/** Flags without which runtimes that start at the same time wait for each other and print that they do. */
export const RUNTIME_FLAGS = ["--quiet", "--node-modules-dir=manual"];

/** Start options of a server process. */
export interface ServerOptions {
  /** Working folder, which also holds the store; a temporary one is made, and removed at the end, when it is left out. */
  readonly folder?: string;
  /** Checkout whose server is started, with a trailing slash; this one by default. */
  readonly project?: string;
  /** Address by which clients reach the server when it is not its own, as behind a gateway. */
  readonly baseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Shell commands run first in the server's own process, such as `ulimit -n 300`. */
  readonly shell?: string;
  /** Deno's flags, in front of main.ts. */
  readonly flags?: readonly string[];
  /** Whether all that the server prints is kept for `output`, and not only its first lines; true by default. */
  readonly isLogKept?: boolean;
}

/** Exit status and output of a process. */
export interface ServerExit {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Milliseconds after which a request counts as never answered. */
const REQUEST_GIVE_UP_MS = 60_000;
/** Characters of output kept of a server whose log is not. */
const FIRST_CHARACTERS = 10_000;
/** Environment variables of the caller that test servers must not inherit. */
const UNWANTED =
  /^(BASE_URL|BLOCKED_|KV_URL|MAIL_|METRICS_|PUSH_|SECRET_|SHORT|SMTP_|TRUSTED_|UPLOAD_|WEBHOOK_)/;

/** A server in its own process; disposing of it kills the process and removes its temporary folder. */
export class TestServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #output: () => string;
  readonly #errors: () => string;
  readonly #ownFolder: string | null;
  readonly #ended: Promise<Deno.CommandStatus>;
  readonly #baseUrl: string | undefined;
  #port: number | null = null;
  #isChecked = false;

  private constructor(options: ServerOptions, readonly folder: string) {
    this.#baseUrl = options.baseUrl;
    this.#ownFolder = options.folder === undefined ? folder : null;
    this.#child = spawnServer(options, folder);
    this.#output = collect(this.#child.stdout, options.isLogKept === false ? FIRST_CHARACTERS : Infinity);
    this.#errors = collect(this.#child.stderr);
    this.#ended = this.#child.status;
  }

  /** Starts a server and waits until `/health` answers; fails with its output otherwise. */
  static async start(options: ServerOptions = {}): Promise<TestServer> {
    const server = TestServer.spawn(options);
    try {
      await server.#ready();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts a server without waiting; its port is known once it listens. */
  static spawn(options: ServerOptions = {}): TestServer {
    return new TestServer(options, options.folder ?? Deno.makeTempDirSync());
  }

  /** Runs a server that exits on its own, and returns its status and output. */
  static async runToEnd(options: ServerOptions = {}): Promise<ServerExit> {
    await using server = TestServer.spawn(options);
    const { code } = await settled("the server ends by itself", server.#ended, { explain: server.#explain });
    return { code, output: server.output, errors: server.errors };
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Port assigned by the system. */
  get port(): number {
    if (this.#port === null) throw new Error(`The server does not listen yet:\n${this.#explain()}`);
    return this.#port;
  }

  /** Address it listens on, without a trailing slash. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Public address (BASE_URL), without a trailing slash. */
  get baseUrl(): string {
    return this.#baseUrl ?? `http://localhost:${this.port}`;
  }

  /** Path of the store's file. */
  get store(): string {
    return `${this.folder}/sotto.kv`;
  }

  /** Standard output so far. */
  get output(): string {
    return this.#output();
  }

  /** Standard error so far. */
  get errors(): string {
    return this.#errors();
  }

  /** Settles when the process ends by itself or by a signal. */
  get ended(): Promise<Deno.CommandStatus> {
    return this.#ended;
  }

  /** Sends one request with a time limit, so that a hanging server fails the test instead of stopping it. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, {
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_GIVE_UP_MS),
      ...init,
    });
  }

  /** Returns the value of one of the server's metrics without labels. */
  async metric(name: string): Promise<number> {
    const text = await (await this.fetch("/metrics")).text();
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  }

  /** Waits until a state that belongs to the server meets the condition; a failure shows the server's log. */
  waitFor<T>(condition: string, read: () => T | Promise<T>, isMet?: (state: T) => boolean): Promise<T> {
    return waitFor(condition, read, { explain: this.#explain, ...(isMet === undefined ? {} : { isMet }) });
  }

  /** Sends SIGTERM and returns the exit status; fails when the server had an unhandled error. */
  async stop(): Promise<number> {
    this.#child.kill("SIGTERM");
    const { code } = await settled("the server stops", this.#ended, { explain: this.#explain });
    this.#requireHandledErrors();
    return code;
  }

  /** Sends SIGKILL and waits until the process has ended. */
  async kill(): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // The process has ended already.
    }
    await this.#ended;
  }

  /** Returns the resident memory of the process in bytes. */
  residentBytes(): number {
    return residentBytes(this.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    if (this.#ownFolder !== null) await Deno.remove(this.#ownFolder, { recursive: true });
    this.#requireHandledErrors();
  }

  /** @throws Error when the log has an unhandled error, the first time. */
  #requireHandledErrors(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    if (this.output.includes('"message":"unhandled error"')) {
      throw new Error(`Unhandled error\n${this.#explain()}`);
    }
  }

  readonly #explain = () => `The server's output:\n${this.output}\nIts errors:\n${this.errors}`;

  async #ready(): Promise<void> {
    let hasEnded = false;
    this.#ended.then(() => hasEnded = true);
    await this.waitFor("the server answers /health", async () => {
      this.#port ??= readPort(this.output);
      return hasEnded || (this.#port !== null && await isHealthy(this.url));
    });
    if (hasEnded) throw new Error(`The server ended before it answered.\n${this.#explain()}`);
  }
}

/** Returns the port named in the server's first line of output; null before it was printed. */
export function readPort(output: string): number | null {
  const port = /^Sotto listens on http:\/\/[^/\s]+:(\d+) /m.exec(output)?.[1];
  return port === undefined ? null : Number(port);
}

/** Returns the resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) * 1024;
}

/** Returns the environment of this process without the server's settings, with the token of test stores. */
export function inheritedEnv(): Record<string, string> {
  const variables = Object.entries(Deno.env.toObject()).filter(([name]) => !UNWANTED.test(name));
  return { ...Object.fromEntries(variables), DENO_KV_ACCESS_TOKEN: KV_TOKEN };
}

function spawnServer(options: ServerOptions, folder: string): Deno.ChildProcess {
  const { env = {}, flags = taskFlags("start", "main.ts"), shell, baseUrl, project = PROJECT } = options;
  const run = ["run", ...RUNTIME_FLAGS, ...flags, "--config", `${project}deno.json`, `${project}main.ts`];
  const [program, args] = shell === undefined
    ? [Deno.execPath(), run]
    : ["sh", ["-c", `${shell}\nexec "$@"`, "sh", Deno.execPath(), ...run]];
  const basics = {
    PORT: "0",
    HOST: "127.0.0.1",
    KV_URL: `${folder}/sotto.kv`,
    ...(baseUrl === undefined ? {} : { BASE_URL: baseUrl }),
  };
  return new Deno.Command(program, {
    args,
    cwd: folder,
    clearEnv: true,
    env: { ...inheritedEnv(), ...basics, RATE_LIMITS: "off", NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Reads a stream to its end; the returned function returns its text so far, up to a number of characters. */
export function collect(stream: ReadableStream<Uint8Array>, maxCharacters = Infinity): () => string {
  let text = "";
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      if (text.length < maxCharacters) text += decoder.decode(bytes, { stream: true });
    }
  };
  read().catch((error) => text += `\n(reading ended: ${error})`);
  return () => text;
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
