import assert from "node:assert/strict";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { measureBaseline, readThreadMs } from "@/tests/helpers/event_loop.ts";

/** Largest cost in multiples of a baseline of some 17 ms. */
const MAX_RATIO = 3;
const ATTEMPTS = 5;

Deno.test("a request that names many users or channels costs little, whether they exist or not", async (t) => {
  await using chat = await startChat();
  const { owner, member } = chat;
  const unknown = Array.from({ length: 50_000 }, (_, at) => at + 1000);
  const repeated = Array.from({ length: 50_000 }, () => member.id);
  const members = systemGroupId(chat.realm, "role:members");
  const groups = Array.from({ length: 50_000 }, () => members);
  const rule = { skip_if_already_edited: false };
  const subscriptions = [{ name: "Roses" }];
  const names = Array.from({ length: 50_000 }, (_, at) => `q${at}`);
  const requests = [
    ["POST /users/me/subscriptions", { subscriptions, principals: repeated }, 200],
    ["POST /users/me/subscriptions", { subscriptions, principals: unknown }, 400],
    ["DELETE /users/me/subscriptions", { subscriptions: names }, 400],
    ["POST /users/me/subscriptions", { subscriptions: Array(20_000).fill(subscriptions[0]) }, 400],
    ["POST /user_groups/create", { name: "Pruners", description: "", members: unknown }, 400],
    ["POST /channels/create", { name: "Tulips", subscribers: unknown }, 400],
    ["POST /messages", { type: "direct", to: repeated, content: "Hello" }, 200],
    [
      "PATCH /settings",
      { target_users: { user_ids: unknown, group_ids: [], ...rule }, enter_sends: true },
      400,
    ],
    [
      "PATCH /settings",
      { target_users: { user_ids: repeated, group_ids: [], ...rule }, enter_sends: true },
      200,
    ],
    [
      "PATCH /settings",
      { target_users: { user_ids: [], group_ids: groups, ...rule }, enter_sends: true },
      200,
    ],
  ] as const;
  for (const [endpoint, params, status] of requests) {
    await t.step(`${endpoint} ${status}`, async () => {
      let least = Infinity;
      for (let attempt = 0; attempt < ATTEMPTS && least > MAX_RATIO; attempt++) {
        const baseline = await measureBaseline(readThreadMs);
        const start = readThreadMs();
        const answer = await chat.call(owner, endpoint, params);
        least = Math.min(least, (readThreadMs() - start) / baseline);
        assert.equal(answer.status, status);
      }
      assert.ok(least <= MAX_RATIO, `costs ${least.toFixed(1)} times the baseline`);
    });
  }
});
