// PATCH and DELETE /users/me/profile_data
import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { CHOICES, createField, readValues, setValues } from "@/tests/casts/profile_fields_cast.ts";
import { assertRefusal, assertSuccess, setActive } from "@/tests/casts/user_groups_cast.ts";

const PATCH = "PATCH /users/me/profile_data";
const DELETE = "DELETE /users/me/profile_data";
const FORBIDDEN = "You are not allowed to change this field. Contact an administrator to update it.";

Deno.test("PATCH /users/me/profile_data sets values of all eight types and sends an event for each", async () => {
  await using chat = await startChat();
  const ids: number[] = [];
  for (const field_type of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const field_data = field_type === 3 ? CHOICES : field_type === 7 ? { subtype: "github" } : {};
    ids.push(await createField(chat, { name: `F${field_type}`, field_type, field_data }));
  }
  await chat.events();
  const people = [chat.admin.id, chat.member.id, chat.admin.id];
  const sent = ["**Ulm**", "a\n\nb", "b", "1987-02-28", "https://a.example/x?y#z", people, "octo", "they"];
  const data = ids.map((id, at) => ({ id, value: sent[at] }));
  assertSuccess(await chat.call(chat.member, PATCH, { data, color: "red" }), {
    ignored_parameters_unsupported: ["color"],
  });
  const stored: object[] = [
    { value: "**Ulm**", rendered_value: "<p><strong>Ulm</strong></p>" },
    { value: "a\n\nb", rendered_value: "<p>a</p>\n<p>b</p>" },
    { value: "b" },
    { value: "1987-02-28" },
    { value: "https://a.example/x?y#z" },
    { value: JSON.stringify([chat.admin.id, chat.member.id]) },
    { value: "octo" },
    { value: "they" },
  ];
  assert.deepEqual(
    await readValues(chat, chat.member),
    Object.fromEntries(ids.map((id, at) => [id, stored[at]])),
  );
  const expected = ids.map((id, at) => ({
    event: {
      type: "realm_user",
      op: "update",
      person: { user_id: chat.member.id, custom_profile_field: { id, ...stored[at] } },
    },
    audience: "everyone",
  }));
  assert.deepEqual(await chat.events(), expected);
  // An unchanged value sends no event.
  assertSuccess(await chat.call(chat.member, PATCH, { data }));
  assert.deepEqual(await chat.events(), []);
});

Deno.test("PATCH /users/me/profile_data refuses invalid values and changes nothing", async () => {
  await using chat = await startChat();
  const { bot, outsider } = chat;
  const deactivated = await chat.add("gone");
  await setActive(chat, deactivated, false);
  const make = (name: string, field_type: number, field_data = {}) =>
    createField(chat, { name, field_type, field_data });
  const [short, long] = [await make("Town", 1), await make("About", 2)];
  const [tree, born] = [await make("Tree", 3, CHOICES), await make("Born", 4)];
  const [site, boss] = [await make("Site", 5), await make("Boss", 6)];
  const [code, pronouns] = [await make("GitHub", 7, { subtype: "github" }), await make("Pronouns", 8)];
  const cases: [number, unknown, string][] = [
    [short, "x".repeat(51), "Town is too long (limit: 50 characters)"],
    [short, [1], "Town is not a string"],
    [short, 7, "Town is not a string"],
    [short, { a: 1 }, "Town is not a string"],
    [long, "🌳".repeat(501), "About is too long (limit: 500 characters)"],
    [tree, "c", "'c' is not a valid choice for 'Tree'."],
    [tree, "__proto__", "'__proto__' is not a valid choice for 'Tree'."],
    [born, "a-b-c", "Born is not a date"],
    [born, "1909-3-5", "Born is not a date"],
    [born, "2023-02-29", "Born is not a date"],
    [born, "0000-01-01", "Born is not a date"],
    [born, 123, "Born is not a string"],
    [site, "not URL", "Site is not a URL"],
    [site, "javascript:alert(1)", "Site is not a URL"],
    [site, "https://a.example/\njavascript:x", "Site is not a URL"],
    [site, `https://a.example/${"x".repeat(2048)}`, "Site is too long (limit: 2048 characters)"],
    [boss, "1", "User IDs is not a list"],
    [boss, ["x"], "User IDs[0] is not an integer"],
    [boss, [99999998, chat.member.id, outsider.id], `Invalid user IDs: 99999998, ${outsider.id}`],
    [boss, [deactivated.id], `User with ID ${deactivated.id} is deactivated`],
    [boss, [bot.id], `User with ID ${bot.id} is a bot`],
    [boss, Array.from({ length: 101 }, (_, at) => at), "Boss can name 100 people at most."],
    [code, "x".repeat(51), "GitHub username is too long (limit: 50 characters)"],
    [pronouns, "x".repeat(51), "Pronouns is too long (limit: 50 characters)"],
    [99999999, "x", "Field id 99999999 not found."],
  ];
  await chat.events();
  for (const [id, value, message] of cases) {
    const data = [{ id: short, value: "Ulm" }, { id, value }];
    assertRefusal(await chat.call(chat.member, PATCH, { data }), message);
  }
  assert.deepEqual([await readValues(chat, chat.member), await chat.events()], [{}, []]);
});

Deno.test("PATCH /users/me/profile_data clears a value of any type with an empty one", async () => {
  await using chat = await startChat();
  const types: [number, object, unknown][] = [
    [1, {}, "Ulm"],
    [2, {}, "long"],
    [3, CHOICES, "b"],
    [4, {}, "1987-02-28"],
    [5, {}, "https://a.example/"],
    [6, {}, [chat.admin.id]],
    [7, { subtype: "github" }, "octo"],
    [8, {}, "they"],
  ];
  const ids: number[] = [];
  for (const [field_type, field_data] of types) {
    ids.push(
      await createField(chat, { name: `Field ${field_type}`, field_type, field_data, required: true }),
    );
  }
  for (const empty of ["", []]) {
    const data = ids.map((id, at) => ({ id, value: types[at]?.[2] }));
    assertSuccess(await chat.call(chat.member, PATCH, { data }));
    assert.equal(Object.keys(await readValues(chat, chat.member)).length, 8);
    await chat.events();
    assertSuccess(await chat.call(chat.member, PATCH, { data: ids.map((id) => ({ id, value: empty })) }));
    assert.deepEqual(await readValues(chat, chat.member), {});
    assert.equal((await chat.events()).length, 8);
  }
});

Deno.test("PATCH /users/me/profile_data refuses malformed parameters, bots and anonymous callers", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Town" });
  const missing = await chat.call(chat.member, PATCH);
  assertRefusal(missing, "Missing 'data' argument", "REQUEST_VARIABLE_MISSING");
  const refusals: [unknown, string][] = [
    ["{", "data is not valid JSON"],
    [{}, "data is not a list"],
    [[1], "data[0] is not a dict"],
    [[{ value: "x" }], 'data[0]["id"] field is missing: Field required'],
    [[{ id }], 'data[0]["value"] field is missing: Field required'],
    [[{ id: "1", value: "x" }], 'data[0]["id"] is not an integer'],
    [[{ id, value: null }], 'data[0]["value"] is not a string'],
    [Array.from({ length: 1001 }, () => ({ id, value: "x" })), "data is too large"],
  ];
  for (const [data, message] of refusals) {
    assertRefusal(await chat.call(chat.member, PATCH, { data }), message);
  }
  for (const call of [PATCH, DELETE]) {
    assertRefusal(
      await chat.call(chat.bot, call, { data: [] }),
      "This endpoint does not accept bot requests.",
    );
    assert.equal((await chat.call(null, call, { data: [] })).status, 401);
  }
  assert.deepEqual(await readValues(chat, chat.member), {});
});

Deno.test("PATCH /users/me/profile_data accepts every human user, and only administrators for restricted fields", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Badge", editable_by_user: false });
  const open = await createField(chat, { name: "Town" });
  for (const user of [chat.moderator, chat.member, chat.guest]) {
    const data = [{ id: open, value: "Ulm" }, { id, value: "7" }];
    assertRefusal(await chat.call(user, PATCH, { data }), FORBIDDEN);
    await setValues(chat, user, { [open]: "Ulm" });
    assert.deepEqual(Object.keys(await readValues(chat, user)), [String(open)]);
  }
  for (const user of [chat.owner, chat.admin]) {
    await setValues(chat, user, { [id]: "7" });
    assertSuccess(await chat.call(user, DELETE, { data: [id] }));
  }
  // A field of another organization is unknown.
  const data = [{ id, value: "7" }];
  assertRefusal(await chat.call(chat.outsider, PATCH, { data }), `Field id ${id} not found.`);
  assertRefusal(await chat.call(chat.outsider, DELETE, { data: [id] }), `Field id ${id} not found.`);
});

Deno.test("PATCH /users/me/profile_data clears a field for an empty value and uses the last of several values", async () => {
  await using chat = await startChat();
  const town = await createField(chat, { name: "Town" });
  const boss = await createField(chat, { name: "Boss", field_type: 6 });
  await setValues(chat, chat.member, { [town]: "Ulm", [boss]: [chat.owner.id] });
  await setValues(chat, chat.member, { [town]: "", [boss]: [] });
  assert.deepEqual(await readValues(chat, chat.member), {});
  await chat.events();
  const data = [{ id: town, value: "Ulm" }, { id: town, value: "Bonn" }];
  assertSuccess(await chat.call(chat.member, PATCH, { data }));
  assert.equal((await readValues(chat, chat.member))[town].value, "Bonn");
  assert.equal((await chat.events()).length, 1);
});

Deno.test("DELETE /users/me/profile_data clears values and notifies everyone (B-pdata-01)", async () => {
  await using chat = await startChat();
  const [a, b] = [
    await createField(chat, { name: "a", required: true }),
    await createField(chat, { name: "b" }),
  ];
  await setValues(chat, chat.member, { [a]: "1", [b]: "2" });
  await setValues(chat, chat.guest, { [a]: "3" });
  await chat.events();
  assertSuccess(await chat.call(chat.member, DELETE, { data: [a] }));
  assert.deepEqual(Object.keys(await readValues(chat, chat.member)), [String(b)]);
  assert.deepEqual(Object.keys(await readValues(chat, chat.guest)), [String(a)]);
  const person = { user_id: chat.member.id, custom_profile_field: { id: a, value: null } };
  assert.deepEqual(await chat.events(), [
    { event: { type: "realm_user", op: "update", person }, audience: "everyone" },
  ]);
  // Clearing a missing value succeeds.
  for (const data of [[a], [], [a, a]]) assertSuccess(await chat.call(chat.member, DELETE, { data }));
  assert.deepEqual(await chat.events(), []);
});

Deno.test("DELETE /users/me/profile_data clears all or nothing (B-pdata-03, 04, 07)", async () => {
  await using chat = await startChat();
  const open = await createField(chat, { name: "Town" });
  const closed = await createField(chat, { name: "Badge" });
  await setValues(chat, chat.member, { [open]: "Ulm", [closed]: "7" });
  const change = { editable_by_user: false };
  await chat.call(chat.admin, `PATCH /realm/profile_fields/${closed}`, change);
  const before = await readValues(chat, chat.member);
  await chat.events();
  const refusals: [unknown, string][] = [
    [[99999999], "Field id 99999999 not found."],
    [[open, 99999999, closed], "Field id 99999999 not found."],
    [[open, closed, 99999999], FORBIDDEN],
    [[closed], FORBIDDEN],
    [["1"], "data[0] is not an integer"],
    [open, "data is not a list"],
    ["{", "data is not valid JSON"],
  ];
  for (const [data, message] of refusals) {
    assertRefusal(await chat.call(chat.member, DELETE, { data }), message);
  }
  assertRefusal(await chat.call(chat.member, DELETE), "Missing 'data' argument", "REQUEST_VARIABLE_MISSING");
  assert.deepEqual([await readValues(chat, chat.member), await chat.events()], [before, []]);
});

Deno.test("PATCH /users/me/profile_data applies all of several parallel requests", async () => {
  await using chat = await startChat();
  const ids: number[] = [];
  for (let at = 0; at < 8; at++) ids.push(await createField(chat, { name: `F${at}` }));
  await Promise.all(ids.map((id) => setValues(chat, chat.member, { [id]: "x" })));
  assert.deepEqual(Object.keys(await readValues(chat, chat.member)), ids.map(String));
});
