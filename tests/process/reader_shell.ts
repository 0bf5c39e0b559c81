import assert from "node:assert/strict";
import { collect, inheritedEnv } from "@/tests/helpers/server.ts";
import { settled, waitFor } from "@/tests/helpers/wait.ts";

/** Milliseconds after which a command counts as hanging: the first start installs all packages. */
const GIVE_UP_MS = 600_000;
/** Version of Deno that the documents name. */
const DENO = "deno@2.9.6";

/** A server that a command of a reader started; disposing of it ends all of its processes. */
export interface StartedServer extends AsyncDisposable {
  readonly port: number;
  /** Standard output so far. */
  readonly output: () => string;
}

/** The shell of a reader, which keeps its variables and its folder from one command to the next. */
export class ReaderShell implements AsyncDisposable {
  readonly #state: string;
  #port = 0;

  private constructor(readonly folder: string, readonly programs: string) {
    this.#state = `${programs}/state`;
  }

  /** Opens a shell in an empty folder. Where npx is missing, the running Deno takes its place. */
  static async open(folder: string): Promise<ReaderShell> {
    const programs = await Deno.makeTempDir();
    if (!await hasNpx()) {
      const script = `#!/bin/sh\nshift 2\nexec '${Deno.execPath()}' "$@"\n`;
      await Deno.writeTextFile(`${programs}/npx`, script, { mode: 0o755 });
    }
    const shell = new ReaderShell(folder, programs);
    await Deno.writeTextFile(shell.#state, `cd '${folder}'\n`);
    return shell;
  }

  /** Runs a command that must succeed, and returns what it prints. */
  async run(command: string): Promise<string> {
    const keep = `{ export -p; echo "cd '$PWD'"; } > '${this.#state}'`;
    const process = this.#spawn(`set -ae\n${this.#resume()}\n${command}\n${keep}`);
    const { code, stdout, stderr } = await settled(command, process.output(), { giveUpMs: GIVE_UP_MS });
    const decoder = new TextDecoder();
    assert.equal(code, 0, `${command}\n${decoder.decode(stderr)}`);
    return decoder.decode(stdout);
  }

  /** Runs a command that starts a server, and waits until it has printed everything. */
  async start(command: string): Promise<StartedServer> {
    const process = this.#spawn(`${this.#resume()}\n${command}`);
    const output = collect(process.stdout);
    const errors = collect(process.stderr);
    const explain = () => `${command}\n${output()}\n${errors()}`;
    let hasEnded = false;
    const ended = process.status.then(() => hasEnded = true);
    const stop = async () => {
      // A process group of its own: a signal to npx alone would leave the server behind.
      if (!hasEnded) Deno.kill(-process.pid, "SIGTERM");
      await settled("the server stops", ended, { explain });
    };
    const read = () => hasEnded || /reached at http:\/\/localhost:(\d+)\n.*\nMail: .*\n/.exec(output());
    const found = await waitFor("the server starts", read, { explain, giveUpMs: GIVE_UP_MS });
    if (found === true) throw new Error(`The server ended:\n${explain()}`);
    this.#port = Number(found?.[1]);
    return { port: this.#port, output, [Symbol.asyncDispose]: stop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.programs, { recursive: true });
  }

  /** The first server chooses a port, which stays that of the reader. */
  #resume(): string {
    return `. '${this.#state}'\nexport PORT=${this.#port}`;
  }

  #spawn(script: string): Deno.ChildProcess {
    const env = inheritedEnv();
    return new Deno.Command("sh", {
      args: ["-c", script],
      clearEnv: true,
      env: {
        ...env,
        ...{ PATH: `${this.programs}:${env["PATH"]}`, NO_COLOR: "1" },
        ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" },
      },
      cwd: this.folder,
      detached: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }
}

async function hasNpx(): Promise<boolean> {
  try {
    return (await new Deno.Command("npx", { args: ["--yes", DENO, "--version"] }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
