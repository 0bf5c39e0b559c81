// POST and GET /export/realm, DELETE /export/realm/{export_id}, GET /export/realm/consents
import assert from "node:assert/strict";
import { auditKeys, type AuditRecord } from "@/lib/chat/organization/audit/model.ts";
import { countMessages, exportKeys, RETRY_MS } from "@/lib/chat/register/exports/store.ts";
import { runExport } from "@/lib/chat/register/exports/run_export.ts";
import { pendingKeys, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import { listValues } from "@/lib/store/reads.ts";
import {
  exportData,
  findArchivePath,
  listExports,
  requestExport,
  unpack,
} from "@/tests/casts/exports_cast.ts";
import { download, upload } from "@/tests/casts/files_cast.ts";
import { assertRefusal } from "@/tests/casts/user_groups_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const POST = "POST /export/realm";
const DAY_MS = 86_400_000;

/** Returns the numbers of the stored chunks and pending blobs of exports. */
async function countStored({ services: { store }, realm }: TestChat): Promise<readonly number[]> {
  const pending = await listValues<{ place?: string }>(store.kv, pendingKeys.pending);
  const chunks = await listValues(store.kv, exportKeys.chunks(realm.id));
  return [chunks.length, pending.filter(({ place }) => place === exportKeys.place).length];
}

/** Returns how many messages about exports the administrator received. */
async function countNotices(chat: TestChat): Promise<number> {
  const { messages } = await succeed(chat, chat.admin, "GET /messages", {
    ...{ anchor: "newest", num_before: 10, num_after: 0, narrow: [["is", "dm"]] },
  });
  return messages.filter(({ content }: { content: string }) => content.includes("data export")).length;
}

async function listDue({ services: { store } }: TestChat): Promise<Deno.KvKey[]> {
  const entries = store.kv.list({ prefix: [...exportKeys.dueRows] });
  return (await Array.fromAsync(entries)).map(({ key }) => [...key]);
}

Deno.test("an export is requested, listed, downloaded and deleted, with an event at each step", async () => {
  await using chat = await startChat();
  const { owner, admin } = chat;
  await chat.events();
  const { id } = await succeed(chat, admin, POST);
  const base = {
    ...{ id, acting_user_id: admin.id, export_time: Math.floor(chat.clock.now() / 1000) },
    ...{ deleted_timestamp: null, failed_timestamp: null, export_type: "public" },
  };
  const pending = { ...base, export_url: null, pending: true };
  assert.deepEqual(await listExports(chat, owner), [pending]);
  const toEvent = (exports: unknown) => ({ event: { type: "realm_export", exports }, audience: "admins" });
  assert.deepEqual(await chat.events(), [toEvent([pending])]);
  assertRefusal(await chat.call(owner, `DELETE /export/realm/${id}`), "Export still in progress");

  chat.clock.time += 60_000;
  assert.equal(await chat.services.exports.sweep(), 1);
  const [complete] = await listExports(chat, owner);
  const export_url = complete?.export_url ?? assert.fail("The archive is missing");
  assert.match(
    export_url,
    new RegExp(
      `^http://localhost:8000/user_exports/${chat.realm.id}/${id}/[\\w-]{24}/sotto-export-gardeners-2026-11-21\\.tar\\.gz$`,
    ),
  );
  assert.deepEqual(complete, { ...base, export_url, pending: false });
  const events = await chat.events();
  const [event] = events.filter((each) => each.event.type === "realm_export");
  assert.deepEqual(event, toEvent([complete]));
  const [message] = events.filter((each) => each.event.type === "message");
  assert.deepEqual((message?.audience as number[]).includes(admin.id), true);
  const { messages } = await succeed(chat, admin, "GET /messages", {
    ...{ anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false, narrow: [["is", "dm"]] },
  });
  assert.equal(
    messages[0].content,
    `Your data export is complete. [Download the archive](${export_url}). It will be deleted after seven days.`,
  );
  assert.deepEqual((await countStored(chat))[1], 0);

  assert.equal(await chat.services.exports.sweep(), 0);
  await succeed(chat, owner, `DELETE /export/realm/${id}`);
  const deleted_timestamp = Math.floor(chat.clock.now() / 1000);
  assert.deepEqual(await listExports(chat, admin), [
    { ...base, deleted_timestamp, export_url: null, pending: false },
  ]);
  assert.deepEqual(await countStored(chat), [0, 0]);
  assert.deepEqual(await listDue(chat), []);
  assertRefusal(await chat.call(owner, `DELETE /export/realm/${id}`), "Export already deleted");
  assertRefusal(await chat.call(owner, `DELETE /export/realm/${id + 1}`), "Invalid data export ID");
  const { kv } = chat.services.store;
  const audited = (await listValues<AuditRecord>(kv, auditKeys.all(chat.realm.id)))
    .filter(({ target }) => target.kind === "export");
  assert.deepEqual(audited.map(({ action, acting_user_id, target }) => [action, acting_user_id, target.id]), [
    ["export_created", admin.id, id],
    ["export_deleted", owner.id, id],
  ]);
});

Deno.test("only administrators of the organization request, list, delete and download exports", async () => {
  await using chat = await startChat();
  const { admin, moderator, bot, outsider } = chat;
  const bytes = new Uint8Array(300_000).map((_, at) => at % 251);
  const { url } = (await upload(chat, admin, { name: "a.bin", content: bytes })).body;
  const { id: to } = await succeed(chat, admin, "POST /channels/create", { name: "a", subscribers: [] });
  await succeed(chat, admin, "POST /messages", { type: "channel", to, topic: "a", content: `[a](${url})` });
  const archive = await exportData(chat, admin);
  const [{ id = 0 } = {}] = await listExports(chat, admin);
  const path = await findArchivePath(chat, admin);
  const endpoints = [POST, "GET /export/realm", `DELETE /export/realm/${id}`, "GET /export/realm/consents"];
  for (const caller of [moderator, bot, chat.guest]) {
    for (const endpoint of endpoints) {
      const answer = await chat.call(caller, endpoint);
      assertRefusal(answer, "Must be an organization administrator", "UNAUTHORIZED_PRINCIPAL");
    }
    assert.equal((await download(chat, caller, path)).status, 403);
  }
  for (const endpoint of endpoints) assert.equal((await chat.call(null, endpoint)).status, 401);
  assert.deepEqual(await listExports(chat, outsider), []);
  assertRefusal(await chat.call(outsider, `DELETE /export/realm/${id}`), "Invalid data export ID");
  assert.equal((await download(chat, outsider, path)).status, 404);
  assert.equal((await download(chat, null, path)).status, 401);
  const page = await chat.request(path, { headers: { accept: "text/html" }, redirect: "manual" });
  assert.equal(new URL(page.headers.get("location") ?? "", "http://localhost:8000").pathname, "/login");
  for (
    const other of [path.replace(/[\w-]{24}/, "A".repeat(24)), path.replace("gardeners", "other"), `${path}x`]
  ) {
    assert.equal((await download(chat, admin, other)).status, 404, other);
  }

  const headers = { cookie: `sotto_session=${(await signIn(chat, chat.owner)).token()}` };
  const bySession = await chat.request(path, { headers });
  assert.equal(bySession.status, 200);
  assert.deepEqual(
    ["content-disposition", "cache-control", "x-content-type-options"].map((name) =>
      bySession.headers.get(name)
    ),
    ['attachment; filename="sotto-export-gardeners-2026-11-21.tar.gz"', "private, no-store", "nosniff"],
  );
  const whole = await bySession.bytes();
  assert.deepEqual((await unpack(new Blob([whole]).stream())).files, archive.files);
  const rest = await download(chat, admin, path, { range: "bytes=100-" });
  assert.deepEqual([rest.status, await rest.bytes()], [206, whole.slice(100)]);
  await succeed(chat, admin, `DELETE /export/realm/${id}`);
  assert.equal((await download(chat, admin, path)).status, 404);
});

Deno.test("POST /export/realm accepts the extents by name and number, five in seven days", async () => {
  await using chat = await startChat();
  const { admin } = chat;
  const refused = await chat.call(admin, POST, { export_type: "full_without_consent" });
  assertRefusal(refused, "Private data is exported only of users who allow it.");
  for (const export_type of ["private", "3", "[]"]) {
    assert.equal((await chat.call(admin, POST, { export_type })).status, 400, export_type);
  }
  for (const export_type of ["public", 1, 2, "full_with_consent", "2"]) {
    await succeed(chat, admin, POST, { export_type });
  }
  const exports = await listExports(chat, admin);
  assert.deepEqual(exports.map(({ export_type }) => export_type), [
    ...["public", "public", "full_with_consent", "full_with_consent", "full_with_consent"],
  ]);
  assertRefusal(await chat.call(admin, POST), "Exceeded rate limit.");
  assert.equal(await chat.services.exports.sweep(), 5);
  await succeed(chat, admin, `DELETE /export/realm/${exports[0]?.id}`);
  assertRefusal(await chat.call(admin, POST), "Exceeded rate limit.");
  chat.clock.time += 7 * DAY_MS;
  await succeed(chat, admin, POST);
});

Deno.test("POST /export/realm refuses an organization that is too large", async () => {
  await using chat = await startChat();
  const { admin, member, realm } = chat;
  const { kv } = chat.services.store;
  const size = await kv.get<number>([...uploadKeys.spaceUsed(realm.id)]);
  await kv.set([...uploadKeys.spaceUsed(realm.id)], 10 * 1024 ** 3 + 1);
  const { status, body } = await chat.call(admin, POST);
  assert.equal(status, 400);
  assert.match(body["msg"], /too large .* `admin backup`/);
  await kv.set([...uploadKeys.spaceUsed(realm.id)], size.value ?? 0);
  const before = await countMessages(chat.services.chat, realm.id, 100);
  for (let at = 0; at < 3; at++) {
    await succeed(chat, member, "POST /messages", { type: "direct", to: [admin.id], content: "hello" });
  }
  assert.equal(await countMessages(chat.services.chat, realm.id, 100), before + 3);
  assert.equal(await countMessages(chat.services.chat, realm.id, before + 1), before + 1);
  await succeed(chat, admin, POST);
});

Deno.test("archives are deleted after seven days", async () => {
  await using chat = await startChat();
  const { admin } = chat;
  await exportData(chat, admin);
  const path = await findArchivePath(chat, admin);
  chat.clock.time += 7 * DAY_MS - 1;
  assert.equal(await chat.services.exports.sweep(), 0);
  assert.equal((await download(chat, admin, path)).status, 200);
  chat.clock.time += 1;
  await chat.events();
  assert.equal(await chat.services.exports.sweep(), 1);
  const [expired] = await listExports(chat, admin);
  assert.deepEqual([expired?.deleted_timestamp, expired?.export_url, expired?.pending], [
    ...[Math.floor(chat.clock.now() / 1000), null, false],
  ]);
  assert.deepEqual((await chat.events()).map(({ event }) => event), [{
    type: "realm_export",
    exports: [expired],
  }]);
  assert.equal((await download(chat, admin, path)).status, 404);
  assert.deepEqual([await countStored(chat), await listDue(chat)], [[0, 0], []]);
});

Deno.test("exports of an organization are created one at a time, and continue when a process stops", async () => {
  await using chat = await startChat();
  const { admin } = chat;
  const { chat: app } = chat.services;
  const { url } = (await upload(chat, admin, { name: "a.bin", content: new Uint8Array(300_000) })).body;
  const { id: to } = await succeed(chat, admin, "POST /channels/create", { name: "a", subscribers: [] });
  await succeed(chat, admin, "POST /messages", { type: "channel", to, topic: "a", content: `[a](${url})` });
  const [first, second] = [await requestExport(chat, admin), await requestExport(chat, admin)];
  const [, two = []] = await listDue(chat);
  await assert.rejects(runExport(app, two, () => false), NoLongerDue);
  // The process is asked to stop at the first, the second, … point at which it can.
  let stops = 0;
  for (let isComplete = false; !isComplete; stops++) {
    let checks = 0;
    const [one = []] = await listDue(chat);
    isComplete = await runExport(app, one, () => ++checks > stops).then(() => true, (error) => {
      assert.ok(error instanceof NoLongerDue, String(error));
      return false;
    });
    if (isComplete) break;
    assert.deepEqual(await countStored(chat), [0, 0]);
    assert.deepEqual((await listExports(chat, admin)).map(({ pending }) => pending), [true, true]);
  }
  assert.ok(stops > 10, `${stops} stops`);
  assert.equal(await chat.services.exports.sweep(), 1);
  const done = await listExports(chat, admin);
  assert.deepEqual(done.map(({ id, pending }) => [id, pending]), [[first, false], [second, false]]);
  assert.equal(await countNotices(chat), 2);
});

Deno.test("an export that fails is repeated, then marked as failed, and does not count", async () => {
  await using chat = await startChat();
  const { admin, realm } = chat;
  const { url } = (await upload(chat, admin, { name: "a.bin", content: "lost" })).body;
  const { id: to } = await succeed(chat, admin, "POST /channels/create", { name: "a", subscribers: [] });
  await succeed(chat, admin, "POST /messages", { type: "channel", to, topic: "a", content: `[a](${url})` });
  const { kv } = chat.services.store;
  const chunks = kv.list({ prefix: [realm.id, uploadKeys.place] });
  for await (const { key } of chunks) await kv.delete(key);
  const id = await requestExport(chat, admin);
  for (let attempt = 1; attempt <= 5; attempt++) {
    assert.equal(await chat.services.exports.sweep(), 0);
    assert.equal(await chat.services.exports.sweep(), 0);
    assert.deepEqual(await countStored(chat), [0, 0]);
    assert.equal((await listExports(chat, admin))[0]?.pending, attempt < 5, `attempt ${attempt}`);
    chat.clock.time += attempt * RETRY_MS;
  }
  const log = await chat.log();
  assert.equal(log.split("data export not completed").length - 1, 5);
  assert.match(log, /Chunk 0 of a stored file is missing/);
  const [failed] = await listExports(chat, admin);
  assert.deepEqual([failed?.export_url, failed?.pending, failed?.failed_timestamp === null], [
    null,
    false,
    false,
  ]);
  assertRefusal(await chat.call(admin, `DELETE /export/realm/${id}`), "Export failed, nothing to delete");
  const { messages } = await succeed(chat, admin, "GET /messages", {
    ...{ anchor: "newest", num_before: 1, num_after: 0, narrow: [["is", "dm"]] },
  });
  assert.match(messages[0].content, /Your data export failed/);
  for (let at = 0; at < 5; at++) await requestExport(chat, admin);
});

Deno.test("an export of an administrator who loses the role fails", async () => {
  await using chat = await startChat();
  const { owner, admin } = chat;
  await requestExport(chat, admin);
  await succeed(chat, owner, `PATCH /users/${admin.id}`, { role: 400 });
  assert.equal(await chat.services.exports.sweep(), 0);
  const [failed] = await listExports(chat, owner);
  assert.deepEqual([failed?.pending, failed?.failed_timestamp === null], [false, false]);
  assert.deepEqual(await listDue(chat), []);
});

Deno.test("GET /export/realm/consents lists the users who allow it, and changes are sent to administrators", async () => {
  await using chat = await startChat();
  const { owner, admin, moderator, member, guest } = chat;
  await chat.events();
  await succeed(chat, member, "PATCH /settings", { allow_private_data_export: true });
  const sent = (await chat.events()).filter(({ event }) => event.type === "realm_export_consent");
  assert.deepEqual(sent, [{
    event: { type: "realm_export_consent", user_id: member.id, consented: true },
    audience: "admins",
  }]);
  await succeed(chat, guest, "PATCH /settings", { allow_private_data_export: true });
  await succeed(chat, guest, "PATCH /settings", { allow_private_data_export: false, enter_sends: true });
  const types = (await chat.events()).map(({ event }) => [event.type, event["consented"]]);
  assert.deepEqual(types.filter(([type]) => type === "realm_export_consent").map(([, value]) => value), [
    true,
    false,
  ]);
  const { export_consents } = await succeed(chat, admin, "GET /export/realm/consents");
  assert.deepEqual(
    export_consents,
    [owner, admin, moderator, member, guest].map(({ id }) => ({ user_id: id, consented: id === member.id }))
      .toSorted((one, other) => one.user_id - other.user_id),
  );
});

Deno.test("an export that another process has taken over is completed only there", async () => {
  await using chat = await startChat();
  const { admin } = chat;
  const { chat: app } = chat.services;
  await requestExport(chat, admin);
  const [due = []] = await listDue(chat);
  const takeOver = async () => {
    const [leased = []] = await listDue(chat);
    assert.notDeepEqual(leased, due);
    await runExport(app, leased, () => false);
  };
  let other: Promise<void> | undefined;
  const first = runExport(app, due, () => {
    other ??= takeOver();
    return false;
  });
  await assert.rejects(first, NoLongerDue);
  await other;
  assert.deepEqual((await listExports(chat, admin)).map(({ pending }) => pending), [false]);
  const response = await download(chat, admin, await findArchivePath(chat, admin));
  (await unpack(response.body ?? assert.fail())).manifest();
  assert.equal((await countStored(chat))[1], 0);
  assert.equal(await countNotices(chat), 1);
  assert.equal(await chat.services.exports.sweep(), 0);
});
