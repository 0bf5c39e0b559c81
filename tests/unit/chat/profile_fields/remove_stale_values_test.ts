import assert from "node:assert/strict";
import { countValues, removeStaleValues } from "@/lib/chat/people/profile_fields/change_fields.ts";
import { profileKeys } from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { listProfileData, readProfileData } from "@/lib/chat/people/profile_fields/store.ts";
import { readRecord } from "@/lib/store/key.ts";
import { storeField } from "@/tests/casts/profile_fields_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("values of deleted fields and choices are never returned, and removed for hundreds of users", async () => {
  await using chat = await startChat();
  const { chat: app, store } = chat.services;
  const realmId = chat.realm.id;
  const tree = await storeField(chat, "Tree", 3);
  const deletedId = tree.id + 1;
  const key = (userId: number) => profileKeys.valuesOf(realmId, userId);
  for (let userId = 1; userId <= 120; userId++) {
    const stale = { [deletedId]: { value: "x" } };
    const kept = userId % 2 === 0 ? { [tree.id]: { value: "a" } } : { [tree.id]: { value: "c" } };
    await store.kv.set(key(userId), { ...stale, ...kept });
  }
  const current = { [tree.id]: { value: "a" } };
  assert.deepEqual([await readProfileData(app, realmId, 1), await readProfileData(app, realmId, 2)], [
    {},
    current,
  ]);
  const listed = await listProfileData(app, realmId);
  assert.deepEqual([listed.get(1), listed.get(2), listed.get(999)], [{}, current, undefined]);
  assert.equal((await countValues(app, realmId)).get(tree.id)?.people, 60);
  await removeStaleValues(app, realmId);
  await removeStaleValues(app, realmId);
  for (const [userId, record] of [[1, null], [119, null], [2, current], [120, current]] as const) {
    assert.deepEqual(await readRecord(store.kv, key(userId)), record);
  }
});
