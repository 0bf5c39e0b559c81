import assert from "node:assert/strict";
import {
  assertIndistinguishable,
  hideAddress,
  NO_ADDRESS,
  startChat,
  type TestRequest,
  type Walker,
  walkTwice,
} from "@/tests/casts/hidden_accounts_cast.ts";
import { problemsIn, readForm } from "@/tests/casts/form_cast.ts";
import { fetchMessageIds, makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

const WINDOW = { anchor: "newest", num_before: 5, num_after: 0 };

/** Asserts that requests with the admin's hidden address are refused like ones with an unknown address. */
async function assertHidden(chat: TestChat, requests: readonly ((address: string) => TestRequest)[]) {
  await hideAddress(chat, chat.admin);
  for (const caller of [chat.owner, chat.member, chat.guest, chat.bot]) {
    for (const toRequest of requests) {
      const names = { hidden: chat.admin.email, unknown: NO_ADDRESS };
      const { status } = await assertIndistinguishable(chat, caller, { toRequest, ...names });
      assert.equal(status, 400, JSON.stringify(toRequest(NO_ADDRESS)));
    }
  }
}

Deno.test("C2: a path with a hidden address is refused like one with an unknown address", async () => {
  await using chat = await startChat();
  const encode = encodeURIComponent;
  await assertHidden(chat, [
    (address) => [`GET /users/${encode(address)}`],
    (address) => [`PATCH /users/${encode(address)}`, { full_name: "Rose" }],
    (address) => [`DELETE /users/${encode(address)}`],
    (address) => [`GET /users/${encode(address)}/presence`],
  ]);
});

Deno.test("C2: a narrow by a hidden address is refused like one by an unknown address", async () => {
  await using chat = await startChat();
  const operators = ["sender", "dm", "pm-with", "dm-including", "group-pm-with"];
  const narrows = operators.flatMap((operator) => [
    (address: string) => [[operator, address]],
    (address: string) => [{ operator, operand: address.toUpperCase(), negated: true }],
    ...(operator === "sender" ? [] : [(address: string) => [[operator, [chat.owner.id, address]]]]),
  ]);
  await assertHidden(
    chat,
    narrows.flatMap((narrow): ((address: string) => TestRequest)[] => [
      (address) => ["GET /messages", { ...WINDOW, narrow: narrow(address) }],
      (address) => ["GET /messages/matches_narrow", { msg_ids: [1], narrow: narrow(address) }],
      (address) => [
        "POST /messages/flags/narrow",
        { ...WINDOW, narrow: narrow(address), op: "add", flag: "starred" },
      ],
    ]),
  );
});

Deno.test("C2: a message to a hidden address is refused like one to an unknown address", async () => {
  await using chat = await startChat();
  const parameters = [
    (address: string) => ({ to: [address] }),
    (address: string) => ({ to: address }),
    (address: string) => ({ to: `${chat.owner.email}, ${address.toUpperCase()}` }),
    (address: string) => ({ to: [chat.member.id, address] }),
  ];
  await assertHidden(
    chat,
    parameters.flatMap((toParams) =>
      ["direct", "private"].map((type) => (address: string): TestRequest => [
        "POST /messages",
        { type, content: "hi", ...toParams(address) },
      ])
    ),
  );
});

Deno.test("C2: a subscription of a hidden address is refused like one of an unknown address", async () => {
  await using chat = await startChat();
  await makeChannel(chat, "Garden");
  await assertHidden(chat, [
    (
      address,
    ) => ["POST /users/me/subscriptions", { subscriptions: [{ name: "Garden" }], principals: [address] }],
    (address) => ["DELETE /users/me/subscriptions", { subscriptions: ["Garden"], principals: [address] }],
  ]);
});

Deno.test("C2: a hidden address names nobody on the pages of administrators", async () => {
  await using chat = await startChat();
  await hideAddress(chat, chat.member);
  const owner = await signIn(chat, chat.owner);
  const page = "/admin/groups/new";
  const form = readForm((await owner.get(page)).html, "create");
  for (const people of [chat.member.email, NO_ADDRESS]) {
    const { status, html } = await owner.post(page, { ...form, name: "Roses", people });
    assert.equal(status, 400);
    assert.deepEqual(problemsIn(html), [`No active user is named “${people}”.`]);
  }
});

Deno.test("C2: visible addresses and placeholders are found", async () => {
  await using chat = await startChat();
  const channel = await makeChannel(chat, "Garden");
  await hideAddress(chat, chat.owner);
  const id = await send(chat, chat.owner, { to: channel, content: "roses" });
  const placeholder = `user${chat.owner.id}@localhost`;
  assert.deepEqual(await fetchMessageIds(chat, chat.member, { narrow: [["sender", placeholder]] }), [id]);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow: [["sender", chat.owner.email]] }), [id]);
  assert.deepEqual(await fetchMessageIds(chat, chat.owner, { narrow: [["sender", chat.member.email]] }), []);
  for (const to of [[placeholder], placeholder, [chat.admin.email.toUpperCase()]]) {
    const sent = await chat.call(chat.member, "POST /messages", { type: "direct", to, content: "hi" });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
  }
});

/** Requests whose answers about addresses are part of their purpose: addresses are unique. */
const ABOUT_ADDRESSES = [
  "PATCH /api/v1/settings email",
  "PATCH /api/v1/settings/display email",
  "PATCH /api/v1/settings/notifications email",
  "POST /api/v1/invites invitee_emails",
];

Deno.test("C2: no operation of /openapi.json distinguishes a hidden address from an unknown one", async () => {
  for (const name of ["member", "guest"] as const) {
    await using one = await startChat();
    await using other = await startChat();
    const toWalker = async (chat: TestChat, text: string): Promise<Walker> => {
      await hideAddress(chat, chat.admin);
      const stream_id = await makeChannel(chat, "Garden");
      await chat.call(chat.owner, "POST /users/me/subscriptions", {
        subscriptions: [{ name: "Garden" }],
        principals: [chat.guest.id],
      });
      const message_id = await send(chat, chat[name], { to: stream_id, content: "hello" });
      await sendDirect(chat, chat.owner, [chat[name]], "hello");
      const usual = {
        ...{ stream_id, message_id, type: "direct", to: [chat.owner.id], anchor: "newest" },
        subscriptions: [{ name: "Garden" }],
      };
      return { chat, caller: chat[name], leaves: { text, integer: 1 }, usual };
    };
    const walkers = [await toWalker(one, one.admin.email), await toWalker(other, NO_ADDRESS)] as const;
    const { differences, count } = await walkTwice("text", walkers);
    assert.deepEqual(differences.filter((line) => !ABOUT_ADDRESSES.includes(line.split("\n")[0] ?? "")), []);
    assert.ok(count > 150, `${count} requests`);
  }
});
