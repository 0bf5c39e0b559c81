import assert from "node:assert/strict";
import { dirname } from "node:path";
import { queueKeys } from "@/lib/chat/register/events/queues.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { createGardeners } from "@/tests/helpers/command_calls.ts";
import { type DocumentBlock, readDocumentBlocks, toOutputPattern } from "@/tests/helpers/document_blocks.ts";
import { Gateway } from "@/tests/helpers/gateway.ts";
import { collect, inheritedEnv, TestServer } from "@/tests/helpers/server.ts";

const REALM_ID = 1;

/** An answer of the API, which has no types here. */
// deno-lint-ignore no-explicit-any
export type Untyped = any;

/** Environment variables. */
type Env = Readonly<Record<string, string>>;

/** An account of the organization. */
export interface StageAccount {
  readonly id: number;
  readonly email: string;
  readonly key: string;
}

/** A program of the document; disposing of it ends its process. */
export class Program implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #output: () => string;
  readonly #errors: () => string;

  constructor(command: string, { folder, env }: { folder: string; env: Env }) {
    this.#child = new Deno.Command("sh", {
      args: ["-c", `exec ${command}`],
      ...{ cwd: folder, clearEnv: true, env: toReaderEnv(env) },
      ...{ stdin: "null", stdout: "piped", stderr: "piped" },
    }).spawn();
    this.#output = collect(this.#child.stdout);
    this.#errors = collect(this.#child.stderr);
  }

  /** Everything that the program has printed, its errors last. */
  get output(): string {
    return this.#output() + this.#errors();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGTERM");
    } catch {
      // The process has ended already.
    }
    await this.#child.status;
  }
}

/** A server that can be replaced behind one address, and a reader of the document with an account. */
export class DocumentStage implements AsyncDisposable {
  readonly #gateway = new Gateway();
  #server: TestServer | null = null;
  #owner: StageAccount = { id: 0, email: "", key: "" };

  private constructor(readonly folder: string, readonly blocks: readonly DocumentBlock[]) {}

  /** Starts a server with an organization and a channel, and saves the programs of the document in the folder. */
  static async start(folder: string): Promise<DocumentStage> {
    const stage = new DocumentStage(folder, await readDocumentBlocks("docs/bots.md"));
    for (const { file, code } of stage.blocks) {
      if (file !== null) await Deno.writeTextFile(`${folder}/${file}`, code);
    }
    const store = `${folder}/sotto.kv`;
    const { user_id, email, api_key } = await createGardeners(store, {
      email: "ada@example.com",
      name: "Ada",
    });
    stage.#owner = { id: user_id, email, key: api_key };
    await stage.replaceServer();
    await stage.call("POST channels/create", { name: "roses", subscribers: `[${user_id}]` });
    return stage;
  }

  get server(): TestServer {
    assert.ok(this.#server);
    return this.#server;
  }

  /** Replaces the server by another one on the same store, which clients reach when `whileAway` has ended. */
  async replaceServer(whileAway: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const env = { WEBHOOK_INTERNAL_NETWORKS: "127.0.0.1" };
    const former = this.#server;
    this.#server = await TestServer.start({ folder: this.folder, env });
    this.#gateway.forwardTo(null);
    await former?.kill();
    await whileAway();
    this.#gateway.forwardTo(this.#server.port);
  }

  /** Returns the code of the blocks of a section in a language, which must be that many. */
  codeOf(section: string, language: string, count: number): string[] {
    const found = this.blocks.filter((block) => block.section === section && block.language === language);
    assert.equal(found.length, count, `${language} blocks in the section ${section}`);
    return found.map(({ code }) => code);
  }

  /** Runs the commands of a block, compares each answer with the one shown below it, and returns the answers. */
  async run(code: string, env: Env = {}): Promise<Untyped[]> {
    const answers: Untyped[] = [];
    for (const [, command = "", shown = ""] of code.matchAll(/^([^#][^]*?\n)# (.*)$/gm)) {
      const { code, stdout, stderr } = await new Deno.Command("sh", {
        args: ["-ec", command],
        ...{ cwd: this.folder, clearEnv: true, env: toReaderEnv({ ...this.#variables(), ...env }) },
      }).output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
      const output = new TextDecoder().decode(stdout);
      assert.match(output, toOutputPattern(shown));
      answers.push(JSON.parse(output));
    }
    return answers;
  }

  /** Starts a program by the command that a block consists of. */
  startProgram(command: string, env: Env): Program {
    return new Program(command, { folder: this.folder, env: { ...this.#variables(), ...env } });
  }

  /** Calls the API, as the owner by default, and returns the answer to a call that must succeed. */
  async call(operation: string, fields: Env, caller = this.#owner): Promise<Untyped> {
    const [method = "", path] = operation.split(" ");
    const form = new URLSearchParams(fields);
    const response = await this.server.fetch(`/api/v1/${path}${method === "GET" ? `?${form}` : ""}`, {
      method,
      headers: { authorization: basic(caller.email, caller.key) },
      ...(method === "GET" ? {} : { body: form }),
    });
    const answer = await response.json();
    assert.equal(answer.result, "success", `${operation}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Sends a message as the owner, and waits until it is followed by one answer and nothing else. */
  async assertAnswered(message: Env, program: Program): Promise<void> {
    const { id } = await this.call("POST messages", message);
    const narrow = message.type === "channel"
      ? [["topic", message.topic]]
      : [["dm", JSON.parse(message.to ?? "")]];
    const query = { num_before: "0", num_after: "10", apply_markdown: "false" };
    const contents = await this.waitFor(`an answer to ${message.content}`, async () => {
      const parameters = { ...query, anchor: `${id}`, narrow: JSON.stringify(narrow) };
      const { messages } = await this.call("GET messages", parameters);
      return messages.map(({ content }: Untyped) => content);
    }, { isMet: (contents: string[]) => contents.length > 1, program });
    assert.deepEqual(contents, [message.content, "Hello, Ada!"]);
  }

  /** Waits for a state; a failure shows what the program printed. */
  async waitFor<T>(
    condition: string,
    read: () => T | Promise<T>,
    { isMet = Boolean, program }: { isMet?: (state: T) => boolean; program: Program },
  ): Promise<T> {
    try {
      return await this.server.waitFor(condition, read, isMet);
    } catch (error) {
      throw new Error(`The program's output:\n${program.output}`, { cause: error });
    }
  }

  /** Returns the ids of an account's queues. */
  async listQueues(userId: number): Promise<string[]> {
    using kv = await Deno.openKv(this.server.store);
    const entries = await Array.fromAsync(kv.list({ prefix: [...queueKeys.ofUser(REALM_ID, userId)] }));
    return entries.map(({ key }) => String(key.at(-1)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    await this.#gateway[Symbol.asyncDispose]();
  }

  #variables(): Env {
    return { SITE: this.#gateway.url, AUTH: `${this.#owner.email}:${this.#owner.key}` };
  }
}

/** Returns the environment of a reader, for whom the running Deno is on the path. */
function toReaderEnv(env: Env): Record<string, string> {
  const inherited = inheritedEnv();
  return { ...inherited, PATH: `${dirname(Deno.execPath())}:${inherited.PATH}`, NO_COLOR: "1", ...env };
}
