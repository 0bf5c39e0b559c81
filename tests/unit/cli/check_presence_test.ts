import assert from "node:assert/strict";
import { presenceKeys } from "@/lib/chat/people/presence/model.ts";
import { checkPresence } from "@/lib/cli/check_chat.ts";

const record = (user_id: number, update_id: number) => ({
  user_id,
  last_active: null,
  last_connected: 1,
  update_id,
});

Deno.test("checkPresence() reports updates that do not match the users' presence", async () => {
  using kv = await Deno.openKv(":memory:");
  const complaints: string[] = [];
  const check = () => checkPresence(kv, 1, (sentence) => complaints.push(sentence));
  await kv.atomic().set(presenceKeys.presence(1, 7), record(7, 3)).set(presenceKeys.update(1, 3), 7)
    .set(presenceKeys.head, 3).commit();
  await check();
  assert.deepEqual(complaints, []);
  await kv.atomic().set(presenceKeys.presence(1, 8), record(8, 5)).set(presenceKeys.update(1, 2), 7).commit();
  await check();
  assert.deepEqual(complaints, [
    "in its order of reports of presence, 5 is missing, not 8.",
    "in its order of reports of presence, 2 should not exist.",
    "user 8 has presence 5; the last update is 3.",
  ]);
});
