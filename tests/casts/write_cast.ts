import assert from "node:assert/strict";
import { mapValues } from "es-toolkit/object/mapValues";
import { SignJWT } from "jose";
import { isRevertible } from "@/lib/chat/organization/audit/model.ts";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { createSignInLink } from "@/lib/chat/people/auth/reset_password.ts";
import { createBulkAction } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { VISIBILITY } from "@/lib/chat/channels/topics/model.ts";
import { createRemoteRealm, createRemoteServer } from "@/lib/bouncer/remote_server.ts";
import { DEFAULT_RATE_LIMITS } from "@/lib/rate_limit_rules.ts";
import { type Keys, newKeys, seal } from "@/tests/casts/bouncer_cast.ts";
import { requestExport } from "@/tests/casts/exports_cast.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { createLink, invite } from "@/tests/casts/join_cast.ts";
import { file, PNG, postFiles } from "@/tests/casts/pictures_cast.ts";
import { inSeconds, schedule } from "@/tests/casts/scheduled_cast.ts";
import { blockHost } from "@/lib/links/manage/blocked_hosts.ts";
import { updateLinks } from "@/lib/links/manage/update_links.ts";
import { basic, startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { FaultyStore } from "@/tests/helpers/faulty_store.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** Headers of every request of the protocol for resumable uploads. */
export const TUS = { "tus-resumable": "1.0.0" };
const JWT_KEY = "a secret that is long enough for signing";

/** An organization with a record of every kind that requests change. */
export interface WriteCast extends TestChat {
  readonly faulty: FaultyStore;
  /** Whether providers of video calls and of push notifications accept requests of the moderator. */
  readonly hasProviders: boolean;
  /** Values of path parameters, by their names. */
  readonly samples: Readonly<Record<string, string | number>>;
  /** Ids of further records, by what they are. */
  readonly ids: Readonly<Record<string, number>>;
  /** A signed token of the member. */
  readonly jwt: string;
  readonly queueId: string;
  /** Credentials and keys of a server that uses this one as its bouncer. */
  readonly remote: { readonly name: string; readonly key: string; readonly realmUuid: string; keys: Keys };
  /** Paths of pages that a mail leads to. */
  readonly links: Readonly<Record<"join" | "joinByLink" | "reset" | "signIn" | "confirm", string>>;
  /** Session cookies of the owner and the member. */
  readonly cookies: Readonly<Record<"owner" | "member", string>>;
  /** A short URL that exists. */
  readonly short: string;
  /** A short URL that is disabled. */
  readonly disabledShort: string;
  /** Path of a resumable upload of the member that has begun. */
  readonly tus: string;
}

/**
 * Starts a server with the organization on a store that can fail, and takes the store's snapshot. `providers` is
 * the environment of providers to which the caller connects the moderator.
 */
export async function startWriteCast(providers: Readonly<Record<string, string>> = {}): Promise<WriteCast> {
  const faulty = await FaultyStore.open();
  const keys = await newKeys();
  const env = {
    RATE_LIMITS: JSON.stringify(mapValues(DEFAULT_RATE_LIMITS, (rule) => ({ ...rule, points: 1e9 }))),
    JWT_AUTH_KEYS: JSON.stringify({ "": { key: JWT_KEY, algorithms: ["HS256"] } }),
    PUSH_BOUNCER_KEYS: JSON.stringify([keys]),
    ...providers,
  };
  const chat = await startChat({ env, store: faulty.store });
  const ids = { ...await createChannels(chat), ...await createOwnRecords(chat) };
  const settings = await createSettings(chat);
  const cast: WriteCast = {
    ...chat,
    faulty,
    hasProviders: Object.keys(providers).length > 0,
    ids: { ...ids, ...settings.ids },
    samples: { ...settings.samples, ...toSamples(chat, ids), audit_entry: await findRevertible(chat) },
    jwt: await new SignJWT({ email: chat.member.email }).setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(JWT_KEY)),
    queueId: (await succeed(chat, chat.member, "POST /register", { event_types: ["message"] })).queue_id,
    remote: await createRemote(chat, keys),
    links: await createLinks(chat),
    cookies: { owner: await startSession(chat, chat.owner), member: await startSession(chat, chat.member) },
    short: await chat.shorten("https://example.com/kept"),
    disabledShort: await chat.shorten("https://example.com/disabled"),
    tus: await beginUpload(chat),
  };
  await chat.request(cast.short);
  const actor = { creator: null, audit: () => {} };
  await blockHost(chat.services.links, "blocked.example", actor);
  const shorts = [decodeURIComponent(cast.disabledShort.slice(1))];
  await updateLinks(chat.services.links, { shorts, patch: { isDisabled: true } }, actor);
  await chat.services.links.indexer.sweep();
  // The ranking follows a while after visits and would change rows at any time.
  await chat.services.links.compactor.catchUp();
  await chat.services.links.compactor.stop();
  await faulty.takeSnapshot();
  return cast;
}

async function createChannels(chat: TestChat) {
  const { owner, admin, member, guest } = chat;
  const create = async (name: string) => {
    const subscribers = [owner, admin, member, guest].map(({ id }) => id);
    return (await succeed(chat, owner, "POST /channels/create", { name, subscribers })).id;
  };
  const send = async (to: number, content: string, topic = "plans") =>
    (await succeed(chat, member, "POST /messages", { type: "channel", to, topic, content })).id;
  const [channel, other, archived] = [await create("Garden"), await create("Shed"), await create("Cellar")];
  await succeed(chat, owner, "PATCH /realm", { new_stream_announcements_stream_id: other });
  await succeed(chat, owner, "POST /default_streams", { stream_id: channel });
  const message = await send(channel, "roses and @**Owner** and tulips");
  await succeed(chat, owner, `POST /messages/${message}/reactions`, { emoji_name: "+1" });
  await send(channel, "more roses");
  await send(archived, "wine");
  const poll = await send(channel, "/poll Water today?\nyes\nno", "polls");
  await succeed(chat, owner, "POST /user_topics", {
    stream_id: channel,
    topic: "weeds",
    visibility_policy: VISIBILITY.muted,
  });
  const closed = await create("Attic");
  await succeed(chat, owner, `DELETE /streams/${closed}`);
  await openReports(chat);
  const scheduled_delivery_timestamp = inSeconds(chat, 3600);
  await succeed(chat, member, "POST /reminders", { message_id: message, scheduled_delivery_timestamp });
  return { channel, other, archived, closed, message, poll };
}

async function openReports(chat: TestChat): Promise<void> {
  const sent = { name: "Reports", subscribers: [chat.moderator.id], invite_only: true };
  const { id } = await succeed(chat, chat.owner, "POST /channels/create", sent);
  await succeed(chat, chat.owner, "PATCH /realm", { moderation_request_channel_id: id });
}

async function createOwnRecords(chat: TestChat) {
  const { member, guest, owner } = chat;
  const note = { type: "", to: [], topic: "", content: "note", timestamp: 50 };
  const [draft] = (await succeed(chat, member, "POST /drafts", { drafts: [note] })).ids;
  await upload(chat, member, { name: "notes.txt", content: "hello" });
  const { attachments } = (await chat.call(member, "GET /attachments")).body;
  await succeed(chat, member, `POST /users/me/muted_users/${guest.id}`);
  await succeed(chat, owner, "POST /users/me/presence", { status: "active" });
  await succeed(chat, member, "POST /navigation_views", { fragment: "inbox", is_pinned: false });
  await succeed(chat, member, "POST /users/me/alert_words", { alert_words: ["tulips", "lilies"] });
  await succeed(chat, chat.bot, "PUT /bot_storage", { storage: { count: "1", name: "sprout" } });
  const idle = await chat.add("idle");
  const deactivation = await deactivateUser(chat, idle.id);
  const avatar = await postFiles(chat, member, "/users/me/avatar", [file(PNG)]);
  assert.equal(avatar.status, 200);
  const scheduled = await schedule(chat, member, { type: "direct", to: [owner.id], content: "hello" });
  const snippet = { title: "greeting", content: "hello" };
  const gauge = { full_name: "Gauge", short_name: "gauge", bot_type: 2 };
  return {
    draft,
    scheduled,
    attachment: attachments[0].id,
    idle: idle.id,
    snippet: (await succeed(chat, member, "POST /saved_snippets", snippet)).saved_snippet_id,
    device: (await succeed(chat, member, "POST /register_client_device")).device_id,
    leaver: (await chat.add("leaver")).id,
    ownersBot: (await succeed(chat, owner, "POST /bots", gauge)).user_id,
    bulkAction: await draftBulkAction(chat),
    importAction: await importUser(chat),
    deactivation,
  };
}

/** Prepares a change of a role, which waits for its confirmation. */
async function draftBulkAction({ services: { chat }, realm, owner, guest }: TestChat): Promise<number> {
  const actingUser = await readUser(chat, realm.id, owner.id) ?? assert.fail();
  const change = { kind: "set_role", role: 400 } as const;
  return (await createBulkAction(chat, { realm, actingUser }, { change, items: [guest.id], isDraft: true }))
    .id;
}

/** Imports a user, who has no password. */
async function importUser({ services, realm, owner }: TestChat): Promise<number> {
  const { chat, bulkActions } = services;
  const actingUser = await readUser(chat, realm.id, owner.id) ?? assert.fail();
  const items = [["Imported", "imported@example.com", 400]] as const;
  const change = { kind: "import" } as const;
  const { id } = await createBulkAction(chat, { realm, actingUser }, { change, items, isDraft: false });
  await bulkActions.sweep();
  return id;
}

/** Deactivates a user in a bulk action. */
async function deactivateUser({ services, realm, owner }: TestChat, userId: number): Promise<number> {
  const actingUser = await readUser(services.chat, realm.id, owner.id) ?? assert.fail();
  const change = { kind: "deactivate" } as const;
  const { id } = await createBulkAction(services.chat, { realm, actingUser }, { change, items: [userId] });
  await services.bulkActions.sweep();
  return id;
}

/** Changes the description of the organization and returns the id of its audit entry. */
async function findRevertible(chat: TestChat): Promise<string> {
  await succeed(chat, chat.owner, "PATCH /realm", { description: "Those who garden" });
  const { changes } = await listAuditRecords(chat.services.chat, chat.realm, { cursor: null, limit: 100 });
  return changes.find(isRevertible)?.id ?? assert.fail("nothing can be reverted");
}

async function createSettings(chat: TestChat) {
  const { owner, admin, member } = chat;
  const folder = async (name: string) =>
    (await succeed(chat, owner, "POST /channel_folders/create", { name, description: "" }))
      .channel_folder_id;
  const field = async (name: string) =>
    (await succeed(chat, owner, "POST /realm/profile_fields", { field_type: 1, name })).id;
  const filter = async (letter: string) =>
    (await succeed(chat, owner, "POST /realm/filters", {
      pattern: `${letter}-(?P<id>[0-9]+)`,
      url_template: "https://x.example/{id}",
    })).id;
  const [folder1, folder2, closedFolder] = [await folder("Beds"), await folder("Trees"), await folder("Old")];
  await succeed(chat, owner, `PATCH /channel_folders/${closedFolder}`, { is_archived: true });
  const [field1, field2] = [await field("Flower"), await field("Tree")];
  const [filter1, filter2] = [await filter("A"), await filter("B")];
  await succeed(chat, member, "PATCH /users/me/profile_data", { data: [{ id: field1, value: "rose" }] });
  const playground = { name: "Bench", pygments_language: "Rust", url_template: "https://x.example/{code}" };
  const { id: playground_id } = await succeed(chat, owner, "POST /realm/playgrounds", playground);
  const members = [member.id, owner.id];
  const { group_id } = await succeed(chat, owner, "POST /user_groups/create", {
    name: "Pruners",
    description: "",
    members,
  });
  const { group_id: group2 } = await succeed(chat, owner, "POST /user_groups/create", {
    name: "Diggers",
    description: "",
    members: [],
  });
  const { group_id: inner } = await succeed(chat, owner, "POST /user_groups/create", {
    name: "Rakers",
    description: "",
    members: [],
  });
  await succeed(chat, owner, `POST /user_groups/${group_id}/subgroups`, { add: [inner] });
  await succeed(chat, owner, "POST /realm/domains", { domain: "garden.example", allow_subdomains: false });
  await postFiles(chat, owner, "/realm/emoji/sprout", [file(PNG)]);
  const webhook = { full_name: "Hook", short_name: "hook", bot_type: 2 };
  const { api_key: webhook_key } = await succeed(chat, member, "POST /bots", webhook);
  await postFiles(chat, admin, "/realm/icon", [file(PNG)]);
  const export_id = await requestExport(chat, owner);
  await chat.services.exports.sweep();
  return {
    ids: { folder2, closedFolder, field2, filter2, group2, inner },
    samples: {
      webhook_key,
      export_id,
      folder_id: folder1,
      field_id: field1,
      filter_id: filter1,
      playground_id,
      user_group_id: group_id,
      domain: "garden.example",
      emoji_name: "sprout",
    },
  };
}

function toSamples({ bot, guest }: TestChat, ids: Readonly<Record<string, number>>) {
  return {
    stream_id: ids["channel"] ?? 0,
    message_id: ids["message"] ?? 0,
    draft_id: ids["draft"] ?? 0,
    scheduled_message_id: ids["scheduled"] ?? 0,
    reminder_id: 1,
    fragment: "inbox",
    attachment_id: ids["attachment"] ?? 0,
    saved_snippet_id: ids["snippet"] ?? 0,
    bot_id: bot.id,
    invite_id: 1,
    user_id: guest.id,
    user: guest.id,
    muted_user_id: guest.id,
  };
}

async function createRemote({ services }: TestChat, keys: Keys): Promise<WriteCast["remote"]> {
  const { bouncer } = services;
  const { org_id, org_key } = await createRemoteServer(bouncer, "Neighbours");
  const realmUuid = crypto.randomUUID();
  await createRemoteRealm(bouncer, { org_id, realm_uuid: realmUuid });
  return { name: org_id, key: org_key, realmUuid, keys };
}

/** Returns the parameters with which a remote server registers a device. */
export function registrationParams({ remote, clock }: WriteCast): TestParams {
  const timestamp = Math.floor(clock.now() / 1000);
  const registration = { token: "abc", token_kind: "fcm", timestamp };
  return {
    realm_uuid: remote.realmUuid,
    token_id: "AAECAwQFBgc=",
    bouncer_public_key: remote.keys.public_key,
    encrypted_push_registration: seal(registration, remote.keys.public_key),
  };
}

async function createLinks(chat: TestChat): Promise<WriteCast["links"]> {
  // Where tokens sign people in, links admit nobody by default.
  await succeed(chat, chat.owner, "PATCH /realm", { email_confirmation: "not_required" });
  await succeed(chat, chat.moderator, "PATCH /settings", { email: "new.address@example.com" });
  const headers = { "sec-fetch-site": "same-origin" };
  const body = new URLSearchParams({ email: chat.member.email });
  await chat.request("/forgot-password", { method: "POST", body, headers });
  const texts = (await chat.mails()).map(({ text }) => text ?? "");
  const find = (pattern: RegExp) => {
    const path = texts.map((text) => pattern.exec(text)?.[0]).findLast((found) => found !== undefined);
    assert.ok(path !== undefined, String(pattern));
    return path;
  };
  return {
    join: (await invite(chat)).path,
    joinByLink: (await createLink(chat)).path,
    signIn: await makeSignInLink(chat),
    reset: find(/\/reset-password\/\w+/),
    confirm: find(/\/account\/confirm-email\/[a-z2-7]{32}/),
  };
}

async function makeSignInLink({ services: { chat }, realm, owner, guest }: TestChat): Promise<string> {
  const actingUser = await readUser(chat, realm.id, owner.id) ?? assert.fail();
  return new URL((await createSignInLink(chat, { realm, actingUser }, guest.id)).url).pathname;
}

async function beginUpload(chat: TestChat): Promise<string> {
  const { email, apiKey } = chat.member;
  const headers = { ...TUS, authorization: basic(email, apiKey), "upload-length": "5" };
  const response = await chat.request("/api/v1/tus", { method: "POST", headers });
  return new URL(response.headers.get("location") ?? "").pathname;
}

async function startSession(chat: TestChat, user: TestUser): Promise<string> {
  return `sotto_session=${(await signIn(chat, user)).token()}`;
}
