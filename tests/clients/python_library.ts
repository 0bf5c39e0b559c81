import assert from "node:assert/strict";
import { PROJECT } from "@/tests/helpers/server.ts";
import { ClientProcess } from "./client_process.ts";
import type { Answer, ClientAccount, ClientStage } from "./client_stage.ts";

/** Arguments of a method by position, and those by name. */
interface Call {
  readonly args?: readonly unknown[];
  readonly kwargs?: Readonly<Record<string, unknown>>;
}

/** A process that calls methods of the Python library as one account. */
export class PythonLibrary implements AsyncDisposable {
  readonly #process: ClientProcess;
  /** Names of the methods called. */
  readonly called = new Set<string>();

  constructor(
    stage: Pick<ClientStage, "server" | "folder" | "programs">,
    { config }: Pick<ClientAccount, "config">,
  ) {
    this.#process = new ClientProcess(stage, `${stage.programs}/python`, [
      `${PROJECT}tests/clients/library.py`,
      config,
    ]);
  }

  /** Names of all public methods of the library's client. */
  listMethods(): Promise<string[]> {
    return this.#process.ask({});
  }

  /** Calls a method with arguments by position and returns its answer, which must report success. */
  ok(method: string, ...args: unknown[]): Promise<Answer> {
    return this.#ok(method, { args });
  }

  /** Calls a method with arguments by name and returns its answer, which must report success. */
  okWith(method: string, kwargs: Call["kwargs"] = {}): Promise<Answer> {
    return this.#ok(method, { kwargs });
  }

  /** Calls a method and returns its answer of any kind. */
  call(method: string, { args = [], kwargs = {} }: Call = {}): Promise<Answer> {
    this.called.add(method);
    return this.#process.ask({ method, args, kwargs });
  }

  /** Calls a method that never returns; `next` returns what it passes to its callback. */
  async listen(method: string): Promise<void> {
    this.called.add(method);
    await this.#process.send({ method, kwargs: {} });
  }

  /** Returns what the next call of the callback received. */
  next(): Promise<Answer> {
    return this.#process.nextLine();
  }

  async #ok(method: string, call: Call): Promise<Answer> {
    const answer = await this.call(method, call);
    assert.equal(
      answer.result,
      "success",
      `${method}: ${JSON.stringify(answer)}\n${this.#process.explain()}`,
    );
    return answer;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}
