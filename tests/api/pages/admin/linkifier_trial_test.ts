import assert from "node:assert/strict";
import { MAX_TRIED_MESSAGES, tryLinkifier } from "@/lib/chat/messages/try_linkifier.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

const PATTERN = "bed-(?P<id>[0-9]+)";
const URL_TEMPLATE = "https://garden.example/beds/{id}";

async function createChannel(chat: TestChat, name: string, isPrivate = false): Promise<void> {
  const { status } = await chat.call(chat.owner, "POST /channels/create", {
    name,
    subscribers: [chat.owner.id],
    invite_only: isPrivate,
  });
  assert.equal(status, 200);
}

async function send(chat: TestChat, to: string | number[], content: string): Promise<void> {
  chat.clock.time += 1000;
  const target = typeof to === "string" ? { type: "stream", to, topic: "beds" } : { type: "direct", to };
  const { status, body } = await chat.call(chat.owner, "POST /messages", { ...target, content });
  assert.equal(status, 200, JSON.stringify(body));
}

function toPath(values: Readonly<Record<string, string>>): string {
  return `/admin/linkifiers/messages?${new URLSearchParams(values)}`;
}

/** Returns the listed messages as text, newest first. */
function messagesIn(html: string): string[] {
  const list = html.split('id="trial-title"')[1] ?? "";
  return [...list.matchAll(/<p dir="auto"[^>]*>(.*?)<\/p>/gs)].map(([, text = ""]) =>
    text.replaceAll(/<[^>]*>/g, "")
  );
}

Deno.test("a linkifier that is not stored is tried on recent messages of public channels only", async () => {
  await using chat = await startChat();
  await createChannel(chat, "garden");
  await createChannel(chat, "secret", true);
  await send(chat, "garden", "Water bed-7 and bed-8, <b>please</b>");
  await send(chat, "garden", "Nothing to do");
  await send(chat, "secret", "bed-9 is private");
  await send(chat, [chat.admin.id], "bed-10 is direct");
  await send(chat, "garden", `${"x ".repeat(100)}bed-11${" y".repeat(100)}`);
  const admin = await signIn(chat, chat.admin);
  const { status, html } = await admin.get(toPath({ pattern: PATTERN, url_template: URL_TEMPLATE }));
  assert.equal(status, 200);
  assert.deepEqual(messagesIn(html), [
    `…${"x ".repeat(40)}bed-11${" y".repeat(40)}…`,
    "Water bed-7 and bed-8, &lt;b>please&lt;/b>",
  ]);
  assert.match(html, /2 messages with links/);
  // The notice that the channel was created is a message as well.
  assert.match(html, /4 messages were searched\./);
  assert.match(html, /href="https:\/\/garden\.example\/beds\/8"/);
  assert.match(html, /#garden.*beds.*Owner/s);
  assert.doesNotMatch(html, /bed-9|bed-10/);
  const { body } = await chat.call(chat.owner, "GET /realm/linkifiers");
  assert.deepEqual(body.linkifiers, []);
});

Deno.test("a stored linkifier is tried at its position, after those that come first", async () => {
  await using chat = await startChat();
  await createChannel(chat, "garden");
  await send(chat, "garden", "bed-7 and tool-8");
  const ids: number[] = [];
  for (const pattern of [PATTERN, "(?P<id>[a-z]+-[0-9]+)"]) {
    const { body } = await chat.call(chat.owner, "POST /realm/filters", {
      pattern,
      url_template: URL_TEMPLATE,
    });
    ids.push(body.id);
  }
  const admin = await signIn(chat, chat.admin);
  const values = { pattern: "(?P<id>[a-z]+-[0-9]+)", url_template: URL_TEMPLATE, linkifier: String(ids[1]) };
  const { html } = await admin.get(toPath(values));
  assert.match(html, /href="https:\/\/garden\.example\/beds\/tool-8"/);
  assert.doesNotMatch(html, /href="https:\/\/garden\.example\/beds\/bed-7"/);
  // The editor gets the same values back.
  const edit = /href="(\/admin\/linkifiers\/\d+\?[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  assert.ok(edit.startsWith(`/admin/linkifiers/${ids[1]}?`), edit);
  assert.match((await admin.get(edit)).html, /\(\?P&lt;id>\[a-z\]\+-\[0-9\]\+\)/);
});

Deno.test("a linkifier with problems is not tried, and the page names them at their fields", async () => {
  await using chat = await startChat();
  await createChannel(chat, "garden");
  await send(chat, "garden", "bed-7");
  const admin = await signIn(chat, chat.admin);
  const empty = await admin.get("/admin/linkifiers/messages");
  assert.equal(empty.status, 200);
  assert.doesNotMatch(empty.html, /were searched|aria-invalid="true"/);
  for (
    const [values, field] of [
      [{ pattern: "bed-(", url_template: URL_TEMPLATE }, "pattern"],
      [{ pattern: PATTERN, url_template: "https://garden.example/{" }, "url_template"],
      [{ pattern: "x".repeat(10_000), url_template: URL_TEMPLATE }, "pattern"],
    ] as const
  ) {
    const { status, html } = await admin.get(toPath(values));
    assert.equal(status, 200);
    assert.match(
      html,
      new RegExp(`aria-invalid="true"[^>]*name="${field}"|name="${field}"[^>]*aria-invalid="true"`),
    );
    assert.doesNotMatch(html, /searched\./);
  }
  const unknown = await admin.get(
    toPath({ pattern: PATTERN, url_template: "https://garden.example/{other}" }),
  );
  assert.match(unknown.html, /role="alert"[^>]*>[^<]*other/);
  assert.doesNotMatch(unknown.html, /searched\./);
  const other = await admin.get(toPath({ pattern: "zzz(?P<id>[0-9])", url_template: URL_TEMPLATE }));
  assert.match(other.html, /No recent message matches\..*2 messages were searched\./s);
});

Deno.test("trials of linkifiers are limited to administrators and in number", async () => {
  await using chat = await startChat({
    env: { RATE_LIMITS: JSON.stringify({ linkifier_trial: { points: 2, seconds: 60 } }) },
  });
  const path = toPath({ pattern: PATTERN, url_template: URL_TEMPLATE });
  assert.equal((await (await signIn(chat, chat.member)).get(path)).status, 403);
  const admin = await signIn(chat, chat.admin);
  const statuses: number[] = [];
  for (let at = 0; at < 3; at++) statuses.push((await admin.get(path)).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});

Deno.test("tryLinkifier() ends early when many messages match or the pattern takes long", async () => {
  await using chat = await startChat({ env: { RATE_LIMITS: "off" } });
  await createChannel(chat, "garden");
  for (let at = 0; at < 30; at++) await send(chat, "garden", `bed-${at}`);
  const admin = { realm: chat.realm, actingUser: await readAdmin(chat) };
  const fields = {
    pattern: PATTERN,
    url_template: URL_TEMPLATE,
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [],
  };
  const trial = { fields, others: [], position: 0 };
  const many = await tryLinkifier(chat.services.chat, admin, trial);
  assert.deepEqual([many.found.length, many.isComplete, many.searched < MAX_TRIED_MESSAGES], [
    25,
    false,
    true,
  ]);
  assert.equal(many.found[0]?.message.content, "bed-29");

  // Each text costs nearly all the work of a message.
  const long = `${"a".repeat(9000)} bed-x`;
  for (let at = 0; at < 12; at++) await send(chat, "garden", long);
  const slow = { ...trial, fields: { ...fields, pattern: "(?P<id>(a|b|c|d){1,40})" } };
  const { searched, isComplete } = await tryLinkifier(chat.services.chat, admin, slow);
  assert.ok(searched < 42 && !isComplete, `${searched} were searched`);
});

async function readAdmin(chat: TestChat) {
  return await readUser(chat.services.chat, chat.realm.id, chat.admin.id) ?? assert.fail("no administrator");
}
