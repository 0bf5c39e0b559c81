import assert from "node:assert/strict";
import { PROJECT } from "@/tests/helpers/server.ts";
import { ClientProcess } from "./client_process.ts";
import type { ClientAccount, ClientStage } from "./client_stage.ts";

/** Keys of the terminal client. */
export const KEYS = {
  enter: "\r",
  escape: "\x1b",
  tab: "\t",
  right: "l",
  end: "G",
  send: "\x04",
  quit: "\x03",
} as const;

/** The terminal client in a pseudo-terminal, as one account. */
export class Terminal implements AsyncDisposable {
  readonly #process: ClientProcess;
  readonly #stage: ClientStage;

  constructor(stage: ClientStage, { config }: ClientAccount) {
    const program = [`${stage.programs}/zulip-term`, "--config-file", config, "--no-autohide"];
    const script = `${PROJECT}tests/clients/terminal.py`;
    this.#stage = stage;
    this.#process = new ClientProcess(stage, `${stage.programs}/python`, [script, ...program]);
  }

  /** Starts the client and waits until it shows its panels. */
  static async start(stage: ClientStage, account: ClientAccount): Promise<Terminal> {
    const terminal = new Terminal(stage, account);
    await terminal.see("All messages");
    return terminal;
  }

  /** Types keys. */
  async type(...keys: string[]): Promise<void> {
    await this.#process.ask({ keys: keys.join("") });
  }

  /** Waits until the screen shows all texts and returns it. */
  see(...texts: (string | RegExp)[]): Promise<string> {
    return this.#wait(`the screen shows ${texts}`, (screen) => texts.every((text) => isIn(screen, text)));
  }

  /** Waits until the screen does not show a text. */
  seeNo(text: string | RegExp): Promise<string> {
    return this.#wait(`the screen does not show ${text}`, (screen) => !isIn(screen, text));
  }

  /** Waits for a state of the server that the client brings about. */
  waitFor<T>(condition: string, read: () => Promise<T>, isMet: (state: T) => boolean): Promise<T> {
    return this.#process.waitFor(condition, read, isMet);
  }

  /** Types the keys that quit, and waits until the program has ended. */
  async quit(): Promise<void> {
    await this.type(KEYS.quit);
    await this.#process.waitFor("the client ends", async () => {
      const { status } = await this.#process.ask({});
      return status !== null;
    });
  }

  async #wait(condition: string, isMet: (screen: string) => boolean): Promise<string> {
    try {
      return await this.#process.waitFor(condition, async () => {
        const { screen, status } = await this.#process.ask({});
        return { text: screen.join("\n"), status };
      }, ({ text, status }) => status !== null || isMet(text)).then(({ text, status }) => {
        assert.equal(status, null, `The client ended:\n${text}`);
        return text;
      });
    } catch (error) {
      throw new Error(`${error}\n${this.#readTraceback()}`);
    }
  }

  #readTraceback(): string {
    try {
      return Deno.readTextFileSync(`${this.#stage.folder}/zulip-terminal-tracebacks.log`);
    } catch {
      return "The client logged no error.";
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}

function isIn(screen: string, text: string | RegExp): boolean {
  return typeof text === "string" ? screen.includes(text) : text.test(screen);
}
