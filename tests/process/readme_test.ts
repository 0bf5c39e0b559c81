import assert from "node:assert/strict";
import { type DocumentBlock, readDocumentBlocks, toOutputPattern } from "@/tests/helpers/document_blocks.ts";
import { PROJECT } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { ReaderShell, type StartedServer } from "./reader_shell.ts";

/** A command of the document, and what is shown below it. */
interface DocumentCommand {
  readonly command: string;
  readonly shown: readonly string[];
}

/** Returns the commands of a block; a line that ends with a backslash continues on the next one. */
function commandsOf({ code }: DocumentBlock): DocumentCommand[] {
  const commands: { command: string; shown: string[] }[] = [];
  for (const line of code.trimEnd().replaceAll("\\\n", "\\\r").split("\n")) {
    const command = line.replaceAll("\r", "\n");
    if (line.startsWith("# ")) commands.at(-1)?.shown.push(line.slice(2));
    else commands.push({ command, shown: [] });
  }
  return commands;
}

/** A reader who runs the commands of the document one after the other, beside a server. */
class Reader implements AsyncDisposable {
  #server: StartedServer | null = null;

  constructor(readonly shell: ReaderShell) {}

  async run({ command, shown }: DocumentCommand): Promise<void> {
    if (/ task start$/.test(command)) {
      // Another one would not get the port.
      await this[Symbol.asyncDispose]();
      this.#server = await this.shell.start(command);
      return;
    }
    const output = await this.shell.run(this.#toOwn(command));
    assert.match(output.trimEnd(), toOutputPattern(shown.join("\n")));
  }

  /** Requires that the server ends its start with these lines, the last of which may follow its first answer. */
  async requirePrinted(text: string): Promise<void> {
    const lines = text.trimEnd().split("\n");
    const readPrinted = () => this.#server?.output().trimEnd().split("\n") ?? [];
    const last = toOutputPattern(lines.at(-1) ?? "");
    await waitFor(
      "the server has printed its last line",
      () => readPrinted().some((line) => last.test(line)),
    );
    const printed = readPrinted().slice(-lines.length);
    for (const [at, line] of lines.entries()) assert.match(printed[at] ?? "", toOutputPattern(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = null;
  }

  #toOwn(command: string): string {
    return command.replaceAll("localhost:8000", `localhost:${this.#server?.port}`);
  }
}

Deno.test("the commands of README.md work in the order of reading, from an empty folder", async (t) => {
  await using folder = await createTestFolder();
  await using shell = await ReaderShell.open(folder.path);
  const blocks = await readDocumentBlocks("README.md");
  {
    await using reader = new Reader(shell);
    for (const block of blocks) {
      await t.step(block.section, async () => {
        if (block.language === "text") return await reader.requirePrinted(block.code);
        assert.equal(block.language, "sh");
        for (const { command, shown } of commandsOf(block)) {
          await reader.run({ command: command.replace("REPOSITORY", `'${PROJECT}'`), shown });
        }
      });
    }
  }

  await t.step("the demo prints the command that starts a server on it", async () => {
    const readme = await Deno.readTextFile(`${folder.path}/sotto/README.md`);
    const [, demo = ""] = /`([^`]+ task demo)`/.exec(readme) ?? [];
    const output = await shell.run(`${demo} --messages 0 --links 1 --visits 0 --avatars 0`);
    const [, start = ""] = /^Start the server on it: +(.+)$/m.exec(output) ?? [];
    const [, login = ""] = /^Sign in: +(.+)$/m.exec(output) ?? [];
    await using _server = await shell.start(start);
    const response = await fetch(login);
    assert.match(await response.text(), /Larkspur Community Garden/);
  });
});
