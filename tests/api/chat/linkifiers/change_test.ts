import assert from "node:assert/strict";
import { createLinkifier, listLinkifiers, TICKET } from "@/tests/casts/linkifiers_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";

const CHANGES = ["PATCH /realm/filters/1", "DELETE /realm/filters/1", "PATCH /realm/linkifiers"];

Deno.test("GET /realm/linkifiers lists linkifiers to every user, and only administrators can change them", async () => {
  await using chat = await startChat();
  const id = await createLinkifier(chat);
  const { owner, admin, moderator, member, guest, bot } = chat;
  for (const user of [owner, admin, moderator, member, guest, bot]) {
    assert.equal((await listLinkifiers(chat, user)).length, 1);
  }
  assert.deepEqual(await listLinkifiers(chat, chat.outsider), []);
  assert.equal((await chat.call(null, "GET /realm/linkifiers")).status, 401);
  await chat.events();
  for (const change of CHANGES.map((path) => path.replace("filters/1", `filters/${id}`))) {
    assert.equal((await chat.call(null, change)).status, 401);
    for (const user of [moderator, member, guest, bot]) {
      const { body } = await chat.call(user, change, { ...TICKET, ordered_linkifier_ids: [id] });
      assert.deepEqual([body.code, body.msg], [
        "UNAUTHORIZED_PRINCIPAL",
        "Must be an organization administrator",
      ]);
    }
  }
  assert.deepEqual(await chat.events(), []);
});

Deno.test("PATCH /realm/filters/{filter_id} updates a linkifier in place and keeps omitted fields", async () => {
  await using chat = await startChat();
  const id = await createLinkifier(chat, { example_input: "TKT-1", reverse_template: "TKT-{id}" });
  const other = await createLinkifier(chat, { pattern: "o(?P<id>\\d)" });
  await chat.events();
  const change = { ...TICKET, url_template: " https://y.example/{id} " };
  const { body } = await chat.call(chat.admin, `PATCH /realm/filters/${id}`, change);
  assert.deepEqual(body, { result: "success", msg: "" });
  const all = await listLinkifiers(chat);
  assert.deepEqual(all.map(({ id }: { id: number }) => id), [id, other]);
  assert.equal(all[0].url_template, "https://y.example/{id}");
  assert.equal(all[0].reverse_template, "TKT-{id}");
  const [event, ...more] = await chat.events();
  assert.deepEqual(event?.event, { type: "realm_linkifiers", realm_linkifiers: all });
  assert.deepEqual([event?.audience, more], ["everyone", []]);
  await chat.call(chat.admin, `PATCH /realm/filters/${id}`, change);
  assert.deepEqual(await chat.events(), [], "nothing changed");
  const cleared = { ...change, example_input: "", reverse_template: null };
  assert.equal((await chat.call(chat.admin, `PATCH /realm/filters/${id}`, cleared)).status, 200);
  assert.deepEqual((await listLinkifiers(chat))[0].example_input, null);
});

Deno.test("PATCH /realm/filters/{filter_id} validates like POST /realm/filters", async () => {
  await using chat = await startChat();
  const id = await createLinkifier(chat);
  await createLinkifier(chat, { pattern: "o(?P<id>\\d)" });
  const before = await listLinkifiers(chat);
  await chat.events();
  const refused = [
    [{ pattern: "(" }, /^Bad regular expression: /],
    [{ pattern: "" }, /^This field cannot be blank\.$/],
    [{ url_template: "{" }, /^Invalid URL template\.$/],
    [{ url_template: "{x}" }, /^Group 'x' in URL template is not present in linkifier pattern\.$/],
    [{ example_input: "x" }, /^Example input does not match the linkifier pattern\.$/],
    [{ pattern: "o(?P<id>\\d)" }, /^Realm filter with this Realm and Pattern already exists\.$/],
  ] as const;
  for (const [sent, msg] of refused) {
    const { status, body } = await chat.call(chat.admin, `PATCH /realm/filters/${id}`, {
      ...TICKET,
      ...sent,
    });
    assert.equal(status, 400);
    assert.match(body.msg, msg);
    assert.ok(body.errors !== undefined);
  }
  const missing = await chat.call(chat.admin, `PATCH /realm/filters/${id}`);
  assert.equal(missing.body.msg, "Missing 'pattern' argument");
  assert.deepEqual(await listLinkifiers(chat), before);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("PATCH and DELETE /realm/filters/{filter_id} refuse unknown ids and those of another organization", async () => {
  await using chat = await startChat();
  const foreign = await createLinkifier(chat, {}, chat.outsider);
  for (const id of [foreign, 99, 9007199254740991]) {
    for (const method of ["PATCH", "DELETE"]) {
      const { status, body } = await chat.call(chat.owner, `${method} /realm/filters/${id}`, TICKET);
      assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", "Linkifier not found."]);
    }
  }
  assert.equal((await chat.call(chat.owner, "DELETE /realm/filters/x")).status, 404);
  assert.equal((await listLinkifiers(chat, chat.outsider)).length, 1);
});

Deno.test("DELETE /realm/filters/{filter_id} deletes a linkifier once and sends an event to everyone", async () => {
  await using chat = await startChat();
  const id = await createLinkifier(chat);
  const other = await createLinkifier(chat, { pattern: "o(?P<id>\\d)" });
  await chat.events();
  const answers = await Promise.all(
    [1, 2, 3].map(() => chat.call(chat.admin, `DELETE /realm/filters/${id}`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
  const all = await listLinkifiers(chat);
  assert.deepEqual(all.map(({ id }: { id: number }) => id), [other]);
  assert.deepEqual((await chat.events()).map(({ event }) => event), [
    { type: "realm_linkifiers", realm_linkifiers: all },
  ]);
  await createLinkifier(chat);
  assert.equal((await listLinkifiers(chat)).length, 2, "the pattern can be used again");
});

Deno.test("PATCH /realm/linkifiers reorders all linkifiers and refuses an incomplete order", async () => {
  await using chat = await startChat();
  const ids = [];
  for (const name of ["a", "b", "c"]) {
    ids.push(await createLinkifier(chat, { pattern: `${name}(?P<id>\\d)` }));
  }
  const foreign = await createLinkifier(chat, {}, chat.outsider);
  const [a, b, c] = ids;
  await chat.events();
  const reorder = (order: unknown) =>
    chat.call(chat.admin, "PATCH /realm/linkifiers", { ordered_linkifier_ids: order });
  for (const order of [[a, a, b, c], [a, a]]) {
    assert.equal((await reorder(order)).body.msg, "The ordered list must not contain duplicated linkifiers");
  }
  for (const order of [[], [a, b], [a, b, foreign], [a, b, c, foreign], [a, b, 99]]) {
    const { msg } = (await reorder(order)).body;
    assert.equal(msg, "The ordered list must enumerate all existing linkifiers exactly once");
  }
  assert.equal((await reorder("x")).body.msg, "ordered_linkifier_ids is not valid JSON");
  assert.equal((await reorder(["x"])).body.msg, "ordered_linkifier_ids[0] is not an integer");
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual((await reorder([c, a, b])).body, { result: "success", msg: "" });
  assert.deepEqual((await listLinkifiers(chat)).map(({ id }: { id: number }) => id), [c, a, b]);
  assert.equal((await chat.events()).length, 1);
  await reorder([c, a, b]);
  assert.deepEqual(await chat.events(), [], "the order is unchanged");
});
