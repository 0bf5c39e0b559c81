import assert from "node:assert/strict";
import { closePages } from "@/tests/helpers/admin_samples.ts";
import { OWNER_SETTINGS } from "@/lib/chat/organization/organizations/update_realm.ts";
import { permissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, type ShownPage, signIn, visitPages } from "@/tests/helpers/pages.ts";
import { readStoredRealm } from "@/tests/helpers/realm.ts";

const PAGE = "/admin/organization";
const DEFAULTS = { disallow_disposable_email_addresses: "true", waiting_period_threshold: "0" };

/** Returns the revision of a form's data, which the page contains beside the form's action. */
function revisionIn(html: string, action: string): string {
  const form = html.split("<form").find((part) => part.includes(`value="${action}"`)) ?? "";
  return /name="seen" value="([\w-]+)"/.exec(form)?.[1] ?? "";
}

async function send(
  visitor: PageVisitor,
  action: string,
  fields: Record<string, string> = {},
): Promise<ShownPage> {
  const seen = revisionIn((await visitor.get(PAGE)).html, action);
  return await visitor.post(PAGE, { action, seen, ...fields });
}

Deno.test("each section of the settings is saved separately, and all users receive events", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const { body: { id: channelId } } = await chat.call(chat.owner, "POST /channels/create", {
    name: "news",
    subscribers: [],
  });
  const { body: { id: reportsId } } = await chat.call(chat.owner, "POST /channels/create", {
    name: "reports",
    subscribers: [chat.owner.id],
    invite_only: true,
  });
  await chat.events();
  const forms: [string, Record<string, string>][] = [
    ["profile", { name: " Orchard ", description: "Trees\r\nand more" }],
    ["joining", { waiting_period_threshold: "7" }],
    ["welcome", { welcome_message_custom_text: "**Hello**" }],
    ["accounts", { name_changes_disabled: "true", presence_disabled: "true" }],
    ["messages", {
      message_content_edit_limit_seconds: "custom",
      edit_custom: "90",
      edit_unit: "60",
      message_content_delete_limit_seconds: "custom",
      delete_custom: "45",
      delete_unit: "1",
      new_stream_announcements_stream_id: String(channelId),
      moderation_request_channel_id: String(reportsId),
    }],
    ["visitors", { enable_spectator_access: "true" }],
  ];
  for (const [section, fields] of forms) {
    const shown = await send(visitor, section, fields);
    assert.deepEqual([shown.status, shown.location], [303, `${PAGE}#${section}`], section);
  }
  const { name, description, settings } = await readStoredRealm(chat);
  assert.deepEqual([name, description], ["Orchard", "Trees\nand more"]);
  assert.deepEqual(settings, {
    ...settings,
    waiting_period_threshold: 7,
    disallow_disposable_email_addresses: false,
    emails_restricted_to_domains: false,
    welcome_message_custom_text: "**Hello**",
    name_changes_disabled: true,
    email_changes_disabled: false,
    presence_disabled: true,
    enable_read_receipts: false,
    message_content_edit_limit_seconds: 5400,
    message_content_delete_limit_seconds: 45,
    new_stream_announcements_stream_id: channelId,
    moderation_request_channel_id: reportsId,
    enable_spectator_access: true,
  });
  const { html } = await visitor.get(PAGE);
  const [choice = ""] = /<select[^>]*name="moderation_request_channel_id".*?<\/select>/.exec(html) ?? [];
  assert.match(choice, /#reports/);
  assert.doesNotMatch(choice, /#news/, "reports arrive in private channels only");
  assert.match(html, /value="90"/);
  assert.match(html, /value="45"/);
  assert.match(html, /<option[^>]*value="60"[^>]*selected|<option[^>]*selected[^>]*value="60"/);
  assert.equal((await chat.events()).filter(({ event }) => event.op === "update_dict").length, forms.length);
});

Deno.test("invalid values are refused at their field, and input is kept", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const before = await readStoredRealm(chat);
  const refusals: [string, Record<string, string>, RegExp][] = [
    ["profile", { name: "  ", description: "typed <b>text</b>" }, /Enter a name\./],
    ["profile", { name: "n".repeat(42) }, /2 characters over the limit/],
    ["profile", { name: "x", description: "d".repeat(1001) }, /1 character over the limit/],
    ["joining", { waiting_period_threshold: "-1" }, /Enter a whole number of days from 0 to 36,500\./],
    ["joining", { ...DEFAULTS, emails_restricted_to_domains: "true" }, /Add a domain first/],
    ["welcome", { welcome_message_custom_text: "😀".repeat(8001) }, /1 character over the limit/],
    [
      "messages",
      { message_content_edit_limit_seconds: "custom", edit_custom: "0" },
      /Enter a whole number from 1 to/,
    ],
    [
      "messages",
      {
        message_content_edit_limit_seconds: "600",
        message_content_delete_limit_seconds: "custom",
        delete_custom: "0",
      },
      /Enter a whole number from 1 to/,
    ],
    ["messages", { message_content_edit_limit_seconds: "soon" }, /Bad value for/],
    [
      "messages",
      { message_content_edit_limit_seconds: "600", message_content_delete_limit_seconds: "later" },
      /Bad value for/,
    ],
    ["messages", {
      message_content_edit_limit_seconds: "600",
      message_content_delete_limit_seconds: "unlimited",
      new_stream_announcements_stream_id: "999999",
    }, /Invalid channel ID/],
    ["add_domain", { domain: "nonsense" }, /Domain must have at least one dot/],
  ];
  for (const [action, fields, sentence] of refusals) {
    const { status, html } = await send(visitor, action, fields);
    assert.equal(status, 400, `${action}: ${sentence}`);
    assert.match(html, sentence);
  }
  const shown = await send(visitor, "profile", { name: "", description: "typed <b>text</b>" });
  assert.match(shown.html, /typed &lt;b>text&lt;\/b>|typed &lt;b&gt;text/);
  assert.equal((await visitor.post(PAGE, { action: "nothing" })).status, 400);
  assert.deepEqual(await readStoredRealm(chat), before);
});

Deno.test("the second of two concurrent editors gets a conflict, and nothing is lost", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const seen = revisionIn((await visitor.get(PAGE)).html, "profile");
  await chat.call(chat.admin, "PATCH /realm", { description: "from elsewhere" });
  const late = await visitor.post(PAGE, { action: "profile", seen, name: "Mine", description: "my words" });
  assert.equal(late.status, 400);
  assert.match(late.html, /Someone else changed this/);
  assert.match(late.html, /my words/);
  assert.match(late.html, /Stored now: from elsewhere/);
  assert.equal((await readStoredRealm(chat)).description, "from elsewhere");
  const seenAccounts = revisionIn(late.html, "accounts");
  await chat.call(chat.admin, "PATCH /realm", { name_changes_disabled: true });
  const flags = await visitor.post(PAGE, { action: "accounts", seen: seenAccounts });
  assert.match(flags.html, /Only administrators can change names.*?Stored now: Yes/);
  assert.doesNotMatch(flags.html, /Stored now: No/, "other fields agree");
  const again = {
    action: "profile",
    seen: revisionIn(late.html, "profile"),
    name: "Mine",
    description: "my words",
  };
  assert.equal((await visitor.post(PAGE, again)).status, 303);
  assert.equal((await readStoredRealm(chat)).description, "my words");
});

Deno.test("administrators see owner-only settings disabled with a reason, and cannot change them", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const { html } = await visitor.get(PAGE);
  assert.match(html, /<fieldset disabled/);
  assert.match(html, /Only owners can change this\./);
  assert.ok(!html.includes('value="joining"') && !html.includes('value="add_domain"'));
  assert.ok(!html.includes(`href="${PAGE}/deactivate"`));
  const seen = revisionIn((await (await signIn(chat, chat.owner)).get(PAGE)).html, "joining");
  const forced = await visitor.post(PAGE, { action: "joining", seen, waiting_period_threshold: "3" });
  assert.match(forced.html, /Must be an organization owner/);
  const domain = await visitor.post(PAGE, { action: "add_domain", domain: "a.example" });
  assert.match(domain.html, /Must be an organization owner/);
  const gone = await (await signIn(chat, chat.owner)).post(PAGE, {
    action: "change_domain",
    name: "b.example",
    allow: "true",
  });
  assert.match(gone.html, /No entry found for domain b\.example\./);
  const { settings } = await readStoredRealm(chat);
  assert.deepEqual([settings.waiting_period_threshold, settings.domains], [0, []]);
});

Deno.test("the pages lock exactly the settings that only owners may change", async () => {
  await using chat = await startChat();
  const { settings } = chat.realm;
  const values: Record<string, unknown> = {
    name: "Same",
    description: "",
    waiting_period_threshold: 0,
    enable_spectator_access: false,
    message_content_edit_limit_seconds: 600,
    name_changes_disabled: false,
    email_changes_disabled: false,
    presence_disabled: false,
    enable_read_receipts: true,
    new_stream_announcements_stream_id: -1,
    moderation_request_channel_id: -1,
    emails_restricted_to_domains: false,
    disallow_disposable_email_addresses: settings.disallow_disposable_email_addresses,
    email_confirmation: "automatic",
    welcome_message_custom_text: "",
    ...Object.fromEntries(
      permissionRules("realm").map(({ setting }) => [setting, { new: chat.realm.first_system_group_id + 3 }]),
    ),
  };
  const refused: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const { body } = await chat.call(chat.admin, "PATCH /realm", { [name]: value });
    if (body.msg === "Must be an organization owner") refused.push(name);
  }
  assert.deepEqual(refused.sort(), [...OWNER_SETTINGS].sort());
});

Deno.test("domains are added, changed, and removed after a confirmation", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  assert.equal((await send(visitor, "add_domain", { domain: " Garden.Example " })).status, 303);
  assert.match((await visitor.get(PAGE)).html, /garden\.example/);
  assert.equal((await send(visitor, "change_domain", { name: "garden.example", allow: "true" })).status, 303);
  assert.deepEqual((await readStoredRealm(chat)).settings.domains, [{
    domain: "garden.example",
    allow_subdomains: true,
  }]);
  assert.equal(
    (await send(visitor, "joining", { ...DEFAULTS, emails_restricted_to_domains: "true" })).status,
    303,
  );
  const question = await visitor.get(`${PAGE}/domains/garden.example/remove`);
  assert.match(question.html, /Remove garden\.example\?/);
  assert.match(question.html, /anyone can join with any address/);
  const removed = await visitor.post(`${PAGE}/domains/garden.example/remove`, { action: "remove" });
  assert.equal(removed.location, `${PAGE}#domains`);
  const { domains, emails_restricted_to_domains } = (await readStoredRealm(chat)).settings;
  assert.deepEqual([domains, emails_restricted_to_domains], [[], false]);
  assert.equal((await visitor.get(`${PAGE}/domains/garden.example/remove`)).status, 404);
});

Deno.test("the welcome message is previewed as the server renders it, and nothing is stored", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const text = "**Hello** <script>alert(1)</script>";
  const shown = await send(visitor, "preview", { welcome_message_custom_text: text });
  assert.equal(shown.status, 200);
  assert.match(shown.html, /<strong>Hello<\/strong>/);
  assert.ok(!shown.html.includes("<script>alert(1)"));
  assert.match(shown.html, /\*\*Hello\*\*/);
  assert.equal((await readStoredRealm(chat)).settings.welcome_message_custom_text, "");
  const answer = await chat.request(PAGE, {
    method: "POST",
    headers: {
      accept: "application/json",
      cookie: `sotto_session=${visitor.token()}`,
      "sec-fetch-site": "same-origin",
    },
    body: new URLSearchParams({ action: "preview", welcome_message_custom_text: "*a*" }),
  });
  const { flash, html } = await answer.json();
  assert.equal(flash, "");
  assert.match(html, /<div id="welcome-preview"[^>]*>.*Preview.*<p><em>a<\/em><\/p>/s);
});

Deno.test("script in every text of the organization is escaped", async () => {
  await using chat = await startChat();
  const attack = "<script>alert(1)</script>";
  await chat.call(chat.owner, "PATCH /realm", {
    name: attack,
    description: attack,
    welcome_message_custom_text: attack,
  });
  const visitor = await signIn(chat, chat.owner);
  for (const path of ["", "/permissions", "/emoji", "/status", "/deactivate"]) {
    const { status, html } = await visitor.get(PAGE + path);
    assert.equal(status, 200, path);
    assert.ok(!html.includes("<script>alert(1)"), path);
  }
});

Deno.test("the settings are limited to administrators of the organization, by forms of this site", async () => {
  await using chat = await startChat();
  await closePages(chat);
  const paths = ["", "/permissions", "/emoji", "/status", "/deactivate"];
  const anonymous = visitPages(chat);
  for (const user of [chat.moderator, chat.member, chat.guest]) {
    const visitor = await signIn(chat, user);
    for (const path of paths) assert.equal((await visitor.get(PAGE + path)).status, 403, path);
    assert.equal((await visitor.post(PAGE, { action: "profile", name: "x" })).status, 403);
  }
  assert.match((await anonymous.get(PAGE)).location ?? "", /^\/login/);
  const owner = await signIn(chat, chat.owner);
  const elsewhere = visitPages(chat, "other.localhost:8000");
  elsewhere.setToken(owner.token() ?? "");
  assert.equal((await elsewhere.get(PAGE)).status, 303);
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  for (const path of paths) {
    const shown = await owner.post(PAGE + path, { action: "deactivate", typed: "Gardeners" }, foreign);
    assert.equal(shown.status, 400, path);
  }
  assert.equal((await readStoredRealm(chat)).is_deactivated, false);
});
