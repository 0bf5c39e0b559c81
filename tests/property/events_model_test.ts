import assert from "node:assert/strict";
import { postFiles } from "@/tests/casts/pictures_cast.ts";
import { registerClient } from "@/tests/casts/events_cast.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { ClientModel } from "./client_model.ts";
import { OPERATIONS } from "./client_operations.ts";
import { createDice, dealOperations, type JsonRecord, type Operation, type Stage } from "./client_stage.ts";

/** Environment variables that repeat or widen a run. */
const SEED = Number(Deno.env.get("TEST_SEED") ?? 2);
const ROUNDS = Number(Deno.env.get("EVENTS_ROUNDS") ?? 280);
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

/** A client that knows neither archived channels nor deactivated groups. */
const OLDER = {
  ...REGISTRATION,
  client_capabilities: {
    ...REGISTRATION.client_capabilities,
    include_deactivated_groups: false,
    archived_channels: false,
  },
};

/** Registers a client of a user: its state by events, and the state of a new registration. */
async function follow(chat: TestChat, user: TestUser, registration: typeof REGISTRATION) {
  const register = async (): Promise<JsonRecord> => {
    const { status, body } = await chat.call(user, "POST /register", registration);
    assert.equal(status, 200, JSON.stringify(body));
    await chat.call(user, "DELETE /events", { queue_id: body["queue_id"] });
    return body;
  };
  let client = await registerClient(chat, user, registration);
  let model = new ClientModel(await register());
  const receive = async () => {
    const events = await client.receiveUnlessEnded();
    if (events === null) {
      client = await registerClient(chat, user, registration);
      model = new ClientModel(await register());
      return [{ type: "queue ended" }];
    }
    for (const event of events) model.apply(event);
    return events;
  };
  return {
    receive,
    view: () => model.view(),
    /**
     * Returns a registration as far as the client can know it; stars of inaccessible messages are removed.
     */
    compare: async (registered: JsonRecord) => {
      for (const id of model.messages.listStarsMissingIn(registered)) {
        const { status } = await chat.call(user, `GET /messages/${id}`);
        if (status !== 200) model.messages.dropStar(id);
      }
      return model.toComparable(registered);
    },
    register,
    /** Continues as a client that just registered. */
    restart: (registered: JsonRecord) => model = new ClientModel(registered),
  };
}

type Follower = Awaited<ReturnType<typeof follow>>;

Deno.test("clients that apply events have the state of a new registration, for every role", async () => {
  await using chat = await startChat();
  const dice = createDice(SEED);
  const targets: [TestUser, ...TestUser[]] = [
    await chat.add("ann"),
    await chat.add("ben"),
    await chat.add("cleo", 600),
  ];
  const { owner, admin, moderator, member, guest } = chat;
  const watchers = { admin, moderator, member, guest };
  const clients: Record<string, Follower> = {};
  for (const [name, user] of Object.entries(watchers)) {
    clients[name] = await follow(chat, user, name === "moderator" ? OLDER : REGISTRATION);
  }
  const counts: Record<string, number> = {};
  const done: string[] = [];
  let round = 0;
  let lastMessageId = 0;
  for (const name of dealOperations(Object.keys(OPERATIONS), dice, ROUNDS)) {
    round++;
    const known = clients["admin"]?.view() ?? {};
    const actors: Stage["actors"] = [owner, admin, moderator, member, guest];
    const stage: Stage = { chat, dice, known, targets, actors, lastMessageId };
    const operation = OPERATIONS[name]?.(stage);
    if (operation === undefined) continue;
    // Events of one moment have no order in which all can be delivered at once.
    chat.clock.time += 1000;
    const status = await perform(chat, operation);
    await chat.services.scheduledMessages.sweep();
    await chat.services.reminders.sweep();
    if (status >= 500) assert.fail(await chat.log());
    if (status === 200) counts[name] = (counts[name] ?? 0) + 1;
    done.push(`${status} ${describe(chat, operation)}`);
    for (const [watcher, client] of Object.entries(clients)) {
      const events = await client.receive();
      done.push(...events.map((event) => `   ${watcher} < ${JSON.stringify(event)}`));
      for (const { message } of events) lastMessageId = Math.max(lastMessageId, message?.id ?? 0);
    }
    if (round % CHECK_EVERY !== 0) continue;
    for (const [watcher, client] of Object.entries(clients)) {
      const registered = await client.register();
      const expected = await client.compare(registered);
      assertAgree(client.view(), expected, `seed ${SEED}, ${watcher}, after:\n${done.join("\n")}`);
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

async function perform(chat: TestChat, { user, endpoint, params, files }: Operation): Promise<number> {
  if (files === undefined) return (await chat.call(user, endpoint, params)).status;
  return (await postFiles(chat, user, endpoint.replace("POST ", ""), files)).status;
}

function describe(
  { owner, admin, moderator, member }: TestChat,
  { user, endpoint, params = {} }: Operation,
): string {
  const name = {
    [owner.id]: "owner",
    [admin.id]: "admin",
    [moderator.id]: "moderator",
    [member.id]: "member",
  };
  return `${name[user.id] ?? "guest"} ${endpoint} ${JSON.stringify(params)}`;
}

/** Compares field by field, so that the error names the field that differs. */
function assertAgree(view: JsonRecord, registered: JsonRecord, message: string): void {
  const names = [...new Set([...Object.keys(view), ...Object.keys(registered)])];
  for (const name of names) {
    assert.deepEqual(view[name], registered[name], `${name} differs: ${message}`);
  }
}
