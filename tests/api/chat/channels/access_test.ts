import assert from "node:assert/strict";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import {
  allowSpectators,
  createChannel,
  INVALID_CHANNEL,
  NO_ADMINISTRATOR,
  readChannel,
} from "@/tests/casts/channels_cast.ts";
import { assertRefusal, assertSuccess } from "@/tests/casts/user_groups_cast.ts";

// GET /streams/{stream_id}, PATCH /streams/{stream_id}, DELETE /streams/{stream_id}

const KINDS = {
  "public": {},
  "private shared": { invite_only: true, history_public_to_subscribers: true },
  "private protected": { invite_only: true },
  "web-public": { is_web_public: true },
  "archived": {},
  "archived private": { invite_only: true },
} as const;
type Kind = keyof typeof KINDS;

const OPERATIONS = {
  get: ["GET", {}],
  describe: ["PATCH", { description: "described" }],
  rename: ["PATCH", { new_name: "renamed" }],
  archive: ["DELETE", {}],
} as const;
type Operation = keyof typeof OPERATIONS;

const CALLERS = [
  "admin",
  "subscribed member",
  "unsubscribed member",
  "channel administrator",
  "bot",
  "subscribed guest",
  "unsubscribed guest",
  "guest named administrator",
  "other organization",
] as const;
type Caller = typeof CALLERS[number];

/** Returns the error expected by the specification and the reference; empty for success. */
function expected(kind: Kind, caller: Caller, operation: Operation): string {
  if (caller === "other organization") return INVALID_CHANNEL;
  if (caller === "admin" || caller === "channel administrator") return "";
  const isSubscribed = caller.startsWith("subscribed");
  const isGuest = caller.includes("guest");
  const canRead = isSubscribed || kind === "web-public" || (!isGuest && !kind.includes("private"));
  if (!canRead) return INVALID_CHANNEL;
  return operation === "get" ? "" : NO_ADMINISTRATOR;
}

async function cast(chat: TestChat): Promise<Readonly<Record<Caller, TestUser>>> {
  return {
    "admin": chat.admin,
    "subscribed member": chat.member,
    "unsubscribed member": await chat.add("nelly"),
    "channel administrator": await chat.add("ada"),
    "bot": chat.bot,
    "subscribed guest": chat.guest,
    "unsubscribed guest": await chat.add("gast", 600),
    "guest named administrator": await chat.add("gustav", 600),
    "other organization": chat.outsider,
  };
}

for (const kind of Object.keys(KINDS) as Kind[]) {
  Deno.test(`a channel that is ${kind} allows each caller what the rules say`, async () => {
    await using chat = await startChat();
    await allowSpectators(chat);
    const people = await cast(chat);
    const administrators = [people["channel administrator"].id, people["guest named administrator"].id];
    const problems: string[] = [];
    for (const caller of CALLERS) {
      for (const operation of Object.keys(OPERATIONS) as Operation[]) {
        const id = await createChannel(chat, chat.owner, {
          ...KINDS[kind],
          subscribers: [chat.member.id, chat.guest.id],
          can_administer_channel_group: { direct_members: administrators, direct_subgroups: [] },
        });
        if (kind.startsWith("archived")) await chat.call(chat.owner, `DELETE /streams/${id}`);
        const before = await readChannel(chat, id);
        const [method, sent] = OPERATIONS[operation];
        const answer = await chat.call(people[caller], `${method} /streams/${id}`, sent);
        const wanted = expected(kind, caller, operation);
        const after = await readChannel(chat, id);
        const isUntouched = JSON.stringify(before) === JSON.stringify(after);
        const isRight = answer.body.msg === wanted && answer.status === (wanted === "" ? 200 : 400) &&
          (wanted === "" || isUntouched);
        if (!isRight) problems.push(`${caller} ${operation}: ${answer.body.msg}, not ${wanted}`);
        // Frees the name for the next caller.
        if (wanted === "" && operation === "rename") {
          await chat.call(chat.owner, `PATCH /streams/${id}`, { new_name: `was renamed ${id}` });
        }
      }
    }
    assert.deepEqual(problems, []);
  });
}

Deno.test("PATCH /streams/{stream_id} refuses members with content access alone (A050)", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.owner);
  for (const user of [chat.member, chat.moderator, chat.bot]) {
    assertRefusal(await chat.call(user, `PATCH /streams/${id}`, { new_name: "n2" }), NO_ADMINISTRATOR);
  }
});

Deno.test("members who may subscribe themselves or others can read a private channel, guests cannot", async () => {
  await using chat = await startChat();
  for (const setting of ["can_subscribe_group", "can_add_subscribers_group"]) {
    const named = { direct_members: [chat.member.id, chat.guest.id, chat.bot.id], direct_subgroups: [] };
    const id = await createChannel(chat, chat.owner, { invite_only: true, [setting]: named });
    for (const user of [chat.member, chat.bot]) {
      assert.equal((await chat.call(user, `GET /streams/${id}`)).body.stream.stream_id, id);
      assertRefusal(await chat.call(user, `PATCH /streams/${id}`, { description: "x" }), NO_ADMINISTRATOR);
    }
    for (const caller of [chat.guest, chat.moderator]) {
      assertRefusal(await chat.call(caller, `GET /streams/${id}`), INVALID_CHANNEL);
    }
  }
});

Deno.test("GET /streams/{stream_id} and DELETE /streams/{stream_id} succeed without parameters", async () => {
  await using chat = await startChat();
  const id = await createChannel(chat, chat.member);
  for (const method of ["GET", "DELETE"]) {
    assert.equal((await chat.call(null, `${method} /streams/${id}`)).status, 401);
    for (const missing of [999999, "99999999999999999999"]) {
      assertRefusal(await chat.call(chat.owner, `${method} /streams/${missing}`), INVALID_CHANNEL);
    }
    assert.equal((await chat.call(chat.owner, `${method} /streams/x`)).status, 404);
  }
  const found = await chat.call(chat.member, `GET /streams/${id}`, { zebra: 1 });
  assertSuccess(found, { stream: found.body.stream, ignored_parameters_unsupported: ["zebra"] });
});
