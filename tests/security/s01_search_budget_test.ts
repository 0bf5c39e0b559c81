import assert from "node:assert/strict";
import { seedMessages } from "@/tests/casts/many_messages_cast.ts";
import { makeChannel, sendDirect, startChat } from "@/tests/casts/messages_cast.ts";
import { type TestChat } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Maximum number of reads of one search, and room for those of the request itself. */
const MAX_READS = 3_100;
/** A search that has to examine each message makes one to three reads of it. */
const MESSAGES = 8000;

/** Returns the result of a request and the number of keys that it read. */
async function countReads<T>(chat: TestChat, work: () => Promise<T>): Promise<{ result: T; reads: number }> {
  const { reads } = chat.services.chat;
  const read = reads.read.bind(reads);
  let count = 0;
  reads.read = (key) => {
    count++;
    return read(key);
  };
  try {
    return { result: await work(), reads: count };
  } finally {
    reads.read = read;
  }
}

/** Starts a chat with many messages, of which the first and the last are in a resolved topic. */
async function startFullChat(): Promise<{ chat: TestChat; ids: readonly number[] }> {
  const chat = await startChat({ env: { SEARCH_MAX_READS: "3000" } });
  const channelId = await makeChannel(chat, "Garden");
  const target = { store: chat.services.store, realmId: chat.realm.id, channelId, senderId: chat.member.id };
  const messages = Array.from({ length: MESSAGES }, (_, at) => ({
    topic: at === 0 || at === MESSAGES - 1 ? "✔ plans" : "plans",
  }));
  return { chat, ids: await seedMessages(target, messages) };
}

Deno.test("S1: requests that search 8,000 messages", async (t) => {
  const { chat, ids } = await startFullChat();
  await using _ = chat;
  await t.step("a search reads a bounded number of messages, says so, and can be continued", async () => {
    const found: number[] = [];
    let anchor: unknown = "newest";
    let [requests, isLimited] = [0, true];
    while (isLimited) {
      const asked = {
        anchor,
        num_before: 50,
        num_after: 0,
        include_anchor: false,
        narrow: [["is", "resolved"]],
      };
      const { result, reads } = await countReads(
        chat,
        () => succeed(chat, chat.owner, "GET /messages", asked),
      );
      assert.ok(reads < MAX_READS, `${reads} reads`);
      found.unshift(...result.messages.map(({ id }: { id: number }) => id));
      isLimited = result.history_limited;
      assert.equal(result.found_oldest, !isLimited);
      assert.equal(result.oldest_searched_id !== undefined, isLimited);
      anchor = result.oldest_searched_id;
      requests++;
    }
    assert.deepEqual(found, [ids[0], ids.at(-1)]);
    assert.ok(requests >= 3, `${requests} requests`);
  });

  await t.step("a search in both directions reads a bounded number of messages", async () => {
    const asked = { anchor: ids[MESSAGES / 2], num_before: 5, num_after: 5, narrow: [["is", "muted"]] };
    const { result, reads } = await countReads(chat, () => succeed(chat, chat.owner, "GET /messages", asked));
    assert.ok(reads < MAX_READS, `${reads} reads`);
    const { history_limited, found_oldest, found_newest, messages } = result;
    assert.deepEqual([history_limited, found_oldest, found_newest, messages], [true, false, false, []]);
    assert.ok(result.oldest_searched_id < result.newest_searched_id);
  });

  await t.step(
    "a flag change by narrow reads a bounded number of messages and can be continued",
    async () => {
      const changed: number[] = [];
      let anchor: unknown = "oldest";
      for (let isEnd = false; !isEnd;) {
        const { result, reads } = await countReads(
          chat,
          () =>
            succeed(chat, chat.owner, "POST /messages/flags/narrow", {
              anchor,
              num_before: 0,
              num_after: 1000,
              include_anchor: false,
              narrow: [["is", "resolved"]],
              op: "add",
              flag: "starred",
            }),
        );
        assert.ok(reads < MAX_READS, `${reads} reads`);
        changed.push(result.updated_count);
        isEnd = result.found_newest;
        anchor = result.last_processed_id;
      }
      assert.ok(changed.length >= 3);
      assert.equal(changed.reduce((sum, count) => sum + count), 2);
      const starred = await succeed(chat, chat.owner, "GET /messages", {
        anchor: "newest",
        num_before: 10,
        num_after: 0,
        narrow: [["is", "starred"]],
      });
      assert.deepEqual(starred.messages.map(({ id }: { id: number }) => id), [ids[0], ids.at(-1)]);
    },
  );

  for (const anchor of [{ anchor: "first_unread" }, { anchor: "date", anchor_date: "2026-11-21" }]) {
    await t.step(
      `a search for the anchor ${anchor.anchor} says that it ended, and can be continued`,
      async () => {
        const last = ids.at(-1) ?? 0;
        const narrow = [["is", "resolved"], { operator: "id", operand: ids[0], negated: true }];
        const ask = (of: object) =>
          countReads(
            chat,
            () => succeed(chat, chat.owner, "GET /messages", { num_before: 0, num_after: 5, narrow, ...of }),
          );
        let { result, reads } = await ask(anchor);
        assert.ok(reads < 2 * MAX_READS, `${reads} reads`);
        assert.ok(result.anchor < last, `the anchor ${result.anchor} is not behind a message that matches`);
        for (let requests = 0; result.history_limited; requests++) {
          assert.deepEqual([result.messages, result.found_newest, requests < 5], [[], false, true]);
          ({ result } = await ask({ anchor: result.newest_searched_id }));
        }
        assert.deepEqual(result.messages.map(({ id }: { id: number }) => id), [last]);
      },
    );
  }

  for (const narrow of [["is", "mentioned"], ["is", "unread"], ["is", "alerted"], ["search", "rose*"]]) {
    await t.step(`a search for ${narrow.join(":")} reads a bounded number of messages`, async () => {
      await sendDirect(chat, chat.member, [chat.owner], "one more");
      const asked = { anchor: "oldest", num_before: 0, num_after: 100, narrow: [narrow] };
      const { reads } = await countReads(chat, () => succeed(chat, chat.admin, "GET /messages", asked));
      assert.ok(reads < MAX_READS, `${reads} reads`);
    });
  }

  await t.step("POST /register reads a bounded number of messages for a user who can see none", async () => {
    const asked = { fetch_event_types: ["message"] };
    const { result, reads } = await countReads(
      chat,
      () => succeed(chat, chat.guest, "POST /register", asked),
    );
    assert.ok(reads < MAX_READS, `${reads} reads`);
    assert.equal(result.max_message_id, -1);
  });
});
