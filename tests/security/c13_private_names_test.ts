import assert from "node:assert/strict";
import { assertIndistinguishable } from "@/tests/casts/hidden_accounts_cast.ts";
import { inviteAddress } from "@/tests/casts/invites_cast.ts";
import { makeChannel, send } from "@/tests/casts/messages_cast.ts";
import { startChat, type TestChat, type TestParams } from "@/tests/helpers/chat.ts";

const WINDOW = { anchor: "newest", num_before: 5, num_after: 0 };

/** Creates a private channel of the owner with a message, and a public one. */
async function makeSecretChannel(chat: TestChat): Promise<void> {
  const secret = await makeChannel(chat, "secret", { invite_only: true, subscribers: [chat.owner.id] });
  await send(chat, chat.owner, { to: secret, content: "roses" });
  await makeChannel(chat, "Garden", { subscribers: [chat.owner.id] });
}

Deno.test("C13: a narrow does not distinguish a private channel's name from an unknown one", async () => {
  await using chat = await startChat();
  await makeSecretChannel(chat);
  const requests: ((narrow: unknown) => readonly [string, TestParams])[] = [
    (narrow) => ["GET /messages", { ...WINDOW, narrow }],
    (narrow) => ["POST /messages/flags/narrow", { ...WINDOW, narrow, op: "add", flag: "starred" }],
    (narrow) => ["GET /messages/matches_narrow", { msg_ids: [1], narrow }],
  ];
  for (const caller of [chat.member, chat.moderator, chat.guest, chat.bot]) {
    for (const operator of ["channel", "stream"]) {
      for (const negated of [false, true]) {
        for (const request of requests) {
          const toRequest = (name: string) => request([{ operator, operand: name, negated }]);
          const names = { hidden: "secret", unknown: "absent" };
          const { status, body } = await assertIndistinguishable(chat, caller, { toRequest, ...names });
          assert.deepEqual([status, body.msg], [400, "Invalid narrow operator: unknown channel"]);
        }
      }
    }
  }
});

Deno.test("C13: a narrow by a name finds the channels that the caller may know", async () => {
  await using chat = await startChat();
  await makeSecretChannel(chat);
  const countFor = async (caller: typeof chat.member, name: string) => {
    const { status, body } = await chat.call(caller, "GET /messages", {
      ...WINDOW,
      narrow: [["channel", name]],
    });
    return status === 200 ? body.messages.length : status;
  };
  assert.equal(await countFor(chat.owner, "SECRET"), 2);
  // Administrators know the channel and cannot read it.
  assert.equal(await countFor(chat.admin, "secret"), 0);
  assert.equal(await countFor(chat.member, "garden"), 1);
  assert.equal(await countFor(chat.guest, "garden"), 400);
});

Deno.test("C13: other endpoints do not distinguish a private channel's name from an unknown one", async () => {
  await using chat = await startChat();
  await makeSecretChannel(chat);
  const content = "roses";
  const requests: ((name: string) => readonly [string, TestParams])[] = [
    (name) => ["GET /get_stream_id", { stream: name }],
    (to) => ["POST /messages", { type: "channel", to, topic: "plans", content }],
    (name) => ["POST /messages/render", { content: `#**${name}** #**${name}>plans**` }],
    (name) => ["DELETE /users/me/subscriptions", { subscriptions: [name] }],
  ];
  for (const caller of [chat.member, chat.moderator, chat.guest, chat.bot]) {
    for (const toRequest of requests) {
      await assertIndistinguishable(chat, caller, { toRequest, hidden: "secret", unknown: "absent" });
    }
  }
});

Deno.test("C13: an email invitation of someone else is refused like one that does not exist", async () => {
  await using chat = await startChat();
  const asMember = await inviteAddress(chat, chat.owner, "rose@example.com");
  const asOwner = await inviteAddress(chat, chat.owner, "lily@example.com", { invite_as: 100 });
  for (const caller of [chat.member, chat.moderator]) {
    for (const hidden of [asMember, asOwner]) {
      for (const [method, end] of [["DELETE", ""], ["POST", "/resend"]]) {
        const { status, body } = await assertIndistinguishable(chat, caller, {
          toRequest: (id: number) => [`${method} /invites/${id}${end}`],
          hidden,
          unknown: 999_999,
        });
        assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", "No such invitation"]);
      }
    }
  }
  assert.equal((await chat.call(chat.owner, "GET /invites")).body.invites.length, 2);
});
