import assert from "node:assert/strict";
import { type WebhookDelivery, webhookKeys } from "@/lib/chat/people/webhooks.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

const PICTURE = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

function keyIn(html: string): string | undefined {
  return /id="api_key"[^>]*value="([^"]+)"/.exec(html)?.[1];
}

async function readKey(chat: TestChat, id: number): Promise<string> {
  return (await chat.call(chat.member, `GET /bots/${id}/api_key`)).body["api_key"];
}

/** Returns the form that uploads an avatar. */
function toAvatarForm(content: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set("action", "avatar");
  form.set("avatar", new File([content], "face.png", { type: "image/png" }));
  return form;
}

Deno.test("a bot is created on its page, and its key is shown in the answer only", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const form = { action: "create", full_name: "Weather", short_name: "weather", bot_type: "1" };
  for (
    const [fields, field] of [
      [{ ...form, full_name: "" }, "full_name"],
      [{ ...form, short_name: "no spaces" }, "short_name"],
      [{ ...form, bot_type: "3" }, "payload_url"],
      [{ ...form, bot_type: "4" }, "bot_type"],
    ] as const
  ) {
    const { status, html } = await admin.post("/admin/bots/new", fields);
    assert.equal(status, 400);
    assert.match(html, new RegExp(`id="${field}-problem"`), field);
  }
  const { location } = await admin.post("/admin/bots/new", form);
  const path = location ?? "";
  assert.match(path, /^\/admin\/bots\/\d+\/key$/);
  const page = await admin.get(path);
  assert.match(page.html, /Bot Weather created/);
  assert.equal(keyIn(page.html), undefined);
  const shown = await admin.post(path, { action: "show" });
  const key = keyIn(shown.html) ?? "";
  assert.match(key, /^[A-Za-z0-9]{32}$/);
  const file = decodeURIComponent(
    /href="data:application\/octet-stream,([^"]+)"/.exec(shown.html)?.[1] ?? "",
  );
  assert.equal(
    file,
    `[api]\nemail=weather-bot@localhost\nkey=${key}\nsite=http://localhost:8000\n`,
  );
  assert.equal(shown.headers.get("cache-control"), "no-store, no-transform");
  const rotated = keyIn((await admin.post(path, { action: "rotate" })).html);
  assert.ok(rotated !== undefined && rotated !== key);
});

Deno.test("the key of another's bot is replaced but not shown", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const path = `/admin/bots/${chat.bot.id}/key`;
  assert.doesNotMatch((await admin.get(path)).html, /Show API key/);
  const refused = await admin.post(path, { action: "show" });
  assert.equal(refused.status, 400);
  assert.equal(keyIn(refused.html), undefined);
  assert.equal(await readKey(chat, chat.bot.id), chat.bot.apiKey);
  const rotated = await admin.post(path, { action: "rotate" });
  assert.equal(keyIn(rotated.html), await readKey(chat, chat.bot.id));
  assert.equal((await admin.get(`/admin/bots/${chat.member.id}/key`)).status, 404);
});

Deno.test("a bot's page changes its owner, address and avatar, and lists its deliveries", async () => {
  await using chat = await startChat({ env: { WEBHOOK_INTERNAL_NETWORKS: "127.0.0.1" } });
  const admin = await signIn(chat, chat.admin);
  const { body } = await chat.call(chat.member, "POST /bots", {
    full_name: "Echo",
    short_name: "echo",
    bot_type: 3,
    payload_url: JSON.stringify("http://127.0.0.1:9/a"),
  });
  const id = body["user_id"];
  const path = `/admin/users/${id}`;
  const formOf = async () => {
    const { html } = await admin.get(path);
    const seen = /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? "";
    return { action: "save", seen, full_name: "Echo", role: "400", payload_url: "http://127.0.0.1:9/b" };
  };
  const unclear = await admin.post(path, { ...await formOf(), owner: "Moderator\r\nGuest" });
  assert.match(unclear.html, /id="owner-problem"[^>]*>Enter one user\./);
  const internal = await admin.post(path, { ...await formOf(), owner: "", payload_url: "http://10.0.0.1/" });
  assert.match(internal.html, /id="payload_url-problem"/);
  assert.equal((await admin.post(path, { ...await formOf(), owner: "Moderator" })).status, 303);
  const { body: changed } = await chat.call(chat.moderator, "GET /bots");
  assert.equal(changed["bots"][0].services[0].base_url, "http://127.0.0.1:9/b");

  assert.equal((await admin.post(path, toAvatarForm(PICTURE))).status, 303);
  assert.match(
    (await chat.call(chat.owner, `GET /users/${id}`)).body["user"].avatar_url,
    /user_avatars|version=2/,
  );
  const broken = await admin.post(path, toAvatarForm(new Uint8Array([1, 2, 3])));
  assert.match(broken.html, /id="avatar-problem"/);
  const human = await admin.post(`/admin/users/${chat.member.id}`, toAvatarForm(PICTURE));
  assert.equal(human.status, 400);

  const delivery: WebhookDelivery = {
    ...{ message_id: 7, trigger: "mention", status: "failed", attempts: 3, http_status: 500 },
    ...{ error: "<b>broken</b>", answer_message_id: null, queued_at: 0, updated_at: chat.clock.time },
  };
  const key = webhookKeys.delivery({ realmId: chat.realm.id, botId: id, messageId: 7 });
  await chat.services.store.kv.set([...key], delivery);
  const { html } = await admin.get(path);
  assert.match(html, /Last deliveries.*Failed.*500 · &lt;b>broken/s);
  assert.match(html, /no messages yet/);
  const text = { type: "direct", to: [chat.owner.id], content: "hello" };
  await chat.call({ ...chat.bot }, "POST /messages", text);
  chat.clock.time += 2 * 60_000;
  const page = (await admin.get(`/admin/users/${chat.bot.id}`)).html;
  assert.match(page, /last message 2 minutes ago/);
  assert.match(page, /href="\/admin\/users\?tab=bots">Bots</, "the list that it is in is above it");
});
