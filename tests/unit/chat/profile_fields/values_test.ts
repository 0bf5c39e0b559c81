import assert from "node:assert/strict";
import { countValues } from "@/lib/chat/profile_fields/count_values.ts";
import { createField } from "@/lib/chat/profile_fields/create.ts";
import { setOwnValues } from "@/lib/chat/profile_fields/own_values.ts";
import { profileKeys } from "@/lib/chat/profile_fields/profile_field.ts";
import { renderValue } from "@/lib/chat/profile_fields/render_value.ts";
import { sweepValues } from "@/lib/chat/profile_fields/sweep_values.ts";
import { listProfileData, readProfileData } from "@/lib/chat/profile_fields/values.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { callerOf } from "@/tests/api/chat/user_groups_cast.ts";

const CHOICES = { a: { text: "Ash", order: "1" }, b: { text: "Birch", order: "2" } };

async function make(chat: TestChat, name: string, field_type: number) {
  return await createField(chat.services.chat, await callerOf(chat, chat.admin), {
    name,
    hint: "",
    field_type,
    field_data: field_type === 3 ? CHOICES : {},
    display_in_profile_summary: false,
    required: false,
    editable_by_user: true,
    use_for_user_matching: false,
  });
}

Deno.test("countValues() counts who has a value of each field, and who has which choice", async () => {
  await using chat = await startChat();
  const { chat: app } = chat.services;
  const [town, tree, none] = [
    await make(chat, "Town", 1),
    await make(chat, "Tree", 3),
    await make(chat, "No", 4),
  ];
  const has = async (who: typeof chat.member, value: string) =>
    await setOwnValues(app, await callerOf(chat, who), [{ id: tree.id, value }, {
      id: town.id,
      value: "Ulm",
    }]);
  await has(chat.member, "a");
  await has(chat.guest, "b");
  await has(chat.owner, "a");
  const counts = await countValues(app, chat.realm.id);
  assert.deepEqual(counts.get(tree.id), { people: 3, byChoice: new Map([["a", 2], ["b", 1]]) });
  assert.deepEqual(counts.get(town.id), { people: 3, byChoice: new Map() });
  assert.deepEqual(counts.get(none.id), { people: 0, byChoice: new Map() });
  assert.deepEqual(await countValues(app, chat.outsider.realm.id), new Map());
});

Deno.test("values of fields and choices that are gone are shown nowhere, and swept of hundreds of people", async () => {
  await using chat = await startChat();
  const { chat: app, store } = chat.services;
  const realmId = chat.realm.id;
  const tree = await make(chat, "Tree", 3);
  const gone = tree.id + 1;
  const key = (userId: number) => profileKeys.valuesOf(realmId, userId);
  for (let userId = 1; userId <= 120; userId++) {
    const stale = { [gone]: { value: "x" } };
    const kept = userId % 2 === 0 ? { [tree.id]: { value: "a" } } : { [tree.id]: { value: "c" } };
    await store.kv.set(key(userId), { ...stale, ...kept });
  }
  const shown = { [tree.id]: { value: "a" } };
  assert.deepEqual([await readProfileData(app, realmId, 1), await readProfileData(app, realmId, 2)], [
    {},
    shown,
  ]);
  const listed = await listProfileData(app, realmId);
  assert.deepEqual([listed.get(1), listed.get(2), listed.get(999)], [{}, shown, undefined]);
  assert.equal((await countValues(app, realmId)).get(tree.id)?.people, 60);
  await sweepValues(app, realmId);
  await sweepValues(app, realmId);
  for (const [userId, record] of [[1, null], [119, null], [2, shown], [120, shown]] as const) {
    assert.deepEqual(await readRecord(store.kv, key(userId)), record);
  }
});

Deno.test("renderValue() renders texts alone, mentions nobody, and shows what would be too long as text", async () => {
  await using chat = await startChat();
  const [short, link] = [await make(chat, "Town", 1), await make(chat, "Site", 5)];
  const viewer = { app: chat.services.chat, realm: chat.realm };
  const render = (text: string) => renderValue(viewer, short, text);
  assert.equal(renderValue(viewer, link, "https://a.example"), null);
  assert.equal(render("*a* & <b>"), "<p><em>a</em> &amp; &lt;b&gt;</p>");
  assert.equal(render("@**all** @**topic**"), "<p>@all @topic</p>");
  const long = "🇧🇦<".repeat(300);
  assert.equal(render(long), `<p>${"🇧🇦&lt;".repeat(300)}</p>`);
});
