import assert from "node:assert/strict";
import {
  type ApiResponse,
  startChat,
  type TestChat,
  type TestParams,
  type TestUser,
} from "@/tests/helpers/chat.ts";

const DONE = { result: "success", msg: "" };
const EXAMPLE = { domain: "example.com", allow_subdomains: false };

function add(chat: TestChat, domain: string, allow_subdomains = false): Promise<ApiResponse> {
  return chat.call(chat.owner, "POST /realm/domains", { domain, allow_subdomains });
}

async function domainsOf(chat: TestChat, user: TestUser = chat.owner) {
  return (await chat.call(user, "GET /realm/domains")).body.domains;
}

/** Asserts that a request fails with BAD_REQUEST and this message, changes nothing and sends no event. */
async function assertRefused(chat: TestChat, call: () => Promise<ApiResponse>, msg: string): Promise<void> {
  const before = await domainsOf(chat);
  await chat.events();
  const { status, body } = await call();
  assert.deepEqual([status, body.code, body.msg], [400, "BAD_REQUEST", msg]);
  assert.deepEqual(await domainsOf(chat), before);
  assert.deepEqual(await chat.events(), []);
}

Deno.test("POST /realm/domains adds a domain, GET /realm/domains lists it, and all users get an event", async () => {
  await using chat = await startChat();
  assert.deepEqual((await chat.call(chat.guest, "GET /realm/domains")).body, { ...DONE, domains: [] });
  const sent: TestParams = { domain: "  Example.COM ", allow_subdomains: false, spare: 1 };
  const { status, body } = await chat.call(chat.owner, "POST /realm/domains", sent);
  assert.deepEqual([status, body], [200, { ...DONE, ignored_parameters_unsupported: ["spare"] }]);
  assert.deepEqual(await chat.events(), [
    { event: { type: "realm_domains", op: "add", realm_domain: EXAMPLE }, audience: "everyone" },
  ]);
  const other = { domain: "xn--bcher-kva.example", allow_subdomains: true };
  assert.equal((await add(chat, "Bücher.example", true)).status, 200);
  for (const user of [chat.owner, chat.guest, chat.bot]) {
    assert.deepEqual(await domainsOf(chat, user), [EXAMPLE, other]);
    const registered = await chat.call(user, "POST /register", { fetch_event_types: ["realm_domains"] });
    assert.deepEqual(registered.body.realm_domains, [EXAMPLE, other]);
  }
  assert.deepEqual(await domainsOf(chat, chat.outsider), []);
  assert.equal((await chat.call(null, "GET /realm/domains")).status, 401);
});

Deno.test("POST /realm/domains refuses an invalid or existing domain", async () => {
  await using chat = await startChat();
  await add(chat, "example.com");
  const letters = "Domain can only have letters, numbers, '.' and '-'s.";
  const ends = "Domain cannot start or end with a dot (.)";
  const dashes = "Subdomains cannot start or end with a '-'.";
  const dot = "Domain must have at least one dot (.)";
  const problems: readonly [string, string][] = [
    ["", "Domain can't be empty."],
    ["  ", "Domain can't be empty."],
    ["test", dot],
    ["localhost", dot],
    ["test.", ends],
    [".com", ends],
    ["test...com", "Consecutive '.' are not allowed."],
    ["test.-domain.com", dashes],
    ["test-.com", dashes],
    ["test_domain.com", letters],
    ["a b.com", letters],
    ["me@example.org", letters],
    ["https://example.org/", letters],
    [`${"a".repeat(255)}.com`, "Domain is too long"],
    [`${"ü.".repeat(100_000)}com`, "Domain is too long"],
  ];
  for (const [domain, problem] of problems) {
    await assertRefused(chat, () => add(chat, domain), `Invalid domain: ${problem}`);
  }
  for (const same of ["example.com", "EXAMPLE.com "]) {
    const msg = "The domain example.com is already a part of your organization.";
    await assertRefused(chat, () => add(chat, same), msg);
  }
  const call = (sent: TestParams) => () => chat.call(chat.owner, "POST /realm/domains", sent);
  const bad = { domain: "a.example", allow_subdomains: "maybe" };
  await assertRefused(chat, call(bad), "allow_subdomains is not valid JSON");
  for (
    const [sent, name] of [[{ domain: "a.example" }, "allow_subdomains"], [
      { allow_subdomains: true },
      "domain",
    ]] as const
  ) {
    const { body } = await call(sent)();
    assert.deepEqual([body.code, body.var_name], ["REQUEST_VARIABLE_MISSING", name]);
  }
});

Deno.test("PATCH /realm/domains/{domain} updates whether subdomains count and sends only changes", async () => {
  await using chat = await startChat();
  await add(chat, "example.com");
  await add(chat, "bücher.example");
  await chat.events();
  const patch = (domain: string, sent: TestParams) =>
    chat.call(chat.owner, `PATCH /realm/domains/${domain}`, sent);
  const { status, body } = await patch("Example.com", { allow_subdomains: true });
  assert.deepEqual([status, body], [200, DONE]);
  const changed = { domain: "example.com", allow_subdomains: true };
  assert.deepEqual(await chat.events(), [
    { event: { type: "realm_domains", op: "change", realm_domain: changed }, audience: "everyone" },
  ]);
  assert.equal((await patch("example.com", { allow_subdomains: true })).status, 200);
  assert.deepEqual(await chat.events(), []);
  assert.equal((await patch(encodeURIComponent("bücher.example"), { allow_subdomains: true })).status, 200);
  assert.deepEqual(await domainsOf(chat), [changed, {
    domain: "xn--bcher-kva.example",
    allow_subdomains: true,
  }]);
  const unknown = () => patch("example.org", { allow_subdomains: true });
  await assertRefused(chat, unknown, "No entry found for domain example.org.");
  assert.equal((await patch("example.com", {})).body.code, "REQUEST_VARIABLE_MISSING");
});

Deno.test("DELETE /realm/domains/{domain} removes the domain; removing the last one lifts the restriction", async () => {
  await using chat = await startChat();
  await add(chat, "example.com");
  await add(chat, "example.org");
  await chat.call(chat.owner, "PATCH /realm", { emails_restricted_to_domains: true });
  await chat.events();
  const remove = (domain: string) => chat.call(chat.owner, `DELETE /realm/domains/${domain}`);
  const removed = (domain: string) => ({
    event: { type: "realm_domains", op: "remove", domain },
    audience: "everyone",
  });
  assert.deepEqual((await remove("EXAMPLE.com")).body, DONE);
  assert.deepEqual(await chat.events(), [removed("example.com")]);
  await assertRefused(chat, () => remove("example.com"), "No entry found for domain example.com.");
  assert.equal((await remove("example.org")).status, 200);
  const data = { emails_restricted_to_domains: false };
  assert.deepEqual(await chat.events(), [
    { event: { type: "realm", op: "update_dict", property: "default", data }, audience: "everyone" },
    removed("example.org"),
  ]);
  assert.deepEqual(await domainsOf(chat), []);
  const { body } = await chat.call(chat.member, "POST /register", { fetch_event_types: ["realm"] });
  assert.equal(body.realm_emails_restricted_to_domains, false);
});

Deno.test("only owners change the domains, and only those of their organization", async () => {
  await using chat = await startChat();
  await add(chat, "example.com");
  await chat.events();
  const sent = { domain: "example.net", allow_subdomains: true };
  const calls = [
    "POST /realm/domains",
    "PATCH /realm/domains/example.com",
    "DELETE /realm/domains/example.com",
  ];
  for (const call of calls) {
    for (const user of [chat.admin, chat.moderator, chat.member, chat.guest, chat.bot]) {
      const { status, body } = await chat.call(user, call, sent);
      const refusal = [400, "UNAUTHORIZED_PRINCIPAL", "Must be an organization owner"];
      assert.deepEqual([status, body.code, body.msg], refusal);
    }
    assert.equal((await chat.call(null, call, sent)).status, 401);
  }
  for (const call of calls.slice(1)) {
    const { body } = await chat.call(chat.outsider, call, sent);
    assert.equal(body.msg, "No entry found for domain example.com.");
  }
  assert.deepEqual(await chat.events(), []);
  assert.deepEqual(await domainsOf(chat), [EXAMPLE]);
  assert.equal((await chat.call(chat.outsider, "POST /realm/domains", EXAMPLE)).status, 200);
});

Deno.test("POST /realm/domains keeps all concurrent additions, up to 50 domains", async () => {
  await using chat = await startChat();
  const label = "a".repeat(63);
  const longest = (at: number) =>
    `${String(at).padStart(2, "0")}.${label}.${label}.${label}.${"b".repeat(60)}`;
  const answers = await Promise.all(Array.from({ length: 52 }, (_, at) => add(chat, longest(at))));
  assert.equal(answers.filter(({ status }) => status === 200).length, 50);
  const added: { domain: string }[] = await domainsOf(chat);
  assert.equal(added.length, 50);
  // The domains and the longest texts fit into one record.
  const texts = { description: "🌱".repeat(1000), welcome_message_custom_text: "🌱".repeat(8000) };
  const { status } = await chat.call(chat.owner, "PATCH /realm", texts);
  assert.equal(status, 200);
  await assertRefused(chat, () => add(chat, "one.more.example"), "An organization has 50 domains at most.");
  const twice = await Promise.all(
    [1, 2].map(() => chat.call(chat.owner, `DELETE /realm/domains/${added[7]?.domain}`)),
  );
  assert.deepEqual(twice.map(({ status }) => status).sort(), [200, 400]);
});
