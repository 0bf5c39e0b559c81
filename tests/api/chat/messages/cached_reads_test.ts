// Two servers of one store: what one changes, the other returns at once, although it has cached messages before.
import assert from "node:assert/strict";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { file, PNG, postFiles } from "@/tests/casts/pictures_cast.ts";
import { shareStore } from "@/tests/helpers/copied_store.ts";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** A server with messages, and another server of the same store that has answered requests for them. */
interface Pair extends AsyncDisposable {
  readonly chat: TestChat;
  readonly garden: number;
  readonly shed: number;
  /** Messages of the member in the garden, in one topic. */
  readonly ids: readonly [number, number, number];
  /** Returns the answers of the other server. */
  readonly read: (caller: TestUser) => Promise<string[]>;
  /** Returns the answers of a server that has just started, which has cached nothing. */
  readonly readFresh: (caller: TestUser) => Promise<string[]>;
}

async function startPair(): Promise<Pair> {
  const chat = await startChat();
  const startServer = () => startTestApp({ store: shareStore(chat.services.store) });
  const garden = await makeChannel(chat, "Garden");
  const shed = await makeChannel(chat, "Shed");
  const write = (content: string) => send(chat, chat.member, { to: garden, content });
  const ids = [await write("first rose"), await write("second rose"), await write("third rose")] as const;
  await sendDirect(chat, chat.member, [chat.owner], "a rose for you");
  await send(chat, chat.owner, { to: shed, content: "rose shears" });
  // From the messages of three channels on, all channels and the reader's subscriptions are taken from memory.
  await send(chat, chat.owner, { to: await makeChannel(chat, "Cellar"), content: "rose hips" });
  const other = await startServer();
  const narrows = listNarrows(chat, garden, ids[0]);
  return {
    chat,
    garden,
    shed,
    ids,
    read: (caller) => fetchAll(other, caller, narrows),
    async readFresh(caller) {
      await using fresh = await startServer();
      return await fetchAll(fresh, caller, narrows);
    },
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await chat[Symbol.asyncDispose]();
    },
  };
}

function listNarrows({ member, owner }: TestChat, garden: number, first: number): object[][] {
  const channel = { operator: "channel", operand: garden };
  return [
    [],
    [channel],
    [channel, { operator: "topic", operand: "plans" }],
    [{ operator: "sender", operand: member.id }],
    [{ operator: "dm", operand: [owner.id, member.id] }],
    [{ operator: "search", operand: "rose" }],
    [{ operator: "id", operand: first }],
    [{ operator: "is", operand: "unread" }],
  ];
}

async function fetchAll(app: TestApp, caller: TestUser, narrows: readonly object[][]): Promise<string[]> {
  const answers: string[] = [];
  const headers = { authorization: basic(caller.email, caller.apiKey) };
  for (const narrow of narrows) {
    for (
      const window of ["anchor=newest&num_before=50&num_after=0", "anchor=oldest&num_before=0&num_after=50"]
    ) {
      const query = `${window}&narrow=${encodeURIComponent(JSON.stringify(narrow))}`;
      const response = await app.request(`/api/v1/messages?${query}`, { headers });
      assert.equal(response.status, 200);
      answers.push(await response.text());
    }
  }
  return answers;
}

/** Changes by the first server, each with the user whose answers it changes. */
const CHANGES: Readonly<Record<string, (pair: Pair) => Promise<TestUser>>> = {
  async "a new message"({ chat, garden }) {
    await send(chat, chat.member, { to: garden, content: "fourth rose" });
    return chat.owner;
  },
  async "an edit"({ chat, ids }) {
    await succeed(chat, chat.member, `PATCH /messages/${ids[0]}`, { content: "no flower" });
    return chat.owner;
  },
  async "a deletion"({ chat, ids }) {
    await succeed(chat, chat.owner, `DELETE /messages/${ids[1]}`);
    return chat.moderator;
  },
  async "a move to another topic"({ chat, ids }) {
    const params = { topic: "elsewhere", propagate_mode: "change_later" };
    await succeed(chat, chat.owner, `PATCH /messages/${ids[1]}`, params);
    return chat.moderator;
  },
  async "a move to another channel"({ chat, ids, shed }) {
    const params = { stream_id: shed, propagate_mode: "change_all" };
    await succeed(chat, chat.owner, `PATCH /messages/${ids[0]}`, params);
    return chat.moderator;
  },
  async "a reaction"({ chat, ids }) {
    await succeed(chat, chat.moderator, `POST /messages/${ids[2]}/reactions`, { emoji_name: "heart" });
    return chat.owner;
  },
  async "a star"({ chat, ids }) {
    const params = { messages: [ids[0]], op: "add", flag: "starred" };
    await succeed(chat, chat.owner, "POST /messages/flags", params);
    return chat.owner;
  },
  async "a read mark"({ chat, ids }) {
    const params = { messages: ids, op: "add", flag: "read" };
    await succeed(chat, chat.owner, "POST /messages/flags", params);
    return chat.owner;
  },
  async "a new name of the sender"({ chat }) {
    await succeed(chat, chat.owner, `PATCH /users/${chat.member.id}`, { full_name: "Rosa" });
    return chat.moderator;
  },
  async "a new avatar of the sender"({ chat }) {
    const { status } = await postFiles(chat, chat.member, "/users/me/avatar", [file(PNG, 1000)]);
    assert.equal(status, 200);
    return chat.moderator;
  },
  async "a new name of the channel"({ chat, garden }) {
    await succeed(chat, chat.owner, `PATCH /streams/${garden}`, { new_name: "Orchard" });
    return chat.moderator;
  },
  async "a channel that becomes private"({ chat, garden }) {
    await succeed(chat, chat.owner, `PATCH /streams/${garden}`, { is_private: true });
    return chat.admin;
  },
  async "the end of a subscription to a private channel"({ chat, garden }) {
    await succeed(chat, chat.owner, `PATCH /streams/${garden}`, { is_private: true });
    await succeed(chat, chat.moderator, "DELETE /users/me/subscriptions", { subscriptions: ["Garden"] });
    return chat.moderator;
  },
  async "a message to a channel that the reader has left and joined again"({ chat, garden }) {
    const subscriptions = ["Garden"];
    await succeed(chat, chat.moderator, "DELETE /users/me/subscriptions", { subscriptions });
    await send(chat, chat.member, { to: garden, content: "fourth rose" });
    await succeed(chat, chat.moderator, "POST /users/me/subscriptions", {
      subscriptions: [{ name: "Garden" }],
    });
    return chat.moderator;
  },
  async "muting the sender"({ chat }) {
    await succeed(chat, chat.moderator, `POST /users/me/muted_users/${chat.member.id}`);
    return chat.moderator;
  },
};

for (const [title, change] of Object.entries(CHANGES)) {
  Deno.test(`GET /messages returns ${title} of another server although messages are cached`, async () => {
    await using pair = await startPair();
    const { chat } = pair;
    const callers = [chat.owner, chat.admin, chat.moderator];
    const before = new Map<TestUser, string[]>();
    for (const caller of callers) before.set(caller, await pair.read(caller));
    const concerned = await change(pair);
    for (const caller of callers) {
      const other = await pair.read(caller);
      assert.deepEqual(other, await pair.readFresh(caller));
      if (caller === concerned) assert.notDeepEqual(other, before.get(caller));
    }
  });
}

Deno.test("GET /messages returns the second edit of a message with both versions in its history", async () => {
  await using pair = await startPair();
  const { chat, ids } = pair;
  for (const content of ["one", "two"]) {
    await succeed(chat, chat.member, `PATCH /messages/${ids[0]}`, { content });
    assert.deepEqual(await pair.read(chat.owner), await pair.readFresh(chat.owner));
  }
  const [newest = ""] = await pair.read(chat.owner);
  const { messages }: { messages: { id: number; edit_history?: { prev_content: string }[] }[] } = JSON.parse(
    newest,
  );
  const edited = messages.find(({ id }) => id === ids[0]);
  assert.deepEqual(edited?.edit_history?.map(({ prev_content }) => prev_content), ["one", "first rose"]);
});

Deno.test("GET /messages pages through more messages than are cached, in both directions", async () => {
  await using chat = await startChat();
  const garden = await makeChannel(chat, "Garden");
  const shed = await makeChannel(chat, "Shed");
  const sent: number[] = [];
  for (let at = 0; at < 260; at++) {
    const id = await send(chat, chat.member, { to: at % 3 === 0 ? shed : garden, content: `no. ${at}` });
    if (at % 3 !== 0) sent.push(id);
  }
  const narrow = [{ operator: "channel", operand: garden }];
  const page = async (params: object): Promise<number[]> => {
    const asked = { num_before: 0, num_after: 0, include_anchor: false, narrow, ...params };
    const { messages }: { messages: { id: number; sender_id: number }[] } =
      (await chat.call(chat.owner, "GET /messages", asked)).body as never;
    return messages.filter(({ sender_id }) => sender_id === chat.member.id).map(({ id }) => id);
  };
  for (const size of [7, 120]) {
    const down: number[] = [];
    for (let anchor: number | string = "newest";;) {
      const ids: number[] = await page({ anchor, num_before: size });
      if (ids.length === 0) break;
      down.unshift(...ids);
      anchor = ids[0] ?? 0;
    }
    assert.deepEqual(down, sent);
    const up: number[] = [];
    for (let anchor = 0;;) {
      const ids = await page({ anchor, num_after: size });
      if (ids.length === 0) break;
      up.push(...ids);
      anchor = ids.at(-1) ?? 0;
    }
    assert.deepEqual(up, sent);
  }
});
