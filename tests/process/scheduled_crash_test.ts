import assert from "node:assert/strict";
import { dueQueue, parseDueKey } from "@/lib/chat/organization/collection.ts";
import {
  type ScheduledMessageRecord,
  scheduledMessages,
} from "@/lib/chat/messages/scheduled_messages/model.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { readRecord } from "@/lib/store/key.ts";
import { callCommand } from "@/tests/helpers/command_calls.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import type { Sender } from "./messages_traffic.ts";
import { makePeople } from "./polling_client.ts";

/** Scheduled messages of each user. */
const EACH = 60;
/** Seconds until the messages are due, which no machine needs to schedule all of them. */
const DELAY = 24 * 60 * 60;

async function call(server: TestServer, { authorization }: Sender, endpoint: string, params = {}) {
  const [method = "", path] = endpoint.split(" ");
  const body = new URLSearchParams(params);
  const isGet = method === "GET";
  const response = await server.fetch(`/api/v1${path}${isGet ? `?${body}` : ""}`, {
    method,
    headers: { authorization },
    ...(isGet ? {} : { body }),
  });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

/** Returns the server's time in seconds since 1970 UTC. */
async function readTime(server: TestServer): Promise<number> {
  const health = await server.fetch("/health");
  await health.body?.cancel();
  return Math.floor(Date.parse(health.headers.get("date") ?? "") / 1000);
}

/** Makes all scheduled messages due now. No server of the store may be running. */
async function makeDue(store: string): Promise<void> {
  using kv = await Deno.openKv(store);
  const due = systemClock.now();
  for await (const { key } of kv.list({ prefix: [...dueQueue("scheduled_message")] })) {
    const row = parseDueKey(key);
    const owner = { realm: { id: row.realmId }, actingUser: { id: row.userId } };
    const recordKey = scheduledMessages.key(owner, row.id);
    const record = await readRecord<ScheduledMessageRecord>(kv, recordKey);
    await kv.atomic().delete(key).set(scheduledMessages.dueKey({ ...row, due }), true)
      .set(recordKey, { ...record, due_at: due }).commit();
  }
}

async function listSent(server: TestServer, user: Sender): Promise<string[]> {
  const narrow = JSON.stringify([["sender", user.id]]);
  const params = { anchor: "newest", num_before: "500", num_after: "0", narrow, apply_markdown: "false" };
  const { messages } = await call(server, user, "GET /messages", params);
  return messages.map(({ content }: { content: string }) => content);
}

Deno.test("two servers killed while they send scheduled messages and a third send each of them once", async () => {
  await using folder = await createTestFolder();
  const people = await makePeople(folder.path);
  const [first = assert.fail()] = people;
  const wanted = people.map((user) => Array.from({ length: EACH }, (_, at) => `message ${at} of ${user.id}`));
  {
    await using server = await TestServer.start({ folder: folder.path });
    const due = String(await readTime(server) + DELAY);
    await Promise.all(
      people.flatMap((user, index) =>
        (wanted[index] ?? []).map((content) =>
          call(server, user, "POST /scheduled_messages", {
            ...{ type: "direct", to: `[${user.id}]`, content },
            scheduled_delivery_timestamp: due,
          })
        )
      ),
    );
    assert.equal(await server.stop(), 0);
    await makeDue(server.store);
  }
  {
    await using one = await TestServer.start({ folder: folder.path });
    await using other = await TestServer.start({ folder: folder.path });
    await other.waitFor("a message is sent", () => listSent(other, first), ({ length }) => length > 0);
    await Promise.all([one.kill(), other.kill()]);
  }
  await using server = await TestServer.start({ folder: folder.path });
  for (const [index, user] of people.entries()) {
    const isEmpty = ({ scheduled_messages }: { scheduled_messages: unknown[] }) =>
      scheduled_messages.length === 0;
    await server.waitFor(
      "all messages are sent",
      () => call(server, user, "GET /scheduled_messages"),
      isEmpty,
    );
    assert.deepEqual((await listSent(server, user)).sort(), wanted[index]?.toSorted());
  }
  assert.equal(await server.stop(), 0);
  assert.equal((await callCommand(server.store, "check")).ok, true);
});
