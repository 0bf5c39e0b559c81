import assert from "node:assert/strict";
import { createCostlyLinkifiers } from "@/tests/casts/many_linkifiers_cast.ts";
import { seedMessages } from "@/tests/casts/many_messages_cast.ts";
import { makeChannel, startChat } from "@/tests/casts/messages_cast.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";

const LINKIFIERS = 200;
const TOPICS = 150;

/** Starts a chat with costly linkifiers and messages in many topics, each of which one linkifier links. */
async function startCostlyChat(): Promise<TestChat & { readonly channelId: number }> {
  const chat = await startChat();
  await createCostlyLinkifiers(chat, LINKIFIERS);
  const channelId = await makeChannel(chat, "Garden");
  const target = { store: chat.services.store, realmId: chat.realm.id, channelId, senderId: chat.member.id };
  const topic = (at: number) => `a ab1z ${"z a ".repeat(10)}${at}`;
  await seedMessages(target, Array.from({ length: TOPICS }, (_, at) => ({ topic: topic(at) })));
  return { ...chat, channelId };
}

async function countLinked({ call, owner, channelId }: TestChat & { channelId: number }): Promise<number> {
  const asked = { anchor: "newest", num_before: TOPICS, num_after: 0, narrow: [["channel", channelId]] };
  const { messages } = await succeed({ call }, owner, "GET /messages", asked);
  assert.equal(messages.length, TOPICS);
  return messages.filter(({ topic_links }: { topic_links: unknown[] }) => topic_links.length > 0).length;
}

Deno.test("C5: one request finds the links of topics within a budget, and later requests those of the rest", async () => {
  const chat = await startCostlyChat();
  await using _ = chat;
  const first = await countLinked(chat);
  assert.ok(first > 0 && first < TOPICS, `${first} topics have links`);
  let linked = first;
  for (let requests = 1; linked < TOPICS; requests++) {
    const next = await countLinked(chat);
    assert.ok(next > linked, `after ${requests} requests, ${next} topics have links`);
    assert.ok(next - linked <= first + 1, `one more request found ${next - linked}`);
    linked = next;
  }
});
