import { collect, inheritedEnv } from "@/tests/helpers/server.ts";
import { settled, waitFor } from "@/tests/helpers/wait.ts";
import type { ClientStage } from "./client_stage.ts";

/** The server, and the folder of the programs. */
type ProcessStage = Pick<ClientStage, "server" | "folder">;

/** Characters of output, from its end, that explain a failure. */
const EXPLAINED_CHARACTERS = 10_000;

/** A client's process. What waits for it fails with its output and the server's log. */
export class ClientProcess implements AsyncDisposable {
  readonly #stage: ProcessStage;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: () => string;
  readonly #errors: () => string;
  #answered = 0;

  /** Starts a program in the folder of the stage. */
  constructor(stage: ProcessStage, program: string, args: readonly string[]) {
    this.#stage = stage;
    this.#child = new Deno.Command(program, {
      args: [...args],
      cwd: stage.folder,
      clearEnv: true,
      env: { ...inheritedEnv(), HOME: stage.folder, LC_ALL: "C.UTF-8", TZ: "UTC", PYTHONUNBUFFERED: "1" },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#output = collect(this.#child.stdout);
    this.#errors = collect(this.#child.stderr);
  }

  /** Everything that the program has printed, its errors last. */
  get output(): string {
    return this.#output() + this.#errors();
  }

  /** Text that explains a failure. */
  readonly explain = () => {
    const { output, errors } = this.#stage.server;
    return `The client's output:\n${
      this.output.slice(-EXPLAINED_CHARACTERS)
    }\nThe server's output:\n${output}\nIts errors:\n${errors}`;
  };

  /** Writes one line of JSON and returns the line that answers it. */
  // deno-lint-ignore no-explicit-any
  async ask(request: Readonly<Record<string, unknown>>): Promise<any> {
    await this.send(request);
    return await this.nextLine();
  }

  /** Writes one line of JSON. */
  async send(request: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
  }

  /** Returns the next line of output, read as JSON. */
  // deno-lint-ignore no-explicit-any
  async nextLine(): Promise<any> {
    const line = await waitFor("the client answers", () => this.#output().split("\n").slice(0, -1), {
      isMet: (lines) => lines.length > this.#answered,
      explain: this.explain,
    });
    return JSON.parse(line[this.#answered++] ?? "");
  }

  /** Waits for a condition that the client brings about. */
  waitFor<T>(condition: string, read: () => T | Promise<T>, isMet?: (state: T) => boolean): Promise<T> {
    return waitFor(condition, read, { explain: this.explain, ...(isMet === undefined ? {} : { isMet }) });
  }

  /** Waits until the process ends by itself, and returns its exit status. */
  async ended(): Promise<number> {
    await this.#input.close().catch(() => {});
    return (await settled("the client ends", this.#child.status, { explain: this.explain })).code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close().catch(() => {});
    try {
      this.#child.kill("SIGTERM");
    } catch {
      // The process has ended already.
    }
    await this.#child.status;
  }
}
