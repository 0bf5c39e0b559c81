// Fields and forms of events and answers that clients declare.
import assert from "node:assert/strict";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { basic } from "@/tests/helpers/chat.ts";

/** A picture of one pixel. */
const GIF = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  (char) => char.charCodeAt(0),
);

Deno.test("clients that know single changes of emoji receive them, others all emoji", async () => {
  await using chat = await startChat();
  const types = ["realm_emoji"];
  const [one, all] = [
    await registerClient(chat, chat.member, {
      event_types: types,
      client_capabilities: { individual_emoji_changes: true },
    }),
    await registerClient(chat, chat.member, { event_types: types }),
  ];
  const form = new FormData();
  form.append("filename", new File([GIF], "rose.gif", { type: "image/gif" }));
  const { email, apiKey } = chat.owner;
  const headers = { authorization: basic(email, apiKey) };
  const added = await chat.request("/api/v1/realm/emoji/rose", { method: "POST", headers, body: form });
  assert.equal(added.status, 200, await added.text());
  await succeed(chat, chat.owner, "DELETE /realm/emoji/rose");
  const [add, update] = await one.receive();
  const { id } = add?.["emoji"];
  assert.deepEqual([add?.["op"], add?.["emoji"].name, add?.["emoji"].deactivated], ["add", "rose", false]);
  assert.deepEqual([update?.["op"], update?.["emoji_id"], update?.["data"]], ["update_one", id, {
    deactivated: true,
  }]);
  const events = await all.receive();
  assert.deepEqual(events.map((event) => [event["op"], Object.keys(event["realm_emoji"])]), [
    ["update", [id]],
    ["update", [id]],
  ]);
  assert.equal(events[0]?.["emoji"], undefined);
});

Deno.test("update_message names the channel, and the former channel only to users who know it", async () => {
  await using chat = await startChat();
  const { owner, member, guest } = chat;
  const hidden = await makeChannel(chat, "Hidden", { subscribers: [owner.id], invite_only: true });
  const garden = await makeChannel(chat, "Garden", { subscribers: [owner.id, member.id, guest.id] });
  const clients = [
    await registerClient(chat, owner, { event_types: ["update_message"] }),
    await registerClient(chat, member, { event_types: ["update_message"] }),
  ];
  const id = await send(chat, owner, { to: garden, content: "hello" });
  await succeed(chat, owner, `PATCH /messages/${id}`, { content: "hello again" });
  const moved = await send(chat, owner, { to: hidden, content: "secret" });
  await succeed(chat, owner, `PATCH /messages/${moved}`, { stream_id: garden });
  const names = await Promise.all(
    clients.map(async (client) => (await client.receive()).map((event) => event["stream_name"])),
  );
  assert.deepEqual([...new Set(names[0])], ["Garden", "Hidden"]);
  assert.equal(names[1]?.includes("Hidden"), false);
  assert.equal(names[1]?.[0], "Garden");
});

Deno.test("POST /users/me/subscriptions sends a message to the users whom it subscribed, on request", async () => {
  await using chat = await startChat();
  const { owner, member, guest, bot } = chat;
  await makeChannel(chat, "Garden", { subscribers: [owner.id] });
  const path = "POST /users/me/subscriptions";
  const request = { subscriptions: [{ name: "Garden" }] };
  const silent = await succeed(chat, owner, path, { ...request, principals: [guest.id] });
  assert.equal("new_subscription_messages_sent" in silent, false);
  const announced = { ...request, send_new_subscription_messages: true };
  const own = await succeed(chat, owner, path, announced);
  assert.equal(own["new_subscription_messages_sent"], false);
  const sent = await succeed(chat, owner, path, { ...announced, principals: [member.id, guest.id, bot.id] });
  assert.equal(sent["new_subscription_messages_sent"], true);
  assert.deepEqual(await readDirect(chat, member), [
    `@_**Owner|${owner.id}** subscribed you to #**Garden**.`,
  ]);
  assert.deepEqual(await readDirect(chat, guest), []);
});

Deno.test("POST /channels/create sends a message to the other subscribers, on request", async () => {
  await using chat = await startChat();
  const { owner, member, bot } = chat;
  const subscribers = [owner.id, member.id, member.id, bot.id];
  const path = "POST /channels/create";
  await succeed(chat, owner, path, { name: "Quiet", subscribers });
  assert.deepEqual(await readDirect(chat, member), []);
  await succeed(chat, owner, path, { name: "Garden", subscribers, send_new_subscription_messages: true });
  assert.deepEqual(await readDirect(chat, member), [
    `@_**Owner|${owner.id}** subscribed you to #**Garden**.`,
  ]);
  assert.deepEqual(await readDirect(chat, owner), []);
});

/** Returns the contents of a user's direct messages. */
async function readDirect(chat: TestChat, user: TestUser): Promise<string[]> {
  const { messages } = await succeed(chat, user, "GET /messages", {
    anchor: "newest",
    num_before: 10,
    narrow: [["is", "dm"]],
    apply_markdown: false,
  });
  return messages.map(({ content }: { content: string }) => content);
}

Deno.test("GET /streams takes include_all_active as an older name of include_all", async () => {
  await using chat = await startChat();
  await makeChannel(chat, "Hidden", { subscribers: [chat.owner.id], invite_only: true });
  const none = { include_public: false, include_subscribed: false };
  const list = async (params: object) =>
    (await succeed(chat, chat.owner, "GET /streams", { ...none, ...params })).streams.length;
  assert.deepEqual([await list({}), await list({ include_all_active: true })], [0, 1]);
});
