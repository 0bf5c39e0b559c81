import assert from "node:assert/strict";
import { admin } from "@/tests/helpers/command_line.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import type { Sender } from "./messages_traffic.ts";
import { makePeople } from "./polling_client.ts";

/** Scheduled messages of each user. */
const EACH = 60;
/** Seconds until the messages are due: time to schedule all of them. */
const DELAY = 3;

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
    await using one = await TestServer.start({ folder: folder.path });
    await using other = await TestServer.start({ folder: folder.path });
    const due = String(await readTime(one) + DELAY);
    await Promise.all(
      people.flatMap((user, index) =>
        (wanted[index] ?? []).map((content) =>
          call(one, user, "POST /scheduled_messages", {
            ...{ type: "direct", to: `[${user.id}]`, content },
            scheduled_delivery_timestamp: due,
          })
        )
      ),
    );
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
  assert.equal((await admin(server.store, "check")).ok, true);
});
