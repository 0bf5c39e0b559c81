import assert from "node:assert/strict";
import { Gateway } from "@/tests/helpers/gateway.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { settled } from "@/tests/helpers/wait.ts";
import { DocumentStage, type Program, type StageAccount, type Untyped } from "./bots_document_stage.ts";

/** A bot whose program runs. */
interface RunningBot extends StageAccount {
  readonly name: string;
  readonly language: string;
  readonly program: Program;
}

async function hasPython(): Promise<boolean> {
  try {
    return (await new Deno.Command("python3", { args: ["--version"] }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Creates the bot of the document. */
async function createBot(stage: DocumentStage): Promise<StageAccount> {
  const [create = ""] = stage.codeOf("Generic bots", "sh", 1);
  const [{ user_id: id, api_key: key }] = await stage.run(create);
  const { bots } = await stage.call("GET bots", {});
  return { id, key, email: bots.find((bot: Untyped) => bot.user_id === id).username };
}

/** Starts the bot of the document in each installed language; the one in Python has an account of its own. */
async function startBots(stage: DocumentStage, programs: AsyncDisposableStack): Promise<RunningBot[]> {
  const start = (name: string, language: string, account: StageAccount): RunningBot => {
    const [command = ""] = stage.codeOf(language, "sh", 1);
    const program = stage.startProgram(command, { BOT_EMAIL: account.email, BOT_KEY: account.key });
    return { ...account, name, language, program: programs.use(program) };
  };
  const bots = [start("Rake", "TypeScript", await createBot(stage))];
  if (await hasPython()) {
    const { user_id: id, api_key: key } = await stage.call("POST bots", {
      full_name: "Spade",
      short_name: "spade",
    });
    bots.push(start("Spade", "Python", { id, key, email: "spade-bot@localhost" }));
  }
  return bots;
}

/** Asserts that all bots answer a mention in a channel, to which none is subscribed. */
async function assertAnswersInChannel(stage: DocumentStage, bots: readonly RunningBot[], topic: string) {
  await Promise.all(bots.map(({ name, program }) => {
    const message = {
      type: "channel",
      to: "roses",
      topic: `${name} ${topic}`,
      content: `@**${name}** hello`,
    };
    return stage.assertAnswered(message, program);
  }));
}

/** Returns the id of a bot's only queue, once it is another than a former one. */
function waitForQueue(stage: DocumentStage, { id, program }: RunningBot, former?: string): Promise<string> {
  const isNew = ([queue]: string[]) => queue !== undefined && queue !== former;
  const read = () => stage.listQueues(id);
  return stage.waitFor("the bot registers", read, { isMet: isNew, program }).then(([queue = ""]) => queue);
}

Deno.test("the examples of docs/bots.md work as they are written", async (t) => {
  await using folder = await createTestFolder();
  await using stage = await DocumentStage.start(folder.path);

  await t.step("an incoming webhook posts a message", async () => {
    const [create = "", post = ""] = stage.codeOf("Incoming webhooks", "sh", 2);
    const [{ api_key: HOOK_KEY }] = await stage.run(create);
    const [{ id }] = await stage.run(post, { HOOK_KEY });
    const { raw_content, message } = await stage.call(`GET messages/${id}`, {});
    assert.deepEqual([raw_content, message.subject], ["Build **17** passed.", "builds"]);
  });

  await t.step("an outgoing webhook answers a mention", async () => {
    const [create = "", start = "", inspect = ""] = stage.codeOf("Outgoing webhooks", "sh", 3);
    await using hook = new Gateway();
    const [{ user_id }, { bots }] = await stage.run(create, { HOOK_URL: `${hook.url}/` });
    const [{ token }] = bots.find((bot: Untyped) => bot.user_id === user_id).services;
    await using program = stage.startProgram(start, { TOKEN: token, PORT: "0" });
    const readPort = () => /http:\/\/127\.0\.0\.1:(\d+)/.exec(program.output)?.[1];
    hook.forwardTo(Number(await stage.waitFor("the program listens", readPort, { program })));
    const mention = { type: "channel", to: "roses", topic: "echo", content: "@**Echo** hello" };
    await stage.assertAnswered(mention, program);
    const [{ deliveries }] = await stage.run(inspect, { BOT_ID: `${user_id}` });
    assert.equal(deliveries.length, 1);
    const body = JSON.stringify({ token: "wrong", message: {} });
    const refused = await settled("it answers", fetch(hook.url, { method: "POST", body }));
    assert.deepEqual([refused.status, await refused.text()], [403, "This request has another token."]);
  });

  await using programs = new AsyncDisposableStack();
  const bots = await startBots(stage, programs);

  // What passing tests print is not shown, but the titles of their steps are.
  const untested = bots.length > 1 ? "" : " (not tested in Python: there is none)";
  await t.step(`the bots answer mentions${untested}`, async () => {
    await Promise.all(bots.map((bot) => waitForQueue(stage, bot)));
    await stage.call("POST messages", {
      type: "channel",
      to: "roses",
      topic: "Rake 1",
      content: "No mention",
    });
    await assertAnswersInChannel(stage, bots, "1");
    await Promise.all(bots.map(({ id, name, program }) => {
      const message = { type: "direct", to: `[${id}]`, content: `@**${name}** hello` };
      return stage.assertAnswered(message, program);
    }));
  });

  await t.step("the bots miss no mention while their connections are lost", async () => {
    await stage.replaceServer(async () => {
      await Promise.all(bots.map(({ program }) => {
        return stage.waitFor("the bot reports an error", () => program.output !== "", { program });
      }));
    });
    await assertAnswersInChannel(stage, bots, "2");
  });

  await t.step("the bots register again when their queues are gone", async () => {
    await Promise.all(bots.map(async (bot) => {
      const former = await waitForQueue(stage, bot);
      await stage.call("DELETE events", { queue_id: former }, bot);
      await waitForQueue(stage, bot, former);
    }));
    await assertAnswersInChannel(stage, bots, "3");
  });

  await t.step("the bots answered each mention once and nothing else", async () => {
    for (const { id, language } of bots) {
      const narrow = JSON.stringify([{ operator: "sender", operand: id }]);
      const { messages } = await stage.call("GET messages", {
        anchor: "0",
        num_before: "0",
        num_after: "20",
        narrow,
      });
      const found = messages.map(({ type, subject }: Untyped) => `${type} ${subject}`);
      assert.equal(found.length, 4, `${language}: ${found}`);
    }
  });
});
