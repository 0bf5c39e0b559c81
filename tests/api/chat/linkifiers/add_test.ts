import assert from "node:assert/strict";
import { createLinkifier, listLinkifiers, TICKET } from "@/tests/casts/linkifiers_cast.ts";
import { startChat, type TestParams } from "@/tests/helpers/chat.ts";

const URL = "https://realm.example/f/{id}";

/** Invalid linkifiers with their name or probe, error message and errors by field. */
const REFUSED: readonly (readonly [string, TestParams, string | RegExp, object?])[] = [
  ["B-link-02", { pattern: "", url_template: URL }, "This field cannot be blank."],
  ["blanks", { pattern: " \n ", url_template: " " }, "This field cannot be blank.", {
    pattern: ["This field cannot be blank."],
    url_template: ["This field cannot be blank."],
  }],
  ["B-link-03", { pattern: "(foo", url_template: URL }, /^Bad regular expression: missing.*\(foo$/],
  ["look-ahead", { pattern: "(?=a)(?P<id>a)", url_template: URL }, /^Bad regular expression: ./],
  ["a bomb", { pattern: "((a{1000}){1000}){1000}", url_template: URL }, /^Bad regular expression: ./],
  [
    "B-link-07",
    { url_template: "https://x.example/{hello}" },
    groupMissing("hello", "URL template", "linkifier pattern"),
  ],
  [
    "the first by name",
    { url_template: "{z}{b}{a}" },
    groupMissing("a", "URL template", "linkifier pattern"),
  ],
  [
    "B-link-08",
    { pattern: "TKT-(?P<id>\\d+)-(?P<hello>\\d+)", url_template: "https://x.example/{hello}" },
    groupMissing("id", "linkifier pattern", "URL template"),
  ],
  [
    "a template that is no address",
    { url_template: "$fgfg" },
    groupMissing("id", "linkifier pattern", "URL template"),
  ],
  ["B-link-10", { pattern: "#(?P<id>[123])", url_template: "{id" }, "Invalid URL template.", {
    url_template: ["Invalid URL template."],
  }],
  [
    "B-link-11",
    { pattern: "(?P<bar>x)", url_template: "https://example.com/{bar++}" },
    "Invalid URL template.",
  ],
  ["both at once", { pattern: "(", url_template: "{{}" }, "Invalid URL template."],
  ["B-link-16", { example_input: "zzz" }, "Example input does not match the linkifier pattern.", {
    __all__: ["Example input does not match the linkifier pattern."],
  }],
  ["B-link-18", reversed("tkt-{id}"), "Example text does not match auto-conversion field."],
  ["an open brace", reversed("TKT-{id"), "Invalid auto-conversion field: missing '}' character.", {
    reverse_template: ["Invalid auto-conversion field: missing '}' character."],
  }],
  ["B-link-20", reversed("TKT-{}"), "Invalid auto-conversion field: empty field name."],
  ["B-link-21", reversed("TKT-{x}"), groupMissing("x", "auto-conversion field", "linkifier pattern")],
  [
    "no example",
    { reverse_template: "TKT-{id}" },
    "Example text must be set when auto-conversion field is set.",
  ],
  [
    "an alternative",
    { alternative_url_templates: ["https://y.example/{id}", "{id"] },
    "Invalid URL template.",
    {
      alternative_url_templates: ["Invalid URL template."],
    },
  ],
  [
    "an alternative's group",
    { alternative_url_templates: ["{id}{x}"] },
    groupMissing("x", "URL template", "linkifier pattern"),
  ],
  ["a long pattern", { pattern: "a".repeat(1001) }, "pattern is too long (limit: 1000 characters)"],
  [
    "a long template",
    { url_template: "a".repeat(2001) },
    "url_template is too long (limit: 2000 characters)",
  ],
  ["no list", { alternative_url_templates: "x" }, "alternative_url_templates is not valid JSON"],
  ["no text in it", { alternative_url_templates: [1] }, "alternative_url_templates[0] is not a string"],
  [
    "many alternatives",
    { alternative_url_templates: Array(21).fill("{id}") },
    "alternative_url_templates is too large",
  ],
];

function groupMissing(name: string, from: string, to: string): string {
  return `Group '${name}' in ${from} is not present in ${to}.`;
}

function reversed(reverse_template: string): TestParams {
  return { example_input: "TKT-12", reverse_template };
}

Deno.test("POST /realm/filters refuses invalid linkifiers with errors by field and creates nothing", async () => {
  await using chat = await startChat();
  for (const [name, sent, msg, errors] of REFUSED) {
    const { status, body } = await chat.call(chat.admin, "POST /realm/filters", { ...TICKET, ...sent });
    assert.deepEqual([status, body.code], [400, "BAD_REQUEST"], name);
    if (typeof msg === "string") assert.equal(body.msg, msg, name);
    else assert.match(body.msg, msg, name);
    if (errors !== undefined) assert.deepEqual(body.errors, errors, name);
    else if (body.errors !== undefined) assert.ok(Object.values(body.errors).flat().includes(body.msg), name);
  }
  assert.deepEqual(await listLinkifiers(chat), []);
  assert.deepEqual(await chat.events(), []);
});

Deno.test("POST /realm/filters checks the permission before it requires a pattern and a template (B-link-01)", async () => {
  await using chat = await startChat();
  for (const user of [chat.moderator, chat.member, chat.guest, chat.bot]) {
    const { status, body } = await chat.call(user, "POST /realm/filters");
    assert.equal(status, 400);
    assert.deepEqual([body.code, body.msg], [
      "UNAUTHORIZED_PRINCIPAL",
      "Must be an organization administrator",
    ]);
  }
  assert.equal((await chat.call(null, "POST /realm/filters", TICKET)).status, 401);
  for (const missing of ["pattern", "url_template"]) {
    const sent = Object.fromEntries(Object.entries(TICKET).filter(([name]) => name !== missing));
    const { body } = await chat.call(chat.owner, "POST /realm/filters", sent);
    assert.deepEqual([body.code, body.var_name], ["REQUEST_VARIABLE_MISSING", missing]);
  }
});

Deno.test("POST /realm/filters appends a trimmed linkifier and sends an event to everyone (B-link-15)", async () => {
  await using chat = await startChat();
  const first = await createLinkifier(chat);
  await chat.events();
  const sent = { pattern: "  t(?P<id>\\d+)  ", url_template: ` ${URL} `, unknown: "x" };
  const { body } = await chat.call(chat.admin, "POST /realm/filters", sent);
  const expected = { result: "success", msg: "", id: body.id, ignored_parameters_unsupported: ["unknown"] };
  assert.deepEqual(body, expected);
  assert.ok(body.id > first);
  const rest = { example_input: null, reverse_template: null, alternative_url_templates: [] };
  const all = [
    { id: first, ...TICKET, ...rest },
    { id: body.id, pattern: "t(?P<id>\\d+)", url_template: URL, ...rest },
  ];
  assert.deepEqual(await listLinkifiers(chat), all);
  const [event] = await chat.events();
  assert.deepEqual(event?.event, { type: "realm_linkifiers", realm_linkifiers: all });
  assert.equal(event?.audience, "everyone");
  const registered = await chat.call(chat.guest, "POST /register", {
    fetch_event_types: ["realm_linkifiers"],
    client_capabilities: { linkifier_url_template: true },
  });
  assert.deepEqual(registered.body.realm_linkifiers, all);
});

Deno.test("POST /realm/filters accepts every template operator and percent signs (B-link-12, B-link-13)", async () => {
  await using chat = await startChat();
  await createLinkifier(chat, {
    pattern:
      "FOO_(?P<id>[a-f]{5});(?P<zone>[a-f]);(?P<domain>[a-z]+);(?P<location>[a-z]+);(?P<name>[a-z]{2,8});(?P<chapter>[0-9]{2,3});(?P<fragment>[a-z]{2,8})",
    url_template: "https://zone_{zone}{.domain}.net/ticket{/location}{/id}{?name,chapter}{#fragment:5}",
  });
  await createLinkifier(chat, { pattern: "u-(?P<id>\\d+)", url_template: "https://example.com/%ba/{id}" });
  assert.equal((await listLinkifiers(chat)).length, 2);
});

Deno.test("POST /realm/filters stores an example and the reverse template that produces it (B-link-17)", async () => {
  await using chat = await startChat();
  const valid = { example_input: " see {TKT-12} ", reverse_template: " see {{TKT-{id}}} " };
  await createLinkifier(chat, { ...valid, alternative_url_templates: [" https://y.example/{id} "] });
  await createLinkifier(chat, { pattern: "q(?P<id>\\d+)", example_input: "q12", reverse_template: "q{id}" });
  const [first, second] = await listLinkifiers(chat);
  assert.deepEqual([first.example_input, first.reverse_template], ["see {TKT-12}", "see {{TKT-{id}}}"]);
  assert.deepEqual(first.alternative_url_templates, ["https://y.example/{id}"]);
  assert.deepEqual([second.example_input, second.reverse_template], ["q12", "q{id}"]);
  await createLinkifier(chat, { pattern: "e(?P<id>\\d+)", example_input: "  ", reverse_template: "null" });
  const third = (await listLinkifiers(chat))[2];
  assert.deepEqual([third.example_input, third.reverse_template], [null, null]);
});

Deno.test("POST /realm/filters refuses a pattern that exists in the organization, not one of another organization", async () => {
  await using chat = await startChat();
  await createLinkifier(chat);
  const { status, body } = await chat.call(chat.admin, "POST /realm/filters", TICKET);
  const msg = "Realm filter with this Realm and Pattern already exists.";
  assert.deepEqual([status, body.code, body.msg, body.errors], [400, "BAD_REQUEST", msg, { __all__: [msg] }]);
  await createLinkifier(chat, {}, chat.outsider);
  assert.equal((await listLinkifiers(chat)).length, 1);
  const race = await Promise.all(
    Array.from(
      { length: 8 },
      () => chat.call(chat.owner, "POST /realm/filters", { ...TICKET, pattern: "r(?P<id>1)" }),
    ),
  );
  assert.equal(race.filter(({ status }) => status === 200).length, 1);
});

Deno.test("POST /realm/filters limits the number and total size of an organization's linkifiers", async () => {
  await using chat = await startChat();
  for (let count = 0; count < 200; count++) {
    await createLinkifier(chat, { pattern: `p${count}`, url_template: "https://x.example/" });
  }
  const { body } = await chat.call(chat.admin, "POST /realm/filters", TICKET);
  assert.equal(body.msg, "An organization has 200 linkifiers at most.");
  let message = "";
  for (let count = 0; count < 30 && message === ""; count++) {
    const large = { pattern: `o${count}`, url_template: `https://x.example/${"é€".repeat(900)}` };
    const answer = await chat.call(chat.outsider, "POST /realm/filters", large);
    if (answer.status !== 200) message = answer.body.msg;
  }
  assert.equal(message, "Linkifiers may take 60000 bytes together at most.");
});
