import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { createChannel, INVALID_CHANNEL } from "@/tests/casts/channels_cast.ts";
import { assertRefusal, assertSuccess } from "@/tests/casts/user_groups_cast.ts";

// POST /default_streams, DELETE /default_streams

const METHODS = ["POST", "DELETE"] as const;

async function isDefault(chat: TestChat, id: number): Promise<boolean> {
  const { body } = await chat.call(chat.member, "GET /streams", { include_default: true });
  return body.streams.find((channel: { stream_id: number }) => channel.stream_id === id).is_default;
}

function toEvent(ids: number[]) {
  return { event: { type: "default_streams", default_streams: ids }, audience: "members" };
}

Deno.test("POST /default_streams adds a default channel and sends one event", async () => {
  await using chat = await startChat();
  const [first, second] = [await createChannel(chat, chat.member), await createChannel(chat, chat.member)];
  await chat.events();
  const add = (stream_id: number) => chat.call(chat.admin, "POST /default_streams", { stream_id, zebra: 1 });
  assertSuccess(await add(second), { ignored_parameters_unsupported: ["zebra"] });
  assert.deepEqual([await isDefault(chat, first), await isDefault(chat, second)], [false, true]);
  chat.clock.time++;
  assertSuccess(await chat.call(chat.owner, `POST /default_streams?stream_id=${first}`));
  assert.equal((await add(first)).status, 200);
  assert.deepEqual(await chat.events(), [toEvent([second]), toEvent([first, second])]);
});

Deno.test("DELETE /default_streams removes a default channel, and sends an event even if it was none (B-defch-01)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.admin, { is_default_stream: true });
  assert.equal(await isDefault(chat, id), true);
  await chat.events();
  const remove = () => chat.call(chat.admin, "DELETE /default_streams", { stream_id: id });
  assertSuccess(await remove());
  assert.equal(await isDefault(chat, id), false);
  assertSuccess(await chat.call(chat.admin, `DELETE /default_streams?stream_id=${id}`));
  assert.deepEqual(await chat.events(), [toEvent([]), toEvent([])]);
});

Deno.test("POST /default_streams refuses a private channel", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member, { invite_only: true });
  const answer = await chat.call(chat.admin, "POST /default_streams", { stream_id: id });
  assertRefusal(answer, "Private channels cannot be made default.");
  assertSuccess(await chat.call(chat.admin, "DELETE /default_streams", { stream_id: id }));
});

for (const method of METHODS) {
  const endpoint = `${method} /default_streams`;

  Deno.test(`${endpoint} refuses unknown, archived and other organizations' channels (B-defch-03)`, async () => {
    await using chat = await startChat();
    const archived = await createChannel(chat, chat.member);
    assertSuccess(await chat.call(chat.member, `DELETE /streams/${archived}`));
    const id = await createChannel(chat, chat.member);
    await chat.events();
    for (const stream_id of [99999999, archived, -1, 2 ** 52]) {
      assertRefusal(await chat.call(chat.admin, endpoint, { stream_id }), INVALID_CHANNEL);
    }
    assertRefusal(await chat.call(chat.outsider, endpoint, { stream_id: id }), INVALID_CHANNEL);
    assert.deepEqual(await chat.events(), []);
  });

  Deno.test(`${endpoint} refuses all but administrators, whatever is sent (B-defch-04)`, async () => {
    await using chat = await startChat();
    const id = await createChannel(chat, chat.member);
    for (const sent of [{ stream_id: id }, {}]) {
      for (const user of [chat.moderator, chat.member, chat.guest, chat.bot]) {
        const answer = await chat.call(user, endpoint, sent);
        assertRefusal(answer, "Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL");
      }
    }
    assert.equal((await chat.call(null, endpoint, { stream_id: id })).status, 401);
    assertSuccess(await chat.call(chat.owner, endpoint, { stream_id: id }));
  });

  Deno.test(`${endpoint} requires the channel's id (B-defch-05)`, async () => {
    await using chat = await startChat();
    const missing = await chat.call(chat.admin, endpoint);
    assertRefusal(missing, "Missing 'stream_id' argument", "REQUEST_VARIABLE_MISSING");
    assert.equal(missing.body.var_name, "stream_id");
    for (
      const [sent, msg] of [["x", "stream_id is not valid JSON"], ["true", "stream_id is not an integer"]]
    ) {
      assertRefusal(await chat.call(chat.admin, endpoint, { stream_id: sent }), String(msg));
    }
  });
}

Deno.test("concurrent changes of default channels are all kept", async () => {
  await using chat = await startChat();
  const ids = await Promise.all(Array.from({ length: 8 }, () => createChannel(chat, chat.member)));
  await Promise.all(ids.map((stream_id) => chat.call(chat.admin, "POST /default_streams", { stream_id })));
  assert.deepEqual(await Promise.all(ids.map((id) => isDefault(chat, id))), ids.map(() => true));
});
