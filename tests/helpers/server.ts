/** The project's folder, with a final slash. */
export const PROJECT = new URL("../../", import.meta.url).pathname;

/** The permissions that a task of deno.json gives to `script`, so that tests run it with no more than users do. */
export function taskFlags(task: string, script: string): string[] {
  const { tasks } = JSON.parse(Deno.readTextFileSync(`${PROJECT}deno.json`));
  const command: string = tasks[task];
  const words = command.slice(command.lastIndexOf("deno run ")).split(" ");
  if (words.at(-1) !== script) throw new Error(`The task ${task} does not run ${script}`);
  return words.slice(2, -1);
}

/** How a server process is started. */
export interface ServerOptions {
  /** Working folder, which also holds the store; a temporary one is made, and removed at the end, when it is left out. */
  readonly folder?: string;
  /** A free one when it is left out. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Shell commands run first in the server's own process, such as `ulimit -n 300`. */
  readonly shell?: string;
  /** Deno's flags, in front of main.ts. */
  readonly flags?: readonly string[];
  /** Whether its log is kept for `output`; else nobody reads it. */
  readonly isLogKept?: boolean;
  /** Milliseconds in which it must answer. */
  readonly readyWithinMs?: number;
}

/** How a process ended, and what it wrote. */
export interface Ending {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

const READY_WITHIN_MS = 20_000;
const END_WITHIN_MS = 20_000;
const POLL_MS = 5;
/** What the surroundings of a test may have set, and no test server should have. */
const UNWANTED = /^(BLOCKED_|KV_URL|MAIL_|METRICS_|PUSH_|SECRET_|SHORT|SMTP_|TRUSTED_|UPLOAD_)/;

/** A server in a process of its own; disposing of it kills it and removes its temporary folder. */
export class TestServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #output: () => string;
  readonly #errors: () => string;
  readonly #ownFolder: string | null;
  readonly #ended: Promise<Deno.CommandStatus>;

  private constructor(options: ServerOptions, readonly folder: string, readonly port: number) {
    this.#ownFolder = options.folder === undefined ? folder : null;
    this.#child = spawnServer(options, folder, port);
    this.#output = options.isLogKept === false ? () => "" : collect(this.#child.stdout);
    this.#errors = collect(this.#child.stderr);
    this.#ended = this.#child.status;
  }

  /** Starts a server and waits until `/health` answers; fails with what it wrote when it does not. */
  static async start(options: ServerOptions = {}): Promise<TestServer> {
    const server = TestServer.spawn(options);
    try {
      await server.#ready(options.readyWithinMs ?? READY_WITHIN_MS);
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts a server without waiting for anything. */
  static spawn(options: ServerOptions = {}): TestServer {
    return new TestServer(options, options.folder ?? Deno.makeTempDirSync(), options.port ?? freePort());
  }

  /** Runs a server that is expected to end by itself, and gives its ending. */
  static async runToEnd(options: ServerOptions = {}): Promise<Ending> {
    await using server = TestServer.spawn(options);
    const { code } = await within(
      END_WITHIN_MS,
      server.#ended,
      () => `It should have ended:\n${server.errors}`,
    );
    return { code, output: server.output, errors: server.errors };
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Its address, without a final slash. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The store's file. */
  get store(): string {
    return `${this.folder}/sotto.kv`;
  }

  /** What it wrote to standard output so far. */
  get output(): string {
    return this.#output();
  }

  /** What it wrote to standard error so far. */
  get errors(): string {
    return this.#errors();
  }

  /** Settles when the process ends by itself or by a signal. */
  get ended(): Promise<Deno.CommandStatus> {
    return this.#ended;
  }

  /** One request with a deadline of its own, so that a hanging server fails the test instead of stopping it. */
  fetch(path: string, init: RequestInit = {}, withinMs = 10_000): Promise<Response> {
    return fetch(this.url + path, { redirect: "manual", signal: AbortSignal.timeout(withinMs), ...init });
  }

  /** Asks it to stop (SIGTERM) and gives the exit status. */
  async stop(withinMs = END_WITHIN_MS): Promise<number> {
    this.#child.kill("SIGTERM");
    return (await within(withinMs, this.#ended, () => "The server does not stop")).code;
  }

  /** Ends it at once (SIGKILL), and settles when it is gone. */
  async kill(): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await this.#ended;
  }

  /** Its resident memory in bytes. */
  residentBytes(): number {
    return residentBytes(this.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    if (this.#ownFolder !== null) await Deno.remove(this.#ownFolder, { recursive: true });
  }

  async #ready(withinMs: number): Promise<void> {
    const deadline = Date.now() + withinMs;
    let end: Deno.CommandStatus | null = null;
    this.#ended.then((status) => end = status);
    while (!await isHealthy(this.url)) {
      if (end !== null) throw new Error(`The server ended before it answered:\n${this.errors}`);
      if (Date.now() > deadline) throw new Error(`No answer in ${withinMs} ms:\n${this.errors}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

/** A port that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}

/** A process's resident memory in bytes. */
export function residentBytes(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) * 1024;
}

/** Awaits `work`, but no longer than `ms` milliseconds. */
export async function within<T>(ms: number, work: Promise<T>, problem: () => string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(problem())), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function spawnServer(options: ServerOptions, folder: string, port: number): Deno.ChildProcess {
  const { env = {}, flags = taskFlags("start", "main.ts"), shell, isLogKept = true } = options;
  const run = ["run", ...flags, "--config", `${PROJECT}deno.json`, `${PROJECT}main.ts`];
  const [program, args] = shell === undefined
    ? [Deno.execPath(), run]
    : ["sh", ["-c", `${shell}\nexec "$@"`, "sh", Deno.execPath(), ...run]];
  const address = `http://127.0.0.1:${port}`;
  const basics = { PORT: String(port), HOST: "127.0.0.1", BASE_URL: address, KV_URL: `${folder}/sotto.kv` };
  const inherited = Object.entries(Deno.env.toObject()).filter(([name]) => !UNWANTED.test(name));
  return new Deno.Command(program, {
    args,
    cwd: folder,
    clearEnv: true,
    env: { ...Object.fromEntries(inherited), ...basics, RATE_LIMITS: "off", NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: isLogKept ? "piped" : "null",
    stderr: "piped",
  }).spawn();
}

/** Reads a stream to its end, and gives what has come so far. */
export function collect(stream: ReadableStream<Uint8Array>): () => string {
  let text = "";
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) text += decoder.decode(bytes, { stream: true });
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
