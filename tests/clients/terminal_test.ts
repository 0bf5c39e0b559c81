import assert from "node:assert/strict";
import {
  type Answer,
  call,
  type ClientStage,
  createChannel,
  pythonClientTest,
  readMessages,
  sendToTopic,
} from "./client_stage.ts";
import { KEYS, Terminal } from "./terminal.ts";

/** Messages that exist before a test, more than a screen has room for. */
const EARLIER = 40;
/** First line of the form for a message to the channel "roses". */
const FORM = /# roses +▶/;
/** The same line before a channel is entered. */
const EMPTY_FORM = /✗ +▶/;

/** Creates a channel with messages of Bob that Ada has read, and a second channel without any. */
async function createConversation(stage: ClientStage): Promise<void> {
  await createChannel(stage, "roses", [stage.ada, stage.bob]);
  await createChannel(stage, "weeds", [stage.ada, stage.bob]);
  for (let count = 1; count <= EARLIER; count++) {
    await sendToTopic(stage, stage.bob, ["roses", "pruning", `Earlier ${count}.`]);
  }
  await call(stage, stage.ada, ["POST", "mark_all_as_read"]);
}

/** Starts the client as Ada, asserts what it shows at first, and quits it. */
async function assertFirstScreen(
  stage: ClientStage,
  { shown, hidden }: { readonly shown: string; readonly hidden: string },
): Promise<void> {
  await using terminal = await Terminal.start(stage, stage.ada);
  const screen = await terminal.see(shown);
  assert.ok(!screen.includes(hidden), screen);
  await terminal.quit();
}

pythonClientTest("the terminal client starts at the newest message when nothing is unread", async (stage) => {
  await createConversation(stage);
  await assertFirstScreen(stage, { shown: `Earlier ${EARLIER}.`, hidden: "Earlier 1." });
});

pythonClientTest("the terminal client starts at the first unread message", async (stage) => {
  await createConversation(stage);
  for (let count = 1; count <= EARLIER; count++) {
    await sendToTopic(stage, stage.bob, ["roses", "watering", `Later ${count}.`]);
  }
  await assertFirstScreen(stage, { shown: "Later 1.", hidden: `Later ${EARLIER}.` });
});

pythonClientTest("the terminal client ignores unread messages that are muted", async (stage) => {
  await createConversation(stage);
  const { stream_id } = await call(stage, stage.ada, ["GET", "get_stream_id", { stream: "roses" }]);
  const topic = { stream_id, topic: "noise", op: "add" };
  await call(stage, stage.ada, ["PATCH", "users/me/subscriptions/muted_topics", topic]);
  const { stream_id: weeds } = await call(stage, stage.ada, ["GET", "get_stream_id", { stream: "weeds" }]);
  const change = { stream_id: weeds, property: "is_muted", value: true };
  const parameters = { subscription_data: [change] };
  await call(stage, stage.ada, ["POST", "users/me/subscriptions/properties", parameters]);
  await sendToTopic(stage, stage.bob, ["roses", "noise", "Muted topic."]);
  await sendToTopic(stage, stage.bob, ["weeds", "roots", "Muted channel."]);
  await assertFirstScreen(stage, { shown: `Earlier ${EARLIER}.`, hidden: "Earlier 1." });
});

pythonClientTest("the terminal client shows the details of a channel", async (stage) => {
  await createChannel(stage, "roses", [stage.ada, stage.bob]);
  await using terminal = await Terminal.start(stage, stage.ada);
  await terminal.type("q", "roses", KEYS.enter, "i");
  await terminal.see("Stream Details", "Public to Users");
  await terminal.type(KEYS.escape);
  await terminal.seeNo("Stream Details");
  await terminal.quit();
});

pythonClientTest("the terminal client reads, sends, replies, edits, reacts and searches", async (stage) => {
  await createChannel(stage, "roses", [stage.ada, stage.bob]);
  const id = await sendToTopic(stage, stage.bob, ["roses", "pruning", "Cut them low"]);
  {
    await using terminal = await Terminal.start(stage, stage.ada);
    await terminal.see("Cut them low");
    await terminal.type(KEYS.right);
    await readMessage(stage, terminal, id);
    await terminal.type("+");
    await terminal.see(":thumbs_up: You");
    const { message } = await call(stage, stage.ada, ["GET", `messages/${id}`]);
    assert.deepEqual(message.reactions.map((one: Answer) => [one.emoji_code, one.user_id]), [
      ["1f44d", stage.ada.id],
    ]);
    await reply(stage, terminal);
    await edit(stage, terminal);
    await compose(stage, terminal);
    await sendToTopic(stage, stage.bob, ["roses", "sowing", "A live message"]);
    await terminal.see("A live message");
    await search(terminal);
    await terminal.quit();
  }
  await using restarted = await Terminal.start(stage, stage.ada);
  await restarted.see("Agreed fully", "EDITED", "In rows", "A live message");
});

/** Waits until the message that the client shows is marked as read. */
async function readMessage(stage: ClientStage, terminal: Terminal, id: number): Promise<void> {
  const readFlags = async () => (await call(stage, stage.ada, ["GET", `messages/${id}`])).message.flags;
  await terminal.waitFor("the message is read", readFlags, (flags) => flags.includes("read"));
}

/** Replies to the current message. */
async function reply(stage: ClientStage, terminal: Terminal): Promise<void> {
  await terminal.type("r");
  await terminal.see(FORM);
  await terminal.type("Agreed", KEYS.send);
  await waitForMessage(stage, terminal, { topic: "pruning", content: "Agreed" });
  await terminal.type(KEYS.escape);
  await terminal.seeNo(FORM);
  await terminal.see("Agreed");
}

/** Edits the reply. */
async function edit(stage: ClientStage, terminal: Terminal): Promise<void> {
  await terminal.type(KEYS.end, "e");
  await terminal.see(FORM);
  await terminal.type(" fully", KEYS.send);
  await terminal.see("EDITED", "Agreed fully");
  await waitForMessage(stage, terminal, { topic: "pruning", content: "Agreed fully" });
  await terminal.seeNo(FORM);
}

/** Starts a new topic. */
async function compose(stage: ClientStage, terminal: Terminal): Promise<void> {
  await terminal.type("c");
  await terminal.see(EMPTY_FORM);
  await terminal.type("roses", KEYS.tab);
  await terminal.see(FORM);
  await terminal.type("sowing", KEYS.tab, "In rows", KEYS.send);
  await waitForMessage(stage, terminal, { topic: "sowing", content: "In rows" });
  await terminal.type(KEYS.escape);
  await terminal.seeNo(FORM);
}

/** Searches for a word, and returns to all messages. */
async function search(terminal: Terminal): Promise<void> {
  await terminal.type("/");
  await terminal.type("low", KEYS.enter);
  await terminal.seeNo("A live message");
  await terminal.see("Search Results", "Cut them low");
  await terminal.type(KEYS.escape);
  await terminal.see("A live message");
}

/** Waits until the latest message of Ada has a topic and a content. */
async function waitForMessage(
  stage: ClientStage,
  terminal: Terminal,
  { topic, content }: { readonly topic: string; readonly content: string },
): Promise<void> {
  const readLatest = async () => {
    const messages: Answer[] = await readMessages(stage, stage.ada);
    return messages.findLast(({ sender_id }) => sender_id === stage.ada.id);
  };
  const isSent = (message: Answer) => message?.subject === topic && message.content === content;
  const sent = await terminal.waitFor(`the message ${content} is sent`, readLatest, isSent);
  assert.equal(sent.display_recipient, "roses");
}
