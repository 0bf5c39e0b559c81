// GET /users, GET /users/{user}, GET /users/me, POST /register, PATCH /users/{user}: the values of profile fields
import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import {
  CHOICES,
  createField,
  listFields,
  readValues,
  setValues,
} from "@/tests/casts/profile_fields_cast.ts";
import { assertRefusal, assertSuccess, setActive } from "@/tests/casts/user_groups_cast.ts";

const PATCH = "PATCH /users/me/profile_data";

Deno.test("GET /users, GET /users/{user} and GET /users/me return the values of profile fields", async () => {
  await using chat = await startChat();
  const town = await createField(chat, { name: "Town" });
  const tree = await createField(chat, { name: "Tree", field_type: 3, field_data: CHOICES });
  await setValues(chat, chat.member, { [town]: "Ulm", [tree]: "a" });
  await setValues(chat, chat.owner, { [tree]: "b" });
  const ofMember = { [town]: { value: "Ulm", rendered_value: "<p>Ulm</p>" }, [tree]: { value: "a" } };
  const ofOwner = { [tree]: { value: "b" } };
  const params = { include_custom_profile_fields: true };
  for (
    const sent of [params, {
      ...params,
      user_ids: [chat.member.id, chat.owner.id, chat.bot.id, chat.guest.id],
    }]
  ) {
    const { body } = await chat.call(chat.guest, "GET /users", sent);
    const byId = new Map<number, object>(
      body.members.map((
        user: { user_id: number; profile_data: object },
      ) => [user.user_id, user.profile_data]),
    );
    assert.deepEqual(byId.get(chat.member.id), ofMember);
    assert.deepEqual(byId.get(chat.owner.id), ofOwner);
    assert.deepEqual([byId.get(chat.guest.id), byId.get(chat.bot.id)], [{}, undefined]);
  }
  assert.deepEqual(await readValues(chat, chat.member), ofMember);
  const bare = (await chat.call(chat.guest, `GET /users/${chat.member.id}`)).body.user;
  assert.equal("profile_data" in bare, false);
  assert.deepEqual((await chat.call(chat.member, "GET /users/me")).body.profile_data, ofMember);
  assert.deepEqual((await chat.call(chat.bot, "GET /users/me")).body.profile_data, {});
  const { body } = await chat.call(chat.outsider, "GET /users", params);
  assert.deepEqual(body.members.map((user: { profile_data: object }) => user.profile_data), [{}]);
});

Deno.test("POST /register returns fields, their types, built-in accounts and all users' values", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Town" });
  await setValues(chat, chat.member, { [id]: "Ulm" });
  const register = async (...types: string[]) =>
    (await chat.call(chat.guest, "POST /register", { fetch_event_types: types })).body;
  const state = await register("custom_profile_fields");
  assert.deepEqual(state.custom_profile_fields, await listFields(chat));
  assert.deepEqual(state.custom_profile_field_types.PRONOUNS, { id: 8, name: "Pronouns" });
  assert.deepEqual(
    Object.values<{ id: number }>(state.custom_profile_field_types).map((type) => type.id).sort(),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  assert.deepEqual(Object.keys(state.realm_default_external_accounts), ["twitter", "github"]);
  assert.deepEqual(state.realm_default_external_accounts.github, {
    text: "GitHub",
    url_pattern: "https://github.com/%(username)s",
    name: "GitHub username",
    hint: "",
  });
  const { realm_users } = await register("realm_user");
  const member = realm_users.find((user: { user_id: number }) => user.user_id === chat.member.id);
  assert.deepEqual(member.profile_data, { [id]: { value: "Ulm", rendered_value: "<p>Ulm</p>" } });
  assert.equal("custom_profile_fields" in await register("realm_user"), false);
});

Deno.test("PATCH /users/{user} lets administrators set and clear any user's values", async () => {
  await using chat = await startChat();
  const badge = await createField(chat, { name: "Badge", editable_by_user: false });
  const born = await createField(chat, { name: "Born", field_type: 4 });
  const boss = await createField(chat, { name: "Boss", field_type: 6 });
  const call = `PATCH /users/${chat.guest.id}`;
  await chat.events();
  const profile_data = [{ id: badge, value: "7" }, { id: born, value: "1987-02-28" }, {
    id: boss,
    value: [chat.owner.id],
  }];
  assertSuccess(await chat.call(chat.admin, call, { profile_data }));
  const set = { value: "7", rendered_value: "<p>7</p>" };
  assert.deepEqual((await readValues(chat, chat.guest))[badge], set);
  const [first, ...others] = await chat.events();
  const person = { user_id: chat.guest.id, custom_profile_field: { id: badge, ...set } };
  assert.deepEqual([first?.event["person"], others.length], [person, 2]);
  const cleared = [{ id: badge, value: null }, { id: born, value: "" }, { id: boss, value: [] }];
  assertSuccess(await chat.call(chat.owner, call, { profile_data: cleared }));
  assert.deepEqual(await readValues(chat, chat.guest), {});
  const refusals: [object, string][] = [
    [[{ id: 99999999, value: null }], "Field id 99999999 not found."],
    [[{ id: badge, value: "7" }, { id: born, value: "x" }], "Born is not a date"],
    [[{ id: badge, value: 7 }], "Badge is not a string"],
    [{}, "profile_data is not a list"],
  ];
  for (const [profile_data, message] of refusals) {
    assertRefusal(await chat.call(chat.admin, call, { profile_data, full_name: "Changed" }), message);
  }
  const { body } = await chat.call(chat.member, `GET /users/${chat.guest.id}`);
  assert.deepEqual([body.user.full_name, await readValues(chat, chat.guest)], ["Guest", {}]);
});

Deno.test("PATCH /users/{user} refuses values from other callers and for bots", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Town" });
  const profile_data = [{ id, value: "Ulm" }];
  for (const caller of [chat.moderator, chat.member, chat.guest, chat.bot]) {
    const answer = await chat.call(caller, `PATCH /users/${chat.guest.id}`, { profile_data });
    assertRefusal(answer, "Insufficient permission");
  }
  const own = await chat.call(chat.member, `PATCH /users/${chat.bot.id}`, { profile_data });
  assertRefusal(own, "Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL");
  const bot = await chat.call(chat.admin, `PATCH /users/${chat.bot.id}`, { profile_data });
  assertRefusal(bot, "Bots have no profile fields.");
  const elsewhere = await chat.call(chat.outsider, `PATCH /users/${chat.guest.id}`, { profile_data });
  assertRefusal(elsewhere, "No such user");
  assert.deepEqual(await readValues(chat, chat.guest), {});
});

Deno.test("events with values are only sent to users who can access the user", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Town" });
  const members = chat.realm.first_system_group_id + 5;
  const limit = { can_access_all_users_group: { new: members } };
  const limited = await chat.call(chat.owner, "PATCH /realm", limit);
  assert.equal(limited.status, 200, JSON.stringify(limited.body));
  await chat.events();
  await setValues(chat, chat.member, { [id]: "Ulm" });
  await setValues(chat, chat.guest, { [id]: "Bonn" });
  const audiences = (await chat.events()).map(({ audience }) => audience);
  assert.deepEqual(audiences, ["members", "members", [chat.guest.id]]);
  const { body } = await chat.call(chat.guest, "GET /users", { include_custom_profile_fields: true });
  const people = body.members.filter((user: { is_bot: boolean }) => !user.is_bot);
  assert.deepEqual(people.map((user: { user_id: number }) => user.user_id), [chat.guest.id]);
});

Deno.test("hostile texts are stored unchanged and rendered safely", async () => {
  await using chat = await startChat();
  const [short, long] = [
    await createField(chat, { name: "a" }),
    await createField(chat, { name: "b", field_type: 2 }),
  ];
  const texts = [
    '<img src=x onerror="alert(1)">',
    "[x](javascript:alert(1))",
    "</script><script>alert(1)",
    "@**everyone** @**Owner**",
    "\u202Egnp.exe",
  ];
  for (const text of texts) {
    await setValues(chat, chat.member, { [short]: text, [long]: text });
    const { value, rendered_value } = (await readValues(chat, chat.member))[long];
    assert.equal(value, text);
    assert.doesNotMatch(rendered_value, /<(?:img|script)|href="javascript|user-mention/);
  }
});

Deno.test("values that are too long in total are refused, and the longest HTML fits its event", async () => {
  await using chat = await startChat();
  const ids: number[] = [];
  for (let at = 0; at < 40; at++) ids.push(await createField(chat, { name: `F${at}`, field_type: 2 }));
  const flags = "🇧🇦".repeat(250);
  const [first = 0] = ids;
  await setValues(chat, chat.member, { [first]: flags });
  const { value, rendered_value } = (await readValues(chat, chat.member))[first];
  assert.deepEqual([value, rendered_value.length <= 20_000], [flags, true]);
  const data = ids.map((id) => ({ id, value: flags }));
  const refused = await chat.call(chat.member, PATCH, { data });
  assertRefusal(refused, "These values are too long altogether.");
  assert.deepEqual(Object.keys(await readValues(chat, chat.member)), [String(first)]);
  await setValues(chat, chat.member, Object.fromEntries(ids.slice(0, 20).map((id) => [id, "x".repeat(500)])));
});

Deno.test("values are kept while an account is deactivated", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Town" });
  await setValues(chat, chat.guest, { [id]: "Ulm" });
  await setActive(chat, chat.guest, false);
  const refused = await chat.call(chat.guest, PATCH, { data: [{ id, value: "Bonn" }] });
  assert.equal(refused.status, 401);
  assert.equal((await readValues(chat, chat.guest))[id].value, "Ulm");
});
