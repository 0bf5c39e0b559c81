// PATCH /realm/profile_fields, PATCH and DELETE /realm/profile_fields/{field_id}
import assert from "node:assert/strict";
import { profileKeys } from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { updateField } from "@/lib/chat/people/profile_fields/change_fields.ts";
import { readRecord } from "@/lib/store/key.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import {
  CHOICES,
  createField,
  FIELDS,
  listFields,
  readValues,
  setValues,
} from "@/tests/casts/profile_fields_cast.ts";
import { asOtherProcess, assertRefusal, assertSuccess, callerOf } from "@/tests/casts/user_groups_cast.ts";

const LIMIT = "Only 2 custom profile fields can be displayed in the profile summary.";

Deno.test("PATCH /realm/profile_fields/{field_id} changes the sent properties with one event to everyone", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Phone", hint: "old" });
  await chat.events();
  const call = `PATCH ${FIELDS}/${id}`;
  const answer = await chat.call(chat.admin, call, { hint: "new", required: true, field_type: 2 });
  assertSuccess(answer, { ignored_parameters_unsupported: ["field_type"] });
  assertSuccess(await chat.call(chat.admin, call, { hint: "new", name: " Phone " }));
  assertSuccess(await chat.call(chat.admin, call));
  const field = {
    id,
    name: "Phone",
    type: 1,
    hint: "new",
    field_data: "",
    order: id,
    required: true,
    editable_by_user: true,
  };
  assert.deepEqual(await listFields(chat), [field]);
  assert.deepEqual(await chat.events(), [
    { event: { type: "custom_profile_fields", fields: [field] }, audience: "everyone" },
  ]);
  const more = { name: "Mobile", hint: "", editable_by_user: false, use_for_user_matching: true };
  assertSuccess(await chat.call(chat.owner, call, { ...more, display_in_profile_summary: true }));
  assert.deepEqual(await listFields(chat), [
    { ...field, ...more, display_in_profile_summary: true },
  ]);
});

Deno.test("PATCH and DELETE /realm/profile_fields/{field_id} require an administrator of the field's organization", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Phone" });
  await chat.events();
  for (const method of ["PATCH", "DELETE"]) {
    const call = `${method} ${FIELDS}/${id}`;
    for (const user of [chat.moderator, chat.member, chat.guest, chat.bot]) {
      const answer = await chat.call(user, call, { name: "" });
      assertRefusal(answer, "Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL");
    }
    assert.equal((await chat.call(null, call)).status, 401);
    assertRefusal(await chat.call(chat.outsider, call, { name: "x" }), `Field id ${id} not found.`);
    const missing = await chat.call(chat.admin, `${method} ${FIELDS}/99999999`);
    assertRefusal(missing, "Field id 99999999 not found.");
    assert.equal((await chat.call(chat.admin, `${method} ${FIELDS}/first`)).status, 404);
  }
  assert.deepEqual([(await listFields(chat)).length, await chat.events()], [1, []]);
});

Deno.test("PATCH /realm/profile_fields/{field_id} enforces the rules of new fields", async () => {
  await using chat = await startChat();
  const summary = { display_in_profile_summary: true };
  const text = await createField(chat, { name: "Text", ...summary });
  const pick = await createField(chat, { name: "Pick", field_type: 3, field_data: CHOICES, ...summary });
  const people = await createField(chat, { name: "People", field_type: 6 });
  const before = await listFields(chat);
  await chat.events();
  const refusals: [number, object, string][] = [
    [text, { name: " " }, "Label cannot be blank."],
    [text, { name: "x".repeat(41) }, "name is too long (limit: 40 characters)"],
    [text, { hint: "x".repeat(81) }, "hint is too long (limit: 80 characters)"],
    [text, { name: "Pick" }, "A field with that label already exists."],
    [text, { required: "x" }, "required is not valid JSON"],
    [pick, { field_data: {} }, "Field must have at least one choice."],
    [pick, { field_data: { a: { text: "A" } } }, "order key is missing from field_data"],
    [pick, { use_for_user_matching: true }, "Field type not supported for user matching."],
    [people, { ...summary, name: "" }, LIMIT],
  ];
  for (const [id, sent, message] of refusals) {
    assertRefusal(await chat.call(chat.admin, `PATCH ${FIELDS}/${id}`, { ...sent }), message);
  }
  assert.deepEqual([await listFields(chat), await chat.events()], [before, []]);
  // A field that is already in the summary can be added again.
  assertSuccess(await chat.call(chat.admin, `PATCH ${FIELDS}/${pick}`, { ...summary, name: "Picked" }));
  assertSuccess(
    await chat.call(chat.admin, `PATCH ${FIELDS}/${text}`, { display_in_profile_summary: false }),
  );
  const wrongType = await chat.call(chat.admin, `PATCH ${FIELDS}/${people}`, summary);
  assertRefusal(wrongType, "Field type not supported for display in profile summary.");
});

Deno.test("PATCH /realm/profile_fields/{field_id} changes only the flags of built-in external accounts", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { field_type: 7, field_data: { subtype: "twitter" } });
  const call = `PATCH ${FIELDS}/${id}`;
  const custom = { subtype: "custom", url_pattern: "https://a.example/%(username)s" };
  for (
    const sent of [{ name: "Twitter" }, { hint: "x" }, { field_data: custom }, {
      field_data: { subtype: "github" },
    }]
  ) {
    assertRefusal(await chat.call(chat.admin, call, { ...sent }), "Default custom field cannot be updated.");
  }
  const same = { name: "Twitter username", hint: "", field_data: { subtype: "twitter" } };
  assertSuccess(
    await chat.call(chat.admin, call, { ...same, display_in_profile_summary: true, required: true }),
  );
  const [field] = await listFields(chat);
  assert.deepEqual([field.name, field.display_in_profile_summary, field.required], [
    "Twitter username",
    true,
    true,
  ]);
});

Deno.test("PATCH /realm/profile_fields/{field_id} removes the values of deleted choices", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Tree", field_type: 3, field_data: CHOICES });
  await setValues(chat, chat.member, { [id]: "a" });
  await setValues(chat, chat.guest, { [id]: "b" });
  const call = `PATCH ${FIELDS}/${id}`;
  assertSuccess(await chat.call(chat.admin, call, { field_data: { b: CHOICES.b } }));
  assert.deepEqual(await readValues(chat, chat.member), {});
  assert.deepEqual(await readValues(chat, chat.guest), { [id]: { value: "b" } });
  assertSuccess(await chat.call(chat.admin, call, { field_data: CHOICES }));
  assert.deepEqual(await readValues(chat, chat.member), {});
  const { kv } = chat.services.store;
  assert.equal(await readRecord(kv, profileKeys.valuesOf(chat.realm.id, chat.member.id)), null);
});

Deno.test("PATCH /realm/profile_fields/{field_id} restores no value of a recreated choice after an interrupted removal", async () => {
  await using chat = await startChat();
  const { b } = CHOICES;
  const id = await createField(chat, { name: "Tree", field_type: 3, field_data: { b } });
  const { kv } = chat.services.store;
  await kv.set(profileKeys.valuesOf(chat.realm.id, chat.member.id), { [id]: { value: "a" } });
  assertSuccess(await chat.call(chat.admin, `PATCH ${FIELDS}/${id}`, { field_data: CHOICES }));
  assert.deepEqual(await readValues(chat, chat.member), {});
});

Deno.test("DELETE /realm/profile_fields/{field_id} deletes a field and all users' values permanently", async () => {
  await using chat = await startChat();
  const id = await createField(chat, { name: "Phone" });
  const other = await createField(chat, { name: "Town" });
  await setValues(chat, chat.member, { [id]: "1", [other]: "Ulm" });
  await setValues(chat, chat.guest, { [id]: "2" });
  await chat.events();
  assertSuccess(await chat.call(chat.admin, `DELETE ${FIELDS}/${id}`));
  const fields = await listFields(chat);
  assert.deepEqual(fields.map((field) => field.id), [other]);
  assert.deepEqual(await chat.events(), [
    { event: { type: "custom_profile_fields", fields }, audience: "everyone" },
  ]);
  assert.deepEqual(Object.keys(await readValues(chat, chat.member)), [String(other)]);
  const { kv } = chat.services.store;
  assert.equal(await readRecord(kv, profileKeys.valuesOf(chat.realm.id, chat.guest.id)), null);
  assertRefusal(await chat.call(chat.admin, `DELETE ${FIELDS}/${id}`), `Field id ${id} not found.`);
  assert.notEqual(await createField(chat, { name: "Phone" }), id);
  assert.deepEqual(await readValues(chat, chat.guest), {});
});

Deno.test("PATCH /realm/profile_fields reorders all fields; the last position of a repeated id counts", async () => {
  await using chat = await startChat();
  const [a, b, c] = [
    await createField(chat, { name: "a" }),
    await createField(chat, { name: "b" }),
    await createField(chat, { name: "c" }),
  ];
  await chat.events();
  const call = `PATCH ${FIELDS}`;
  for (const order of [[], [a, b], [100, 200, 300], [a, b, b, 99]]) {
    assertRefusal(await chat.call(chat.admin, call, { order }), "Invalid order mapping.");
  }
  assertRefusal(await chat.call(chat.admin, call), "Missing 'order' argument", "REQUEST_VARIABLE_MISSING");
  assertRefusal(await chat.call(chat.admin, call, { order: [a, "b"] }), "order[1] is not an integer");
  const forbidden = await chat.call(chat.member, call, { order: [c, b, a] });
  assertRefusal(forbidden, "Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL");
  assertSuccess(await chat.call(chat.admin, call, { order: [c, a, b] }));
  assertSuccess(await chat.call(chat.admin, call, { order: [c, a, b] }));
  const placed = async () => (await listFields(chat)).map(({ id, order }) => [id, order]);
  assert.deepEqual(await placed(), [[c, 0], [a, 1], [b, 2]]);
  assert.equal((await chat.events()).length, 1);
  assertSuccess(await chat.call(chat.admin, call, { order: [c, a, b, 7777, a] }));
  assert.deepEqual(await placed(), [[c, 0], [b, 2], [a, 4]]);
  const d = await createField(chat, { name: "d" });
  assert.deepEqual((await placed()).at(-1), [d, 5]);
});

Deno.test("parallel updates never put a third field into the summary", async () => {
  await using chat = await startChat();
  const ids = await Promise.all(["a", "b", "c", "d"].map((name) => createField(chat, { name })));
  const caller = await callerOf(chat, chat.admin);
  const toChanges = (isShown: boolean) => ({
    name: undefined,
    hint: undefined,
    field_data: undefined,
    required: undefined,
    editable_by_user: undefined,
    use_for_user_matching: undefined,
    display_in_profile_summary: isShown,
  });
  for (let round = 0; round < 10; round++) {
    const outcomes = await Promise.allSettled(
      ids.map((fieldId) => updateField(asOtherProcess(chat), caller, { fieldId, changes: toChanges(true) })),
    );
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 2);
    const inSummary = (await listFields(chat)).filter((field) => field.display_in_profile_summary);
    assert.equal(inSummary.length, 2);
    for (const { id } of inSummary) {
      await updateField(chat.services.chat, caller, { fieldId: id, changes: toChanges(false) });
    }
  }
});

Deno.test("no value outlives its field when both change in parallel", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  for (let round = 0; round < 15; round++) {
    const id = await createField(chat, { name: `Field ${round}` });
    const data = [{ id, value: "x" }];
    await Promise.all([
      chat.call(chat.member, "PATCH /users/me/profile_data", { data }),
      chat.call(chat.admin, `DELETE ${FIELDS}/${id}`),
      chat.call(chat.guest, "PATCH /users/me/profile_data", { data }),
    ]);
    for (const user of [chat.member, chat.guest]) {
      assert.equal(
        await readRecord(kv, profileKeys.valuesOf(chat.realm.id, user.id)),
        null,
        `round ${round}`,
      );
    }
  }
});
