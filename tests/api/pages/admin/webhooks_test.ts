import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { startWebhookChat } from "@/tests/casts/webhooks_cast.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

const INCOMING = { action: "create", full_name: "Builds", short_name: "builds", bot_type: "2" };

/** Creates an incoming webhook bot on its page and returns the path of its webhook's page. */
async function createIncoming(visitor: PageVisitor): Promise<string> {
  const { location } = await visitor.post("/admin/bots/new", INCOMING);
  assert.match(location ?? "", /^\/admin\/bots\/\d+\/webhook$/);
  return location ?? "";
}

function readCommand(html: string): string {
  const code = /<code[^>]*>(curl [^<]+)<\/code>/.exec(html)?.[1] ?? "";
  return code.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

Deno.test("the page of an incoming webhook shows its URL, and a command that posts a message", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const path = await createIncoming(admin);
  const hidden = await admin.get(path);
  assert.match(hidden.html, /Bot Builds created/);
  assert.match(readCommand(hidden.html), /api_key=API_KEY'/);
  const shown = await admin.post(path, { action: "show" });
  assert.equal(shown.headers.get("cache-control"), "no-store, no-transform");
  const [, url = "", header = "", body = ""] =
    /^curl '([^']+)' -H '([^']+)' -d '([^']+)'$/.exec(readCommand(shown.html)) ?? [];
  assert.match(url, /^http:\/\/localhost:8000\/api\/v1\/external\/json\?api_key=[A-Za-z0-9]{32}$/);
  assert.ok(shown.html.includes(`value="${url}"`));
  const [name = "", value = ""] = header.split(": ");
  const { pathname, search } = new URL(url);
  const response = await chat.request(pathname + search, {
    method: "POST",
    body,
    headers: { [name]: value },
  });
  const { id } = await response.json();
  assert.equal((await chat.call(chat.admin, `GET /messages/${id}`)).body["raw_content"], "Hello");
});

Deno.test("a test of an incoming webhook posts a message that names its sender", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const path = await createIncoming(admin);
  await chat.call(chat.admin, "POST /channels/create", { name: "roses", subscribers: [chat.admin.id] });
  const test = { action: "test", stream: "roses", topic: "builds" };
  const { status, location = "" } = await admin.post(path, test);
  assert.equal(status, 303);
  const id = /\?message=(\d+)$/.exec(location ?? "")?.[1];
  const { html } = await admin.get(location ?? "");
  assert.match(html, new RegExp(`Message ${id} posted\\.`));
  assert.match(html, /Channel roses, topic builds:/);
  assert.match(html, /<blockquote[^>]*>This is a test of the webhook, sent by Admin\.</);
  assert.match(html, /href="\/admin\/channels\/\d+"/);
  const { message, raw_content } = (await chat.call(chat.admin, `GET /messages/${id}`)).body;
  assert.deepEqual([message.subject, message.sender_full_name], ["builds", "Builds"]);
  assert.match(raw_content, new RegExp(`sent by @_\\*\\*.+\\|${chat.admin.id}\\*\\*`));
  const { location: direct } = await admin.post(path, { action: "test" });
  assert.match((await admin.get(direct ?? "")).html, /Direct message to the bot’s owner:/);
  const other = await chat.call(chat.admin, "POST /messages", {
    ...{ type: "channel", to: "roses", topic: "builds", content: "Not a test" },
  });
  for (const message of [other.body["id"], "9".repeat(15), "x"]) {
    assert.doesNotMatch((await admin.get(`${path}?message=${message}`)).html, /<blockquote/);
  }
  const refused = await admin.post(path, { ...test, stream: "tulips" });
  assert.equal(refused.status, 400);
  assert.match(refused.html, /value="tulips"/);
  assert.match(refused.html, /id="stream-problem"[^>]*>[^<]+tulips/);
});

Deno.test("administrators test the webhooks of others, and do not see their keys", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.member, "POST /bots", {
    full_name: "Builds",
    short_name: "builds",
    bot_type: 2,
  });
  const path = `/admin/bots/${body["user_id"]}/webhook`;
  const admin = await signIn(chat, chat.admin);
  const page = await admin.get(path);
  assert.doesNotMatch(page.html, /Show URL with key/);
  assert.ok(page.html.includes(`href="/admin/bots/${body["user_id"]}/key"`));
  const refused = await admin.post(path, { action: "show" });
  assert.equal(refused.status, 400);
  assert.ok(!refused.html.includes(body["api_key"]));
  assert.equal((await admin.post(path, { action: "test" })).status, 303);
  await chat.call(chat.owner, `PATCH /bots/${body["user_id"]}`, { role: 100 });
  const ofOwners = await admin.post(path, { action: "test" });
  assert.equal(ofOwners.status, 400);
  assert.equal(ofOwners.location, null);
  assert.equal((await admin.get(`/admin/bots/${chat.bot.id}/webhook`)).status, 404);
  assert.equal((await admin.get(`/admin/bots/${chat.member.id}/webhook`)).status, 404);
});

Deno.test("a test delivery shows the request and the answer, and posts nothing", async () => {
  await using chat = await startWebhookChat();
  const bot = await chat.createBot("Echo");
  const admin = await signIn(chat, chat.admin);
  const path = `/admin/bots/${bot.id}/webhook`;
  chat.server.answer = () => Response.json({ content: "Hello, <b>gardener</b>!" });
  const answered = await admin.post(path, { action: "test" });
  assert.match(answered.html, /Status 200 after \d+ ms/);
  assert.match(answered.html, /The bot would post:.*Hello, &lt;b>gardener&lt;\/b>!/s);
  const [received] = await chat.deliver();
  assert.equal(received?.path, "/echo");
  assert.equal(received?.body["trigger"], "direct_message");
  assert.deepEqual([received?.body["message"].id, received?.body["data"]], [0, "This is a test delivery."]);
  assert.match(received?.body["token"], /^[0-9a-f]{32}$/);
  assert.ok(answered.html.includes("&quot;bot_full_name&quot;: &quot;Echo&quot;"));
  assert.ok(!answered.html.includes(received?.body["token"]));
  assert.deepEqual(await chat.deliveries(bot), []);

  chat.server.answer = () => new Response("x".repeat(5000), { status: 500 });
  const failed = await admin.post(path, { action: "test" });
  assert.match(failed.html, /Status 500 after/);
  assert.match(failed.html, /Answer, first 1,000 characters/);
  assert.ok(failed.html.includes("x".repeat(1000)) && !failed.html.includes("x".repeat(1001)));
  chat.server.answer = () => new Response("");
  const silent = await admin.post(path, { action: "test" });
  assert.match(silent.html, /The bot would post nothing\./);
  assert.match(silent.html, /The answer is empty\./);
});

Deno.test("a test delivery reaches no internal address, and is limited", async () => {
  await using outside = await startWebhookChat();
  const RATE_LIMITS = JSON.stringify({ webhook_test: { points: 1, seconds: 60 } });
  await using chat = await startChat({ env: { RATE_LIMITS } });
  const admin = await signIn(chat, chat.admin);
  const { port } = new URL(outside.server.url);
  const form = { ...INCOMING, bot_type: "3", payload_url: `http://localhost:${port}/` };
  const { location } = await admin.post("/admin/bots/new", form);
  const { html } = await admin.post(location ?? "", { action: "test" });
  assert.match(html, /No answer after \d+ ms/);
  assert.match(html, /The host name has no public address\./);
  assert.deepEqual(outside.server.received, []);
  assert.equal((await admin.post(location ?? "", { action: "test" })).status, 429);
});
