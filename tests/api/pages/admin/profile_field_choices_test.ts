import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type ShownPage, signIn, withoutScripts } from "@/tests/helpers/pages.ts";
import { createField, listFields, readValues, setValues } from "@/tests/casts/profile_fields_cast.ts";
import { inputValues, PAGE, revisionOf, textOf } from "@/tests/casts/admin_profile_fields_cast.ts";

const CHOICES = {
  "0": { text: "Oak", order: "2" },
  "7": { text: "Ash", order: "1" },
  x: { text: "Elm", order: "3" },
};

/** Creates a field with three trees; two users chose the oak. */
async function createTreeField(chat: TestChat): Promise<{ id: number; path: string }> {
  const id = await createField(chat, { name: "Tree", field_type: 3, field_data: CHOICES });
  await setValues(chat, chat.member, { [id]: "0" });
  await setValues(chat, chat.guest, { [id]: "0" });
  return { id, path: `${PAGE}/${id}` };
}

function rowsOn({ html }: ShownPage): string[] {
  const texts = inputValues(html, "choice_text");
  return inputValues(html, "choice_key").map((key, at) => `${key}:${texts[at]}`);
}

Deno.test("choices are listed in order with the number of users, and keep their keys", async () => {
  await using chat = await startChat();
  const { path } = await createTreeField(chat);
  const admin = await signIn(chat, chat.admin);
  const page = await admin.get(path);
  assert.deepEqual(rowsOn(page), ["7:Ash", "0:Oak", "x:Elm", ":"]);
  assert.equal(textOf(page.html, "choice-1-people"), "used by 2 users");
  const sent = {
    action: "save",
    seen: revisionOf(page.html),
    name: "Tree",
    choice_key: ["x", "", "0", "7", "7", ""],
    choice_text: ["Elm", "Yew", "Stone oak", "Ash", "Lime", " "],
  };
  const done = await admin.post(path, sent);
  assert.deepEqual([done.status, done.location], [303, PAGE], done.html);
  const [field] = await listFields(chat);
  assert.deepEqual(JSON.parse(field.field_data), {
    "0": { text: "Stone oak", order: "3" },
    "7": { text: "Ash", order: "4" },
    "8": { text: "Yew", order: "2" },
    "9": { text: "Lime", order: "5" },
    x: { text: "Elm", order: "1" },
  });
});

Deno.test("without JavaScript the choice buttons keep input and save nothing", async () => {
  await using chat = await startChat();
  const { path } = await createTreeField(chat);
  const admin = await signIn(chat, chat.admin);
  const seen = revisionOf((await admin.get(path)).html);
  const press = (draft: string) =>
    admin.post(path, {
      action: "save",
      seen,
      draft,
      name: "Typed",
      choice_key: ["7", "0", "x", ""],
      choice_text: ["Ash", "Oak", "Elm", "Birch"],
    });
  const expected = {
    add: ["7:Ash", "0:Oak", "x:Elm", ":Birch", ":"],
    sort: ["7:Ash", ":Birch", "x:Elm", "0:Oak", ":"],
    "move 2 1": ["7:Ash", "x:Elm", "0:Oak", ":Birch", ":"],
    "move 0 1": ["0:Oak", "7:Ash", "x:Elm", ":Birch", ":"],
    "move 0 -1": ["7:Ash", "0:Oak", "x:Elm", ":Birch", ":"],
    "remove 2": ["7:Ash", "0:Oak", ":Birch", ":"],
  };
  for (const [draft, rows] of Object.entries(expected)) {
    const page = await press(draft);
    assert.deepEqual(rowsOn(page), rows, draft);
    assert.ok(inputValues(page.html, "name").includes("Typed"));
    assert.ok(!page.html.includes('role="alert"'), draft);
  }
  const gone = await press("remove 1");
  assert.ok(gone.html.includes("Remove “Oak” and clear it for the 2 users who chose it"));
  const back = await admin.post(path, {
    action: "save",
    seen,
    draft: "restore 0",
    choice_key: ["7", "x", ""],
    choice_text: ["Ash", "Elm", ""],
  });
  assert.deepEqual(rowsOn(back), ["7:Ash", "x:Elm", "0:Oak", ":"]);
  assert.equal((await listFields(chat))[0].name, "Tree");
});

Deno.test("a choice that users selected is removed only after confirmation", async () => {
  await using chat = await startChat();
  const { id, path } = await createTreeField(chat);
  const admin = await signIn(chat, chat.admin);
  const seen = revisionOf((await admin.get(path)).html);
  const form = { action: "save", seen, name: "Tree", choice_key: ["7", "0"], choice_text: ["Ash", " "] };
  for (const drop of [[], ["x"], ["7"]]) {
    const refused = await admin.post(path, { ...form, drop });
    assert.equal(refused.status, 400);
    assert.equal(
      textOf(refused.html, "drop-problem"),
      "Confirm that these choices can be removed, or restore them.",
    );
  }
  assert.equal((await readValues(chat, chat.member))[id].value, "0");
  const done = await admin.post(path, { ...form, drop: ["0"] });
  assert.equal(done.status, 303);
  assert.deepEqual(await readValues(chat, chat.member), {});
  const [field] = await listFields(chat);
  assert.deepEqual(JSON.parse(field.field_data), { "7": { text: "Ash", order: "1" } });
});

Deno.test("no choices, duplicate choices and too many are refused at the list", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const create = async (choice_text: readonly string[]) => {
    const choice_key = choice_text.map(() => "");
    const sent = { action: "create", field_type: "3", name: "", hint: "", choice_key, choice_text };
    const { status, html } = await admin.post(`${PAGE}/new`, sent);
    assert.equal(status, 400);
    assert.equal(textOf(html, "name-problem"), "Label cannot be blank.");
    return textOf(html, "choices-problem");
  };
  assert.equal(await create(["", " "]), "Field must have at least one choice.");
  assert.equal(await create(["Ash", " Ash "]), "“Ash” is in the list twice.");
  const many = Array.from({ length: 201 }, (_, at) => `Tree ${at}`);
  assert.equal(await create(many), "Field can have 200 choices at most.");
});

Deno.test("choices written by others are escaped", async () => {
  await using chat = await startChat();
  const text = '"><script>alert(1)</script>';
  const id = await createField(chat, { name: text, field_type: 3, field_data: { a: { text, order: "1" } } });
  const admin = await signIn(chat, chat.admin);
  for (const path of [PAGE, `${PAGE}/${id}`, `${PAGE}/${id}/delete`]) {
    const { html } = await admin.get(path);
    assert.ok(!withoutScripts(html).includes("<script>"), path);
    assert.ok(!html.includes("alert(1)</script>"), path);
  }
});
