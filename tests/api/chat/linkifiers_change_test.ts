import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { addLinkifier, linkifiersOf, TICKET } from "./linkifiers_cast.ts";

const CHANGES = ["PATCH /realm/filters/1", "DELETE /realm/filters/1", "PATCH /realm/linkifiers"];

Deno.test("everybody with an account is given the linkifiers, and administrators alone change them", async () => {
  await using chat = await startChat();
  const id = await addLinkifier(chat);
  const { owner, admin, moderator, member, guest, bot } = chat;
  for (const who of [owner, admin, moderator, member, guest, bot]) {
    assert.equal((await linkifiersOf(chat, who)).length, 1);
  }
  assert.deepEqual(await linkifiersOf(chat, chat.outsider), []);
  assert.equal((await chat.call(null, "GET /realm/linkifiers")).status, 401);
  await chat.events();
  for (const change of CHANGES.map((path) => path.replace("filters/1", `filters/${id}`))) {
    assert.equal((await chat.call(null, change)).status, 401);
    for (const who of [moderator, member, guest, bot]) {
      const { body } = await chat.call(who, change, { ...TICKET, ordered_linkifier_ids: [id] });
      assert.deepEqual([body.code, body.msg], [
        "UNAUTHORIZED_PRINCIPAL",
        "Must be an organization administrator",
      ]);
    }
  }
  assert.deepEqual(await chat.events(), []);
});

Deno.test("PATCH /realm/filters/{filter_id} changes a linkifier where it stands, and keeps what is not sent", async () => {
  await using chat = await startChat();
  const id = await addLinkifier(chat, { example_input: "TKT-1", reverse_template: "TKT-{id}" });
  const other = await addLinkifier(chat, { pattern: "o(?P<id>\\d)" });
  await chat.events();
  const change = { ...TICKET, url_template: " https://y.example/{id} " };
  const { body } = await chat.call(chat.admin, `PATCH /realm/filters/${id}`, change);
  assert.deepEqual(body, { result: "success", msg: "" });
  const all = await linkifiersOf(chat);
  assert.deepEqual(all.map(({ id }: { id: number }) => id), [id, other]);
  assert.equal(all[0].url_template, "https://y.example/{id}");
  assert.equal(all[0].reverse_template, "TKT-{id}");
  const [event, ...more] = await chat.events();
  assert.deepEqual(event?.event, { type: "realm_linkifiers", realm_linkifiers: all });
  assert.deepEqual([event?.audience, more], ["everyone", []]);
  await chat.call(chat.admin, `PATCH /realm/filters/${id}`, change);
  assert.deepEqual(await chat.events(), [], "nothing is other than before");
  const cleared = { ...change, example_input: "", reverse_template: null };
  assert.equal((await chat.call(chat.admin, `PATCH /realm/filters/${id}`, cleared)).status, 200);
  assert.deepEqual((await linkifiersOf(chat))[0].example_input, null);
});

Deno.test("PATCH /realm/filters/{filter_id} holds to the rules of new linkifiers", async () => {
  await using chat = await startChat();
  const id = await addLinkifier(chat);
  await addLinkifier(chat, { pattern: "o(?P<id>\\d)" });
  const before = await linkifiersOf(chat);
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
  assert.deepEqual(await linkifiersOf(chat), before);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("a linkifier that is not there, or another organization's, is not found", async () => {
  await using chat = await startChat();
  const foreign = await addLinkifier(chat, {}, chat.outsider);
  for (const id of [foreign, 99, 9007199254740991]) {
    for (const method of ["PATCH", "DELETE"]) {
      const { status, body } = await chat.call(chat.owner, `${method} /realm/filters/${id}`, TICKET);
      assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", "Linkifier not found."]);
    }
  }
  assert.equal((await chat.call(chat.owner, "DELETE /realm/filters/x")).status, 404);
  assert.equal((await linkifiersOf(chat, chat.outsider)).length, 1);
});

Deno.test("DELETE /realm/filters/{filter_id} takes a linkifier away, once, and tells everybody", async () => {
  await using chat = await startChat();
  const id = await addLinkifier(chat);
  const other = await addLinkifier(chat, { pattern: "o(?P<id>\\d)" });
  await chat.events();
  const answers = await Promise.all(
    [1, 2, 3].map(() => chat.call(chat.admin, `DELETE /realm/filters/${id}`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
  const all = await linkifiersOf(chat);
  assert.deepEqual(all.map(({ id }: { id: number }) => id), [other]);
  assert.deepEqual((await chat.events()).map(({ event }) => event), [
    { type: "realm_linkifiers", realm_linkifiers: all },
  ]);
  await addLinkifier(chat);
  assert.equal((await linkifiersOf(chat)).length, 2, "its pattern is free again");
});

Deno.test("PATCH /realm/linkifiers puts all linkifiers into another order, and refuses half an order", async () => {
  await using chat = await startChat();
  const ids = [];
  for (const name of ["a", "b", "c"]) ids.push(await addLinkifier(chat, { pattern: `${name}(?P<id>\\d)` }));
  const foreign = await addLinkifier(chat, {}, chat.outsider);
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
  assert.deepEqual((await linkifiersOf(chat)).map(({ id }: { id: number }) => id), [c, a, b]);
  assert.equal((await chat.events()).length, 1);
  await reorder([c, a, b]);
  assert.deepEqual(await chat.events(), [], "the order is as it was");
});
