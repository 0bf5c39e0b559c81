import assert from "node:assert/strict";
import { webhookKeys } from "@/lib/chat/people/webhooks.ts";
import { startWebhookServer } from "@/tests/casts/webhooks_cast.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { callCommand, createGardeners } from "@/tests/helpers/command_calls.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { makeDue } from "./push_jobs.ts";

Deno.test("a server killed while a webhook answers repeats the request and posts the answer once", async () => {
  await using folder = await createTestFolder();
  await using hook = startWebhookServer();
  const env = { WEBHOOK_INTERNAL_NETWORKS: "127.0.0.1" };
  const realm = await createGardeners(`${folder.path}/sotto.kv`);
  const headers = { authorization: basic(realm.email, realm.api_key) };
  const post = async (server: TestServer, path: string, fields: Record<string, string>) => {
    const init = { method: "POST", headers, body: new URLSearchParams(fields) };
    const response = await server.fetch(`/api/v1/${path}`, init);
    const body = await response.json();
    assert.equal(response.status, 200, JSON.stringify(body));
    return body;
  };
  const read = async (server: TestServer, path: string) =>
    await (await server.fetch(`/api/v1/${path}`, { headers })).json();
  const asked = Promise.withResolvers<void>();
  const never = Promise.withResolvers<Response>();
  hook.answer = () => {
    asked.resolve();
    return never.promise;
  };
  const newBot = { full_name: "Echo", short_name: "echo", bot_type: "3", payload_url: `${hook.url}/echo` };
  let botId: number;
  let messageId: number;
  {
    await using server = await TestServer.start({ folder: folder.path, env });
    botId = (await post(server, "bots", newBot)).user_id;
    messageId = (await post(server, "messages", { type: "direct", to: `[${botId}]`, content: "Hi" })).id;
    await server.waitFor("the address receives a request", () => asked.promise.then(() => true));
    await server.kill();
  }
  never.resolve(Response.json({ content: "lost with the first process" }));
  hook.answer = () => Response.json({ content: "Hello" });
  await makeDue(`${folder.path}/sotto.kv`, webhookKeys.jobs);
  await using server = await TestServer.start({ folder: folder.path, env });
  const readDeliveries = async () => (await read(server, `bots/${botId}/deliveries`)).deliveries;
  const [delivery] = await server.waitFor(
    "the message is delivered",
    readDeliveries,
    ([one]) => one.status === "delivered",
  );
  assert.deepEqual([delivery.message_id, delivery.attempts], [messageId, 1]);
  const ids = hook.received.map(({ body }) => body.message.id);
  assert.deepEqual(ids, [messageId, messageId]);
  const narrow = encodeURIComponent(JSON.stringify([["dm", "echo-bot@localhost"]]));
  const query = `anchor=newest&num_before=10&num_after=0&apply_markdown=false&narrow=${narrow}`;
  const { messages } = await read(server, `messages?${query}`);
  assert.deepEqual(messages.map(({ content }: { content: string }) => content), ["Hi", "Hello"]);
  assert.equal(await server.stop(), 0);
  assert.equal((await callCommand(server.store, "check")).ok, true);
});
