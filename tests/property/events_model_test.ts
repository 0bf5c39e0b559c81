import assert from "node:assert/strict";
import { type Heard, listen } from "@/tests/api/chat/events_cast.ts";
import { postFiles } from "@/tests/api/chat/pictures_cast.ts";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { ClientModel } from "./client_model.ts";
import { OPERATIONS } from "./client_operations.ts";
import { createDice, dealt, type Operation, type Stage } from "./client_stage.ts";

/** Set to repeat or to widen a run. */
const SEED = Number(Deno.env.get("TEST_SEED") ?? 2);
const ROUNDS = Number(Deno.env.get("EVENTS_ROUNDS") ?? 420);
const CHECK_EVERY = Number(Deno.env.get("EVENTS_CHECK_EVERY") ?? 6);
const REGISTRATION = {
  client_gravatar: false,
  slim_presence: true,
  apply_markdown: true,
  client_capabilities: Object.fromEntries(
    [
      ...["notification_settings_null", "bulk_message_deletion", "user_avatar_url_field_optional"],
      ...["stream_typing_notifications", "user_settings_object", "linkifier_url_template"],
      ...["include_deactivated_groups", "archived_channels", "empty_topic_name"],
    ].map((name) => [name, true]),
  ),
};

/** A client that knows neither of archived channels nor of deactivated groups. */
const OLDER = {
  ...REGISTRATION,
  client_capabilities: {
    ...REGISTRATION.client_capabilities,
    include_deactivated_groups: false,
    archived_channels: false,
  },
};

/** Somebody's client: what it knows by events, and what it would know if it began anew. */
async function follow(chat: TestChat, who: Person, registration: typeof REGISTRATION) {
  const register = async (): Promise<Heard> => {
    const { status, body } = await chat.call(who, "POST /register", registration);
    assert.equal(status, 200, JSON.stringify(body));
    await chat.call(who, "DELETE /events", { queue_id: body["queue_id"] });
    return body;
  };
  let client = await listen(chat, who, registration);
  let model = new ClientModel(await register());
  const hear = async () => {
    const events = await client.hearUnlessEnded();
    if (events === null) {
      client = await listen(chat, who, registration);
      model = new ClientModel(await register());
      return [{ type: "queue ended" }];
    }
    for (const event of events) model.apply(event);
    return events;
  };
  return {
    hear,
    view: () => model.view(),
    /** A registration as far as the client can know it; stars of what it may not see any more are forgotten. */
    compare: async (registered: Heard) => {
      for (const id of model.messages.starsBeyond(registered)) {
        const { status } = await chat.call(who, `GET /messages/${id}`);
        if (status !== 200) model.messages.dropStar(id);
      }
      return model.comparable(registered);
    },
    register,
    /** Goes on as a client that began just now. */
    restart: (registered: Heard) => model = new ClientModel(registered),
  };
}

type Follower = Awaited<ReturnType<typeof follow>>;

Deno.test("clients that follow events know what a new registration tells, whoever watches", async () => {
  await using chat = await startChat();
  const dice = createDice(SEED);
  const targets: [Person, ...Person[]] = [
    await chat.add("ann"),
    await chat.add("ben"),
    await chat.add("cleo", 600),
  ];
  const { owner, admin, moderator, member, guest } = chat;
  const watchers = { admin, moderator, member, guest };
  const clients: Record<string, Follower> = {};
  for (const [name, who] of Object.entries(watchers)) {
    clients[name] = await follow(chat, who, name === "moderator" ? OLDER : REGISTRATION);
  }
  const counts: Record<string, number> = {};
  const done: string[] = [];
  let round = 0;
  let lastMessageId = 0;
  for (const name of dealt(Object.keys(OPERATIONS), dice, ROUNDS)) {
    round++;
    const known = clients["admin"]?.view() ?? {};
    const actors: Stage["actors"] = [owner, admin, moderator, member, guest];
    const stage: Stage = { chat, dice, known, targets, actors, lastMessageId };
    const operation = OPERATIONS[name]?.(stage);
    if (operation === undefined) continue;
    // Events of one moment are in no order that all can be told in at once.
    chat.clock.time += 1000;
    const status = await perform(chat, operation);
    if (status >= 500) assert.fail(await chat.log());
    if (status === 200) counts[name] = (counts[name] ?? 0) + 1;
    done.push(`${status} ${told(chat, operation)}`);
    for (const [watcher, client] of Object.entries(clients)) {
      const events = await client.hear();
      done.push(...events.map((event) => `   ${watcher} < ${JSON.stringify(event)}`));
      for (const { message } of events) lastMessageId = Math.max(lastMessageId, message?.id ?? 0);
    }
    if (round % CHECK_EVERY !== 0) continue;
    for (const [watcher, client] of Object.entries(clients)) {
      const registered = await client.register();
      const told = await client.compare(registered);
      assertAgree(client.view(), told, `seed ${SEED}, ${watcher}, after:\n${done.join("\n")}`);
      if (dice.below(3) === 0) client.restart(registered);
    }
    done.length = 0;
  }
  const domains = Object.keys(counts).length;
  assert.ok(
    domains >= Object.keys(OPERATIONS).length * 0.6,
    `seed ${SEED}: only ${domains} operations succeeded`,
  );
});

async function perform(chat: TestChat, { who, endpoint, params, files }: Operation): Promise<number> {
  if (files === undefined) return (await chat.call(who, endpoint, params)).status;
  return (await postFiles(chat, who, endpoint.replace("POST ", ""), files)).status;
}

function told(
  { owner, admin, moderator, member }: TestChat,
  { who, endpoint, params = {} }: Operation,
): string {
  const name = {
    [owner.id]: "owner",
    [admin.id]: "admin",
    [moderator.id]: "moderator",
    [member.id]: "member",
  };
  return `${name[who.id] ?? "guest"} ${endpoint} ${JSON.stringify(params)}`;
}

/** Names the parts that differ before it shows them. */
function assertAgree(view: Heard, registered: Heard, message: string): void {
  const names = [...new Set([...Object.keys(view), ...Object.keys(registered)])];
  for (const name of names) {
    assert.deepEqual(view[name], registered[name], `${name} differs: ${message}`);
  }
}
