// POST /realm/profile_fields, GET /realm/profile_fields
import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import {
  CHOICES,
  createField,
  FIELDS,
  listFields,
  readValues,
  setValues,
} from "@/tests/casts/profile_fields_cast.ts";
import { assertRefusal, assertSuccess } from "@/tests/casts/user_groups_cast.ts";

const POST = "POST /realm/profile_fields";

Deno.test("POST /realm/profile_fields creates a field at the end and notifies everyone", async () => {
  await using chat = await startChat();
  const first = await createField(chat, { name: "Phone" });
  await chat.events();
  const sent = {
    name: "  Tree ",
    hint: " the one you like ",
    field_type: 3,
    field_data: CHOICES,
    display_in_profile_summary: true,
    required: true,
    editable_by_user: false,
  };
  const answer = await chat.call(chat.admin, POST, { ...sent, color: "red" });
  const { id } = answer.body;
  assertSuccess(answer, { id, ignored_parameters_unsupported: ["color"] });
  const phone = {
    id: first,
    name: "Phone",
    type: 1,
    hint: "",
    field_data: "",
    order: first,
    required: false,
    editable_by_user: true,
  };
  const tree = {
    id,
    name: "Tree",
    type: 3,
    hint: " the one you like ",
    field_data: JSON.stringify(CHOICES),
    order: id,
    required: true,
    editable_by_user: false,
    display_in_profile_summary: true,
  };
  assert.deepEqual(await listFields(chat), [phone, tree]);
  assert.deepEqual(await chat.events(), [
    { event: { type: "custom_profile_fields", fields: [phone, tree] }, audience: "everyone" },
  ]);
});

Deno.test("POST /realm/profile_fields checks the caller's role before the parameters", async () => {
  await using chat = await startChat();
  for (const user of [chat.moderator, chat.member, chat.guest, chat.bot]) {
    const answer = await chat.call(user, POST);
    assertRefusal(answer, "Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL");
  }
  assert.equal((await chat.call(null, POST)).status, 401);
  assert.deepEqual([await listFields(chat), await chat.events()], [[], []]);
  for (const [at, user] of [chat.owner, chat.admin, await chat.add("helper", 200, 1)].entries()) {
    assert.equal((await chat.call(user, POST, { name: `Field ${at}`, field_type: 1 })).status, 200);
  }
});

Deno.test("POST /realm/profile_fields refuses each invalid parameter (B-field-03 to 05, 07 to 09)", async () => {
  await using chat = await startChat();
  const missing = await chat.call(chat.admin, POST, { name: "Phone" });
  assertRefusal(missing, "Missing 'field_type' argument", "REQUEST_VARIABLE_MISSING");
  assert.equal(missing.body.var_name, "field_type");
  const refusals: [object, string][] = [
    [{ name: "Phone", field_type: "abc" }, "field_type is not valid JSON"],
    [{ name: "Phone", field_type: '"1"' }, "field_type is not an integer"],
    [{ name: "Phone", field_type: "1.0" }, "field_type is not an integer"],
    [{ name: "   ", field_type: 1 }, "Label cannot be blank."],
    [{ field_type: 1 }, "Label cannot be blank."],
    [{ name: "*".repeat(41), field_type: 1 }, "name is too long (limit: 40 characters)"],
    [{ name: "🌳".repeat(41), field_type: 1 }, "name is too long (limit: 40 characters)"],
    [{ name: "P2", hint: "*".repeat(81), field_type: 1 }, "hint is too long (limit: 80 characters)"],
    [
      { name: "*".repeat(41), hint: "*".repeat(81), field_type: 9 },
      "hint is too long (limit: 80 characters)",
    ],
    [{ name: "P3", field_type: 9 }, "Invalid field type."],
    [{ name: "P3", field_type: 0 }, "Invalid field type."],
    [{ name: "", field_type: 9 }, "Label cannot be blank."],
    [{ name: "P", field_type: 1, required: "yes" }, "required is not valid JSON"],
    [{ name: "P", field_type: 1, editable_by_user: 1 }, "editable_by_user is not a boolean"],
    [{ name: "P", field_type: 3, field_data: "{" }, "field_data is not valid JSON"],
    [{ name: "P", field_type: 1, field_data: "[]" }, "field_data is not a dict"],
  ];
  for (const [sent, message] of refusals) {
    assertRefusal(await chat.call(chat.admin, POST, { ...sent }), message);
  }
  assert.deepEqual([await listFields(chat), await chat.events()], [[], []]);
  await createField(chat, { name: "🌳".repeat(40), hint: "🌳".repeat(80) });
});

Deno.test("POST /realm/profile_fields refuses a label that is taken, case-sensitively (B-field-10)", async () => {
  await using chat = await startChat();
  await createField(chat, { name: "Phone" });
  const taken = await chat.call(chat.admin, POST, { name: " Phone ", field_type: 2 });
  assertRefusal(taken, "A field with that label already exists.");
  await createField(chat, { name: "phone" });
  // Labels are unique within an organization.
  assert.equal((await chat.call(chat.outsider, POST, { name: "Phone", field_type: 1 })).status, 200);
  assert.deepEqual((await listFields(chat, chat.outsider)).map(({ name }) => name), ["Phone"]);
  assert.deepEqual((await listFields(chat)).map(({ name }) => name), ["Phone", "phone"]);
});

Deno.test("POST /realm/profile_fields allows two fields in the summary, and none of type people (B-field-11 to 13)", async () => {
  await using chat = await startChat();
  const summary = { display_in_profile_summary: true };
  const people = await chat.call(chat.admin, POST, { name: "Mentor", field_type: 6, ...summary });
  assertRefusal(people, "Field type not supported for display in profile summary.");
  await createField(chat, { name: "P1", field_type: 2, ...summary });
  await createField(chat, { name: "P2", ...summary });
  const limit = "Only 2 custom profile fields can be displayed in the profile summary.";
  for (const sent of [{ name: "P4", field_type: 1 }, { name: "", field_type: 6 }, { field_type: 9 }]) {
    assertRefusal(await chat.call(chat.admin, POST, { ...sent, ...summary }), limit);
  }
  assertRefusal(
    await chat.call(chat.admin, POST, { name: "P4", field_type: "x", ...summary }),
    "field_type is not valid JSON",
  );
  assert.equal((await listFields(chat)).length, 2);
});

Deno.test("POST /realm/profile_fields refuses invalid choices (B-field-14 to 17, 20)", async () => {
  await using chat = await startChat();
  const a = { text: "A", order: "1" };
  const refusals: [unknown, string][] = [
    [{}, "Field must have at least one choice."],
    [undefined, "Field must have at least one choice."],
    [{ a: { text: "A" } }, "order key is missing from field_data"],
    [{ a: { order: "1" } }, "text key is missing from field_data"],
    [{ a: { ...a, order: "" } }, 'field_data["order"] cannot be blank.'],
    [{ a: { ...a, text: " " } }, 'field_data["text"] cannot be blank.'],
    [{ " ": a }, "'value' cannot be blank."],
    [{ a: { ...a, color: "red" } }, "Unexpected arguments: color"],
    [{ a, b: { text: "A", order: "2" } }, "Field must not have duplicate choices."],
    [{ python: 1 }, 'field_data["python"] is not a dict'],
    [{ 0: { text: "A", order: 1 } }, 'field_data["0"]["order"] is not a string'],
    [{ a: "A" }, "field_data is not a dict"],
    [{ a: null }, 'field_data["a"] is not a dict'],
  ];
  for (const [field_data, message] of refusals) {
    const sent = { field_type: 3, ...(field_data === undefined ? {} : { field_data }) };
    // The data is checked before the label.
    for (const name of ["Pick", ""]) {
      assertRefusal(await chat.call(chat.admin, POST, { name, ...sent }), message);
    }
  }
  assert.deepEqual(await listFields(chat), []);
});

Deno.test("POST /realm/profile_fields refuses invalid external accounts (B-field-21 to 23, 25)", async () => {
  await using chat = await startChat();
  const custom = (url_pattern: unknown) => ({ subtype: "custom", url_pattern });
  const wrong = "URL pattern must contain '%(username)s'.";
  const noUrl = 'field_data["url_pattern"] is not a URL';
  const refusals: [unknown, string][] = [
    [{}, "subtype key is missing from field_data"],
    [{ subtype: "" }, 'field_data["subtype"] cannot be blank.'],
    [{ subtype: "no-such-account" }, "Invalid external account type"],
    [{ subtype: "constructor" }, "Invalid external account type"],
    [{ subtype: "custom" }, "Custom external account must define URL pattern"],
    [custom("x/%(username)s"), noUrl],
    [custom("javascript:%(username)s"), noUrl],
    [custom('https://a.example/%(username)s" onclick=x'), noUrl],
    [custom("https://a.example/"), wrong],
    [custom("https://a.example/%(username)s/%(username)s"), wrong],
    [{ subtype: "twitter", color: "red" }, "Unexpected arguments: color"],
    [
      custom(`https://a.example/%(username)s?${"x".repeat(1024)}`),
      'field_data["url_pattern"] is too long (limit: 1024 characters)',
    ],
  ];
  for (const [field_data, message] of refusals) {
    assertRefusal(await chat.call(chat.admin, POST, { name: "Ext", field_type: 7, field_data }), message);
  }
  const field_data = custom("https://a.example/%(username)s");
  await createField(chat, { name: "Ext", field_type: 7, field_data });
  assert.equal((await listFields(chat))[0].field_data, JSON.stringify(field_data));
});

Deno.test("POST /realm/profile_fields sets label and hint of built-in accounts and creates each only once", async () => {
  await using chat = await startChat();
  const sent = { field_type: 7, field_data: { subtype: "github" } };
  await createField(chat, {
    ...sent,
    name: "*".repeat(99),
    hint: "*".repeat(99),
    use_for_user_matching: true,
  });
  const [field] = await listFields(chat);
  assert.deepEqual([field.name, field.hint, field.field_data], [
    "GitHub username",
    "",
    '{"subtype":"github"}',
  ]);
  assert.equal(field.use_for_user_matching, true);
  assertRefusal(await chat.call(chat.admin, POST, sent), "A field with that label already exists.");
});

Deno.test("POST /realm/profile_fields allows user matching only for short text and external accounts", async () => {
  await using chat = await startChat();
  for (const field_type of [2, 3, 4, 5, 6, 8]) {
    const sent = {
      name: "F",
      field_type,
      field_data: field_type === 3 ? CHOICES : {},
      use_for_user_matching: true,
    };
    assertRefusal(await chat.call(chat.admin, POST, sent), "Field type not supported for user matching.");
  }
  await createField(chat, { name: "F", use_for_user_matching: true });
  assert.equal((await listFields(chat))[0].use_for_user_matching, true);
});

Deno.test("POST /realm/profile_fields ignores data for types without data", async () => {
  await using chat = await startChat();
  for (const field_type of [1, 2, 4, 5, 6, 8]) {
    await createField(chat, { name: `F${field_type}`, field_type, field_data: { x: { y: "z" } } });
  }
  assert.deepEqual([...new Set((await listFields(chat)).map(({ field_data }) => field_data))], [""]);
});

Deno.test("POST /realm/profile_fields refuses more fields and longer choices than the store can hold", async () => {
  await using chat = await startChat();
  const many = (count: number, length: number) =>
    Object.fromEntries(
      Array.from(
        { length: count },
        (_, at) => [`${at}`, { text: `${at} ${"x".repeat(length)}`, order: `${at}` }],
      ),
    );
  const tooMany = await chat.call(chat.admin, POST, { name: "C", field_type: 3, field_data: many(201, 1) });
  assertRefusal(tooMany, "Field can have 200 choices at most.");
  const tooLong = await chat.call(chat.admin, POST, { name: "C", field_type: 3, field_data: many(200, 400) });
  assertRefusal(tooLong, "The profile fields and their choices are too long altogether.");
  await createField(chat, { name: "C", field_type: 3, field_data: many(200, 100) });
  const more = await chat.call(chat.admin, POST, { name: "D", field_type: 3, field_data: many(200, 200) });
  assertRefusal(more, "The profile fields and their choices are too long altogether.");
  for (let at = 1; at < 100; at++) await createField(chat, { name: `F${at}`, hint: "x".repeat(80) });
  const last = await chat.call(chat.admin, POST, { name: "one more", field_type: 1 });
  assertRefusal(last, "An organization can have 100 profile fields at most.");
});

Deno.test("GET /realm/profile_fields returns the fields of the caller's organization to every user", async () => {
  await using chat = await startChat();
  await createField(chat, { name: "</script><img src=x onerror=alert(1)>", hint: '"><b>' });
  assertSuccess(await chat.call(chat.outsider, `GET ${FIELDS}`), { custom_fields: [] });
  for (const user of [chat.guest, chat.bot, chat.member]) {
    assert.equal((await listFields(chat, user))[0].name, "</script><img src=x onerror=alert(1)>");
  }
  assert.equal((await chat.call(null, `GET ${FIELDS}`)).status, 401);
});

Deno.test("the keys of choices may be the names of inherited members", async () => {
  await using chat = await startChat();
  const field_data = '{"__proto__":{"text":"Oak","order":"1"},"toString":{"text":"Elm","order":"2"}}';
  const id = await createField(chat, { name: "Tree", field_type: 3, field_data });
  assert.equal((await listFields(chat)).at(-1)?.field_data, field_data);
  await setValues(chat, chat.member, { [id]: "__proto__" });
  assert.equal((await readValues(chat, chat.member))[id].value, "__proto__");
  const refused = await chat.call(chat.member, "PATCH /users/me/profile_data", {
    data: [{ id, value: "constructor" }],
  });
  assert.equal(refused.status, 400);
});
