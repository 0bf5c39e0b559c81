import { strict as assert } from "node:assert";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { readIndexedId } from "@/lib/chat/messages/word_index/store.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
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
/** Messages of a round, which the servers begin to index meanwhile. */
const MESSAGES = 330;

/** Asserts that searches find exactly the stored messages, and returns their number. */
async function verifySearches(url: string, ledger: MessageLedger, senders: readonly Sender[]) {
  const found = await Promise.all(senders.map(async (sender) => {
    const stored = await verifyOwn({ ledger, url, sender });
    assert.deepEqual(await verifyOwn({ ledger, url, sender, word: "message" }), stored);
    return stored;
  }));
  const stored = new Set(found.flat());
  const lost = [...ledger.acknowledged.keys()].filter((id) => !stored.has(id));
  assert.deepEqual(lost, [], "acknowledged, and not stored");
}

Deno.test("kill -9 of two servers that index: searches find every message once", async () => {
  const random = seededRandom(readSeed());
  const ledger = new MessageLedger();
  await using folder = await createTestFolder();
  const start = () => TestServer.start({ folder: folder.path });
  const senders = await makePeople(folder.path, SENDERS - 1);
  let channelId = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await using one = await start();
    await using other = await start();
    if (round === 0) ({ channelId } = await makeGarden(one.url, senders));
    await verifySearches(other.url, ledger, senders);
    const clients = [one, other, one, other, one, other].map(({ url }, at) => {
      const sender = senders[at % SENDERS] ?? { id: 0, authorization: "" };
      return sendUntilLost({ ledger, url, sender, others: senders, channelId, random });
    });
    const count = () => ledger.acknowledged.size;
    await killUnderTraffic([one, other], { clients, count, goal: count() + MESSAGES });
    using store = await openSottoStore(one.store);
    assert.deepEqual((await checkChat(store.kv)).problems, []);
    assert.ok(await readIndexedId(store, 1) > 0, "some messages are indexed");
  }
  assert.deepEqual(ledger.surprises, []);
  await using server = await start();
  await verifySearches(server.url, ledger, senders);
});
