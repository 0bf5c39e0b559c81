import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { type ShownPage, signIn, visitPages } from "@/tests/helpers/pages.ts";
import { createField, listFields, setValues } from "@/tests/casts/profile_fields_cast.ts";
import { PAGE, revisionOf, textOf } from "@/tests/casts/admin_profile_fields_cast.ts";

const SAVED = { editable: "true" };

Deno.test("the profile field pages are limited to administrators of the organization", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Phone" });
  const paths = [PAGE, `${PAGE}/new`, `${PAGE}/${id}`, `${PAGE}/${id}/delete`];
  for (const user of [chat.moderator, chat.member, chat.guest]) {
    const visitor = await signIn(chat, user);
    for (const path of paths) assert.equal((await visitor.get(path)).status, 403, path);
    assert.equal((await visitor.post(`${PAGE}/${id}/delete`, { action: "delete" })).status, 403);
  }
  for (const path of paths) assert.equal((await visitPages(chat).get(path)).status, 303);
  const admin = await signIn(chat, chat.admin);
  for (const path of paths) assert.equal((await admin.get(path)).status, 200, path);
  const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  for (const path of paths) {
    const answer = await admin.post(path, { action: "delete", name: "x" }, elsewhere);
    assert.equal(answer.status, 400, path);
    assert.ok(answer.html.includes("sent from another site"));
  }
  assert.equal((await listFields(chat)).length, 1);
  for (const odd of [`${PAGE}/99999`, `${PAGE}/x`, `${PAGE}/99999/delete`]) {
    assert.equal((await admin.get(odd)).status, 404, odd);
  }
  const gone = await admin.post(`${PAGE}/99999`, { action: "save", name: "x" });
  assert.equal(gone.status, 404);
});

Deno.test("fields of another organization are neither shown nor changed", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Phone" });
  const outsider = visitPages(chat, "other.localhost:8000");
  const password = "a quiet garden wall";
  assert.equal((await outsider.post("/login", { username: chat.outsider.email, password })).status, 303);
  assert.ok(!(await outsider.get(PAGE)).html.includes("Phone"));
  assert.equal((await outsider.get(`${PAGE}/${id}`)).status, 404);
  assert.notEqual((await outsider.post(`${PAGE}/${id}/delete`, { action: "delete" })).status, 303);
  assert.equal((await listFields(chat)).length, 1);
});

Deno.test("a field of each type is created by its form, without settings of other types", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  assert.ok((await admin.get(PAGE)).html.includes("There are no profile fields yet."));
  const rest = {
    action: "create",
    hint: "Say it",
    url_pattern: "https://example.com/u/%(username)s",
    account: "custom",
    choice_key: ["", ""],
    choice_text: ["Ash", " "],
    matching: "true",
    ...SAVED,
  };
  for (let type = 1; type <= 8; type++) {
    const sent = { ...rest, field_type: String(type), name: `Field ${type}` };
    const answer = await admin.post(`${PAGE}/new`, sent);
    assert.deepEqual([answer.status, answer.location], [303, PAGE], `${type}: ${answer.html}`);
  }
  const data = [
    "",
    "",
    '{"0":{"text":"Ash","order":"1"}}',
    "",
    "",
    "",
    '{"subtype":"custom","url_pattern":"https://example.com/u/%(username)s"}',
    "",
  ];
  assert.deepEqual(
    (await listFields(chat)).map(({ id: _, order: _order, ...field }) => field),
    data.map((field_data, at) => ({
      name: `Field ${at + 1}`,
      type: at + 1,
      hint: "Say it",
      field_data,
      required: false,
      editable_by_user: true,
      ...(at === 0 || at === 6 ? { use_for_user_matching: true } : {}),
    })),
  );
});

Deno.test("pronouns and known account types have a fixed label and hint", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const page = await admin.get(`${PAGE}/new?type=8`);
  assert.match(page.html, /<a (?=[^>]*data-cancel)[^>]*href="\/admin\/profile-fields"[^>]*>Cancel</);
  assert.ok(/name="name"[^>]*value="Pronouns"/.test(page.html));
  await admin.post(`${PAGE}/new`, { action: "create", field_type: "8", name: "", hint: "" });
  const account = { action: "create", field_type: "7", account: "github", name: "Mine", hint: "Mine" };
  assert.equal((await admin.post(`${PAGE}/new`, account)).status, 303);
  const [pronouns, github] = await listFields(chat);
  assert.equal(pronouns.name, "Pronouns");
  assert.match(pronouns.hint, /refer to you/);
  assert.deepEqual([github.name, github.hint], ["GitHub username", ""]);
  const again = await admin.post(`${PAGE}/new`, account);
  assert.equal(again.status, 400);
  assert.equal(textOf(again.html, "account-problem"), "A field with that label already exists.");

  const { html } = await admin.get(`${PAGE}/${github.id}`);
  assert.ok(!html.includes('name="hint"') && html.includes("cannot be changed"));
  const save = { action: "save", seen: revisionOf(html), name: "Mine", matching: "true" };
  assert.equal((await admin.post(`${PAGE}/${github.id}`, save)).status, 303);
  const after = (await listFields(chat))[1];
  assert.deepEqual([after.name, after.use_for_user_matching, after.editable_by_user], [
    "GitHub username",
    true,
    false,
  ]);
});

Deno.test("all problems are reported at once, each at its field, and input is kept", async () => {
  await using chat = await startChat();
  await createField(chat, { name: "Phone" });
  const admin = await signIn(chat, chat.admin);
  const form = { action: "create", field_type: "7", account: "custom", name: "Phone", hint: "é".repeat(82) };
  const bad = await admin.post(`${PAGE}/new`, { ...form, url_pattern: "https://example.com/me", ...SAVED });
  assert.equal(bad.status, 400);
  assert.equal(textOf(bad.html, "name-problem"), "A field with that label already exists.");
  assert.equal(textOf(bad.html, "hint-problem"), "2 characters over the limit");
  assert.equal(
    textOf(bad.html, "url_pattern-problem"),
    "Include %(username)s exactly once.",
  );
  assert.ok(bad.html.includes("https://example.com/me"));
  const odd = await admin.post(`${PAGE}/new`, { ...form, url_pattern: "ftp://x/%(username)s", hint: "" });
  assert.match(textOf(odd.html, "url_pattern-problem"), /Enter a URL that begins with https/);
  const blank = await admin.post(`${PAGE}/new`, { action: "create", field_type: "1", name: " " });
  assert.equal(textOf(blank.html, "name-problem"), "Label cannot be blank.");
  const long = await admin.post(`${PAGE}/new`, { action: "create", field_type: "1", name: "x".repeat(41) });
  assert.equal(textOf(long.html, "name-problem"), "1 character over the limit");
  const none = await admin.post(`${PAGE}/new`, { action: "create", field_type: "9", name: "x" });
  assert.equal(textOf(none.html, "type-problem"), "Invalid field type.");
  assert.equal((await listFields(chat)).length, 1);
});

Deno.test("a form can be rendered again before saving, and answers a script's request", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const form = { field_type: "7", account: "custom", name: "Garden", hint: "", on_card: "true" };
  const sent = { ...form, url_pattern: "https://example.com/%(username)s" };
  const drawn = await admin.post(`${PAGE}/new`, { ...sent, action: "create", draft: "show" });
  assert.ok(drawn.html.includes("https://example.com/username") && !drawn.html.includes('role="alert"'));
  const script = { "sec-fetch-site": "same-origin", accept: "application/json" };
  const preview = await admin.post(`${PAGE}/new`, { ...sent, action: "preview" }, script);
  const card = (page: ShownPage) => String(JSON.parse(page.html).html).replaceAll(/<[^>]*>/g, " ");
  assert.match(JSON.parse(preview.html).html, /^<div id="field-card">/);
  assert.match(card(preview), /Garden\s+username\s+https:\/\/example\.com\/username/);
  assert.doesNotMatch(card(preview), /Not on the card|Hint:/);
  for (const url_pattern of ["javascript:%(username)s", "https://example.com", "x"]) {
    const page = await admin.post(`${PAGE}/new`, { ...sent, url_pattern, action: "preview" }, script);
    assert.match(card(page), /Garden\s+username\s+$/);
  }
  assert.deepEqual(await listFields(chat), []);
});

Deno.test("the second of two administrators gets a conflict, loses nothing, and can save again", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Phone", hint: "old" });
  const admin = await signIn(chat, chat.admin);
  const owner = await signIn(chat, chat.owner);
  const path = `${PAGE}/${id}`;
  const seen = revisionOf((await admin.get(path)).html);
  const first = await owner.post(path, { action: "save", seen, name: "Phone", hint: "theirs", ...SAVED });
  assert.deepEqual([first.status, first.location], [303, PAGE]);
  for (const draft of ["", "show"]) {
    const second = await admin.post(path, {
      action: "save",
      seen,
      draft,
      name: "Mobile",
      hint: "mine",
      ...SAVED,
    });
    assert.equal(second.status, 400);
    assert.ok(second.html.includes("Someone else changed this") && second.html.includes('value="mine"'));
  }
  const fresh = revisionOf((await admin.get(path)).html);
  const save = {
    action: "save",
    seen: fresh,
    name: "Mobile",
    hint: "mine",
    required: "true",
    on_card: "true",
  };
  assert.equal((await admin.post(path, save)).status, 303);
  const [field] = await listFields(chat);
  assert.deepEqual(
    [field.name, field.hint, field.required, field.editable_by_user, field.display_in_profile_summary],
    ["Mobile", "mine", true, false, true],
  );
});

Deno.test("the preview of a field has the fields of the card in their order", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const ids: string[] = [];
  for (const name of ["First", "Second"]) {
    const { body } = await chat.call(chat.owner, "POST /realm/profile_fields", {
      ...{ field_type: 1, name, display_in_profile_summary: true },
    });
    ids.push(String(body["id"]));
  }
  for (const id of ids) {
    const { html } = await admin.get(`${PAGE}/${id}`);
    const card = /<aside.*<\/aside>/s.exec(html)?.[0] ?? "";
    assert.match(card, /First.*Second/s);
    assert.doesNotMatch(card, /Second.*First/s);
  }
});

Deno.test("at most two fields fit on the card, and types that do not fit cannot be chosen", async () => {
  await using chat = await startChat();
  const ids = [];
  for (const [at, field_type] of [1, 4, 1, 2, 6].entries()) {
    ids.push(await createField(chat, { name: `F${at}`, field_type }));
  }
  const admin = await signIn(chat, chat.admin);
  const set = (id: number | undefined, on: boolean) =>
    admin.post(PAGE, { action: "card", id: String(id), on: String(on) });
  assert.equal((await set(ids[0], true)).status, 303);
  assert.equal((await set(ids[1], true)).status, 303);
  const full = await set(ids[2], true);
  assert.equal(full.status, 400);
  assert.ok(full.html.includes("Only 2 custom profile fields can be displayed"));
  assert.ok(full.html.includes("F0 and F1 are on the card, which shows up to two fields."));
  assert.match(full.html, /aria-label="Card is full: F2"[^>]*aria-describedby="card-full"[^>]*disabled/);
  assert.doesNotMatch(full.html, /(Shown|Not shown|Card is full): F[34]"/);
  assert.equal((await set(ids[0], false)).status, 303);
  assert.equal((await set(ids[2], true)).status, 303);
  const shown = (await listFields(chat)).filter((field) => field.display_in_profile_summary);
  assert.deepEqual(shown.map(({ name }) => name), ["F1", "F2"]);
  const { html } = await admin.get(`${PAGE}/${ids[3]}`);
  assert.ok(!html.includes('name="on_card"'));
});

Deno.test("fields are reordered, counted and deleted with their answers", async () => {
  await using chat = await startChat();
  const [one, two, three] = [
    await createField(chat, { name: "One" }),
    await createField(chat, { name: "Two" }),
    await createField(chat, { name: "Three", hint: "<script>alert(1)</script>" }),
  ];
  await setValues(chat, chat.member, { [two]: "x" });
  await setValues(chat, chat.guest, { [two]: "y" });
  const admin = await signIn(chat, chat.admin);
  const { html } = await admin.get(PAGE);
  assert.match(html, /2 users.*40%/s);
  assert.ok(html.includes("&lt;script>") && !html.includes("<script>alert"));
  await admin.post(PAGE, { action: "move_up", id: String(three) });
  await admin.post(PAGE, { action: "move_down", id: String(one) });
  const names = async () => (await listFields(chat)).map(({ name }) => name).join(" ");
  assert.equal(await names(), "Three One Two");
  const script = { "sec-fetch-site": "same-origin", accept: "application/json" };
  const order = `${two},${one}`;
  const moved = await admin.post(PAGE, { action: "reorder", order, id: String(two) }, script);
  assert.equal(JSON.parse(moved.html).flash, "Field Two moved.");
  assert.equal(await names(), "Two One Three");

  assert.match((await admin.get(`${PAGE}/${two}`)).html, /\/delete">Delete field<.*id="field-form"/s);
  const asked = await admin.get(`${PAGE}/${two}/delete`);
  assert.ok(asked.html.includes("Delete Two?") && asked.html.includes("2 users filled it in."));
  assert.ok((await admin.get(`${PAGE}/${one}/delete`)).html.includes("Nobody has filled it in"));
  const done = await admin.post(`${PAGE}/${two}/delete`, { action: "delete" });
  assert.deepEqual([done.status, done.location], [303, PAGE]);
  assert.equal(await names(), "One Three");
  assert.equal((await admin.post(`${PAGE}/${two}/delete`, { action: "delete" })).status, 404);
});
