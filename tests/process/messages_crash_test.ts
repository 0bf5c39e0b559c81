import { strict as assert } from "node:assert";
import { admin } from "@/tests/helpers/command_line.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { ask, MessageLedger, type Sender, sendUntilLost, verifyOwn } from "./messages_traffic.ts";
import { readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = 8;
const SENDERS = 4;
const CONNECTIONS_EACH = 3;

function toSender({ user_id, email, api_key }: { user_id: number; email: string; api_key: string }): Sender {
  return { id: user_id, authorization: basic(email, api_key) };
}

/** An organization, its people and a channel that all of them are subscribed to; then the server stops. */
async function prepare(server: TestServer) {
  const owner = ["--owner-email", "owner@example.com", "--owner-name", "Owner"];
  const senders = [toSender(await admin(server.store, "create-realm", "--name", "Gardeners", ...owner))];
  for (let at = 1; at < SENDERS; at++) {
    const made = await admin(
      server.store,
      "create-user",
      "--email",
      `u${at}@example.com`,
      "--name",
      `User ${at}`,
    );
    senders.push(toSender(made));
  }
  const subscribers = JSON.stringify(senders.map(({ id }) => id));
  const reply = await ask(`${server.url}/api/v1/channels/create`, {
    method: "POST",
    headers: { authorization: senders[0]?.authorization ?? "" },
    body: new URLSearchParams({ name: "Garden", subscribers }),
  });
  assert.equal(reply?.status, 200, reply?.text ?? "");
  const { id: channelId }: { id: number } = JSON.parse(reply?.text ?? "{}");
  assert.equal(await server.stop(), 0);
  const { chat } = await admin(server.store, "check");
  return { senders, channelId, announced: Number(chat.messages) };
}

async function verify(url: string, ledger: MessageLedger, senders: readonly Sender[]): Promise<number> {
  assert.deepEqual(ledger.surprises, []);
  const found = (await Promise.all(senders.map((sender) => verifyOwn({ ledger, url, sender })))).flat();
  const there = new Set(found);
  const lost = [...ledger.acknowledged.keys()].filter((id) => !there.has(id));
  assert.deepEqual(lost, [], "acknowledged, and not there");
  return found.length;
}

Deno.test("kill -9 while messages are sent, 8 times: none that was acknowledged is lost, all indexes and counts agree", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const ledger = new MessageLedger();
  const folder = await Deno.makeTempDir();
  try {
    const { senders, channelId, announced } = await (async () => {
      await using server = await TestServer.start({ folder });
      return await prepare(server);
    })();
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder });
      const { url } = server;
      await verify(url, ledger, senders);
      const connections = Array.from({ length: SENDERS * CONNECTIONS_EACH }, (_, at) => {
        const sender = senders[at % SENDERS] ?? { id: 0, authorization: "" };
        return sendUntilLost({ ledger, url, sender, others: senders, channelId, random });
      });
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 400));
      await server.kill();
      await Promise.all(connections);
      const report = await admin(server.store, "check");
      assert.deepEqual([report.ok, report.chat.problems], [true, []]);
    }
    await using server = await TestServer.start({ folder });
    const stored = await verify(server.url, ledger, senders);
    assert.equal((await admin(server.store, "check")).chat.messages, announced + stored);
    assert.ok(ledger.acknowledged.size >= ROUNDS * SENDERS, `${ledger.acknowledged.size} were acknowledged`);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
