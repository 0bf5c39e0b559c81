import assert from "node:assert/strict";
import { toEntry } from "@/lib/store/key.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { makeChannel, send, sendDirect } from "@/tests/casts/messages_cast.ts";
import { createField } from "@/tests/casts/profile_fields_cast.ts";
import { createOpenChannel, startOpenChat, WEB_PUBLIC } from "@/tests/casts/spectator_cast.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";

const MARK = "hush";
const OTHER_HOST = "other.localhost:8000";
/** Ids beyond those of everything that a test creates. */
const IDS = Array.from({ length: 40 }, (_, id) => id);

/** Puts a marker into everything that spectators must not see. */
async function hide(chat: TestChat): Promise<void> {
  const { owner, member, admin, outsider } = chat;
  const must = async (user: TestUser, endpoint: string, params: TestParams) => {
    const { status, body } = await chat.call(user, endpoint, params);
    assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`);
    return body;
  };
  const about = (place: string) => ({ name: `${MARK} ${place}`, description: `${MARK} ${place} described` });
  const folder = await must(owner, "POST /channel_folders/create", about("folder"));
  const closed = [
    await makeChannel(chat, `${MARK} private`, { ...about("private"), invite_only: true }),
    await makeChannel(chat, `${MARK} public`, {
      ...about("public"),
      folder_id: folder["channel_folder_id"],
    }),
    await createOpenChannel(chat, `${MARK} archived`, about("archived")),
  ];
  const file = { name: `${MARK}-file.txt`, content: `${MARK} file`, type: "text/plain" };
  for (const to of closed) {
    const { body } = await upload(chat, member, file);
    await send(chat, member, { to, topic: `${MARK} topic`, content: `${MARK} said [it](${body["url"]})` });
  }
  await must(owner, `DELETE /streams/${closed[2]}`, {});
  await sendDirect(chat, member, [admin], `${MARK} direct`);
  await must(member, "POST /drafts", {
    drafts: [{ type: "", to: [], topic: `${MARK} drafted`, content: `${MARK} draft`, timestamp: 50 }],
  });
  await must(member, "POST /saved_snippets", { title: `${MARK} snippet`, content: `${MARK} snippet` });
  await must(member, "POST /users/me/status", { status_text: `${MARK} status` });
  const field = await createField(chat, { name: "Color" });
  await must(member, "PATCH /users/me/profile_data", { data: [{ id: field, value: `${MARK} value` }] });
  await must(owner, "POST /invites", { invitee_emails: `${MARK}-invited@example.com`, stream_ids: [] });
  await must(owner, "POST /realm/domains", { domain: `${MARK}.example.com`, allow_subdomains: false });
  await must(owner, "PATCH /realm", { welcome_message_custom_text: `${MARK} welcome` });
  const group = { ...about("group"), members: [member.id] };
  await must(owner, "POST /user_groups/create", group);
  const muted = await chat.add(`${MARK}-muted`);
  await must(member, `POST /users/me/muted_users/${muted.id}`, {});
  await must(member, "PATCH /settings", { email_address_visibility: 1 });
  await must(member, "POST /user_topics", {
    stream_id: closed[1],
    topic: `${MARK} topic`,
    visibility_policy: 1,
  });
  await must(outsider, "POST /channels/create", { ...about("outside"), subscribers: [outsider.id] });
  const elsewhere = { type: "channel", to: `"${MARK} outside"`, topic: "x", content: `${MARK} outside` };
  await must(outsider, "POST /messages", elsewhere);
}

/** Sends messages to an open channel, with markers in their former content and location. */
async function sendOpenMessages(chat: TestChat): Promise<void> {
  const open = await createOpenChannel(chat, "Garden");
  const shed = await makeChannel(chat, "Shed");
  const change = async (id: number, params: TestParams) => {
    const { status, body } = await chat.call(chat.owner, `PATCH /messages/${id}`, params);
    assert.equal(status, 200, JSON.stringify(body));
  };
  const edited = await send(chat, chat.owner, {
    to: open,
    topic: `${MARK} before`,
    content: `${MARK} edited`,
  });
  await change(edited, { content: "in the open", topic: "roses" });
  const moved = await send(chat, chat.owner, { to: shed, topic: `${MARK} moved`, content: "open too" });
  await change(moved, { stream_id: open, topic: "roses", send_notification_to_new_thread: false });
  const left = await send(chat, chat.owner, { to: open, topic: `${MARK} left`, content: `${MARK} left` });
  await change(left, { stream_id: shed, topic: "tools" });
  const gone = await send(chat, chat.owner, { to: open, topic: `${MARK} gone`, content: `${MARK} gone` });
  await chat.call(chat.owner, `DELETE /messages/${gone}`);
  await send(chat, chat.member, { to: open, topic: "roses", content: "in the open, by a member" });
  const bot = await chat.call(chat.bot, "GET /users/me");
  assert.equal(bot.body["email"], chat.bot.email, "the address of a bot is no secret to accounts");
  await send(chat, chat.bot, { to: open, topic: "roses", content: "in the open, by a bot" });
}

/** Returns every request that a spectator can make. */
function requests(pathsOfFiles: readonly string[]): [path: string, body?: URLSearchParams][] {
  const capabilities = JSON.stringify({
    linkifier_url_template: true,
    archived_channels: true,
    include_deactivated_groups: true,
    user_settings_object: true,
  });
  const query = (params: Record<string, unknown>) =>
    new URLSearchParams(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    );
  const messages = (more: TestParams) => {
    const sent = { anchor: "newest", num_before: 1000, num_after: 0, narrow: [WEB_PUBLIC], ...more };
    return `/api/v1/messages?${query(sent)}`;
  };
  const terms = [
    ["search", MARK],
    ["topic", `${MARK} topic`],
    ["channel", `${MARK} public`],
    ["has", "attachment"],
    ["is", "resolved"],
    ...IDS.flatMap((id) => [["channel", id], ["sender", id], ["with", id], ["id", id]]),
  ].map(([operator, operand]) => ({ operator, operand }));
  return [
    ["/api/v1/register", new URLSearchParams()],
    ["/api/v1/register", query({ client_capabilities: capabilities, apply_markdown: true })],
    ["/api/v1/server_settings"],
    [messages({})],
    [messages({ apply_markdown: false, client_gravatar: false, allow_empty_topic_name: true })],
    [`/api/v1/messages?${query({ narrow: [WEB_PUBLIC], message_ids: IDS })}`],
    ...terms.map((term): [string] => [messages({ narrow: [WEB_PUBLIC, term] })]),
    ...IDS.flatMap((id): [string][] => [
      [`/api/v1/messages/${id}`],
      [`/api/v1/messages/${id}?apply_markdown=false`],
      [`/api/v1/users/me/${id}/topics`],
    ]),
    ...pathsOfFiles.map((path): [string] => [path]),
  ];
}

Deno.test("no response to a spectator contains anything that is not open", async () => {
  await using chat = await startOpenChat();
  await hide(chat);
  await sendOpenMessages(chat);
  const stored: string[] = [];
  for await (const entry of chat.services.store.kv.list({ prefix: [] })) {
    stored.push(
      JSON.stringify(toEntry(entry), (_, value) => typeof value === "bigint" ? String(value) : value),
    );
  }
  const paths = stored.flatMap((text) => text.match(/\/user_uploads\/[\w/.-]+/g) ?? []);
  assert.ok(paths.length >= 3 && stored.filter((text) => text.includes(MARK)).length > 30);
  const secrets = [MARK, "@example.com", chat.member.apiKey, chat.owner.apiKey];
  const answers: string[] = [];
  for (const host of [undefined, OTHER_HOST]) {
    for (const [path, body] of requests(paths)) {
      const response = await chat.request(path, body === undefined ? {} : { method: "POST", body }, host);
      // Errors may repeat the request.
      const text = response.status === 200 ? await response.text() : "";
      if (response.status !== 200) await response.body?.cancel();
      assert.ok(response.status < 500, path);
      for (const secret of secrets) assert.equal(text.includes(secret), false, `${path}: ${text}`);
      answers.push(text);
    }
  }
  const all = answers.join("\n");
  for (const open of ["in the open", "open too", "by a member", "by a bot"]) {
    assert.ok(all.includes(open), open);
  }
});
