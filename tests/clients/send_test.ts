import assert from "node:assert/strict";
import { ClientProcess } from "./client_process.ts";
import {
  type Answer,
  type ClientStage,
  createChannel,
  pythonClientTest,
  readMessages,
} from "./client_stage.ts";

/** Runs the command that sends a message as Ada, and returns its exit status and output. */
async function send(stage: ClientStage, ...args: string[]): Promise<{ status: number; output: string }> {
  const options = ["--config-file", stage.ada.config, ...args];
  await using process = new ClientProcess(stage, `${stage.programs}/zulip-send`, options);
  return { status: await process.ended(), output: process.output };
}

pythonClientTest("the send command sends to topics and to users, and reports refusals", async (stage) => {
  await createChannel(stage, "roses", [stage.ada, stage.bob]);
  const topic = ["--stream", "roses", "--subject", "pruning"];
  assert.deepEqual(await send(stage, ...topic, "--message", "Cut them"), { status: 0, output: "" });
  assert.deepEqual(await send(stage, stage.bob.email, "--message", "Hello"), { status: 0, output: "" });
  const [inTopic, direct] = (await readMessages(stage, stage.bob)).slice(-2);
  const summarize = (
    { type, sender_email, subject, content }: Answer,
  ) => [type, sender_email, subject, content];
  assert.deepEqual(summarize(inTopic), ["stream", stage.ada.email, "pruning", "Cut them"]);
  assert.deepEqual(summarize(direct), ["private", stage.ada.email, "", "Hello"]);

  const refused = await send(stage, "--stream", "weeds", "--subject", "pruning", "--message", "Hello");
  assert.equal(refused.status, 1, refused.output);
  assert.match(refused.output, /Channel 'weeds' does not exist/);
  const unknown = await send(stage, "eve@example.com", "--message", "Hello");
  assert.deepEqual(
    [unknown.status, /Invalid email 'eve@example.com'/.test(unknown.output)],
    [1, true],
    unknown.output,
  );
});
