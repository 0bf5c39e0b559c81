import assert from "node:assert/strict";
import { setOwnValues } from "@/lib/chat/people/profile_fields/change_values.ts";
import { countValues } from "@/lib/chat/people/profile_fields/change_fields.ts";
import { storeField } from "@/tests/casts/profile_fields_cast.ts";
import { callerOf } from "@/tests/casts/user_groups_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("countValues() counts the users with a value of each field and of each choice", async () => {
  await using chat = await startChat();
  const { chat: app } = chat.services;
  const [town, tree, none] = [
    await storeField(chat, "Town", 1),
    await storeField(chat, "Tree", 3),
    await storeField(chat, "No", 4),
  ];
  const setBoth = async (user: typeof chat.member, value: string) =>
    await setOwnValues(app, await callerOf(chat, user), [{ id: tree.id, value }, {
      id: town.id,
      value: "Ulm",
    }]);
  await setBoth(chat.member, "a");
  await setBoth(chat.guest, "b");
  await setBoth(chat.owner, "a");
  const counts = await countValues(app, chat.realm.id);
  assert.deepEqual(counts.get(tree.id), { people: 3, byChoice: new Map([["a", 2], ["b", 1]]) });
  assert.deepEqual(counts.get(town.id), { people: 3, byChoice: new Map() });
  assert.deepEqual(counts.get(none.id), { people: 0, byChoice: new Map() });
  assert.deepEqual(await countValues(app, chat.outsider.realm.id), new Map());
});
