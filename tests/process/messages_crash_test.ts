import { strict as assert } from "node:assert";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { callCommand } from "@/tests/helpers/command_calls.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { makeGarden, makePeople } from "./polling_client.ts";
import {
  killUnderTraffic,
  MessageLedger,
  type Sender,
  sendUntilLost,
  verifyOwn,
} from "./messages_traffic.ts";
import { readRounds, readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = readRounds(1);
const SENDERS = 4;
const CONNECTIONS_EACH = 3;
/** Most messages that are acknowledged in a round before the kill. */
const MESSAGES = 150;

async function verify(url: string, ledger: MessageLedger, senders: readonly Sender[]): Promise<number> {
  assert.deepEqual(ledger.surprises, []);
  const found = (await Promise.all(senders.map((sender) => verifyOwn({ ledger, url, sender })))).flat();
  const stored = new Set(found);
  const lost = [...ledger.acknowledged.keys()].filter((id) => !stored.has(id));
  assert.deepEqual(lost, [], "acknowledged, and not stored");
  return found.length;
}

/** Checks the store of a killed or idle server, as `check` does; returns the number of messages. */
async function checkStore(store: string): Promise<number> {
  using kv = await Deno.openKv(store);
  const { problems, messages } = await checkChat(kv);
  assert.deepEqual(problems, []);
  return messages;
}

Deno.test("kill -9 while messages are sent: no acknowledged message is lost, all indexes and counts agree", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const ledger = new MessageLedger();
  const folder = await Deno.makeTempDir();
  try {
    const senders = await makePeople(folder, SENDERS - 1);
    let [channelId, announced] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder });
      const { url } = server;
      if (round === 0) {
        ({ channelId } = await makeGarden(url, senders));
        announced = await checkStore(server.store);
      }
      await verify(url, ledger, senders);
      const clients = Array.from({ length: SENDERS * CONNECTIONS_EACH }, (_, at) => {
        const sender = senders[at % SENDERS] ?? { id: 0, authorization: "" };
        return sendUntilLost({ ledger, url, sender, others: senders, channelId, random });
      });
      const count = () => ledger.acknowledged.size;
      const goal = count() + SENDERS + Math.floor(random() * MESSAGES);
      await killUnderTraffic([server], { clients, count, goal });
      await checkStore(server.store);
    }
    await using server = await TestServer.start({ folder });
    const stored = await verify(server.url, ledger, senders);
    const { ok, chat } = await callCommand(server.store, "check");
    assert.deepEqual([ok, chat.messages], [true, announced + stored]);
    assert.ok(ledger.acknowledged.size >= ROUNDS * SENDERS, `${ledger.acknowledged.size} were acknowledged`);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
