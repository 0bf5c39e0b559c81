import assert from "node:assert/strict";
import { ClientProcess } from "./client_process.ts";
import {
  type Answer,
  call,
  type ClientStage,
  createChannel,
  pythonClientTest,
  readMessages,
  sendToTopic,
} from "./client_stage.ts";

/** Starts a bot of the bots package and waits until it listens. */
async function startBot(stage: ClientStage, bot: string): Promise<ClientProcess> {
  const args = [bot, "--config-file", stage.bot.config];
  const process = new ClientProcess(stage, `${stage.programs}/zulip-run-bot`, args);
  const waiting = () => stage.server.metric("sotto_requests_waiting");
  await process.waitFor("the bot waits for events", waiting, (count) => count === 1);
  return process;
}

/** Returns the contents and topics of the bot's messages that Ada can read. */
async function readReplies(stage: ClientStage): Promise<Answer[]> {
  const messages = await readMessages(stage, stage.ada);
  return messages.filter(({ sender_id }) => sender_id === stage.bot.id);
}

pythonClientTest("a bot answers mentions and direct messages, and reacts to them", async (stage) => {
  await createChannel(stage, "roses", [stage.ada]);
  await using bot = await startBot(stage, "helloworld");
  await sendToTopic(stage, stage.ada, ["roses", "pruning", "Nobody is mentioned"]);
  const mentioning = await sendToTopic(stage, stage.ada, ["roses", "pruning", "@**Rake** hello"]);
  const inChannel = await bot.waitFor("the bot replies", () => readReplies(stage), (all) => all.length === 1);
  assert.deepEqual(
    inChannel.map(({ type, display_recipient, subject, content }) => [
      ...[type, display_recipient, subject, content],
    ]),
    [["stream", "roses", "pruning", "beep boop"]],
  );
  await bot.waitFor("the bot reacts", async () => {
    const { message } = await call(stage, stage.ada, ["GET", `messages/${mentioning}`]);
    return message.reactions.map(({ emoji_name, user_id }: Answer) => `${emoji_name} ${user_id}`);
  }, (reactions) => reactions.join() === `wave ${stage.bot.id}`);

  const direct = { type: "direct", to: [stage.bot.id], content: "Hello" };
  await call(stage, stage.ada, ["POST", "messages", direct]);
  const [, reply] = await bot.waitFor("it replies", () => readReplies(stage), (all) => all.length === 2);
  assert.deepEqual([reply.type, reply.content], ["private", "beep boop"]);
});

pythonClientTest("a bot edits its message and stores values", async (stage) => {
  await createChannel(stage, "roses", [stage.ada]);
  await using bot = await startBot(stage, "incrementor");
  for (const count of ["1", "2", "3"]) {
    await sendToTopic(stage, stage.ada, ["roses", "counting", "@**Rake**"]);
    const contents = async () => (await readReplies(stage)).map(({ content }) => content);
    await bot.waitFor(`the message says ${count}`, contents, (all) => all.join() === count);
  }
  // The bot edits its message before it stores the number.
  const readNumber = async () => (await call(stage, stage.bot, ["GET", "bot_storage"])).storage.number;
  await bot.waitFor("the bot stores the number", readNumber, (number) => number === "3");
});
