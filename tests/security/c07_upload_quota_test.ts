import assert from "node:assert/strict";
import { admin } from "@/tests/helpers/command_line.ts";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";
import { upload } from "@/tests/casts/files_cast.ts";

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

function send(
  chat: TestChat,
  user: TestUser,
  { method, path = "", headers = {}, body = null }: {
    readonly method: string;
    readonly path?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string | null;
  },
): Promise<Response> {
  const credentials = { "tus-resumable": "1.0.0", authorization: basic(user.email, user.apiKey) };
  return chat.request(`/api/v1/tus${path}`, { method, headers: { ...credentials, ...headers }, body });
}

/** Creates a resumable upload; returns the status, and its id when it was created. */
async function create(chat: TestChat, user: TestUser, size: number): Promise<[number, string]> {
  const response = await send(chat, user, { method: "POST", headers: { "upload-length": String(size) } });
  await response.body?.cancel();
  return [response.status, response.headers.get("location")?.split("/").at(-1) ?? ""];
}

async function append(chat: TestChat, user: TestUser, id: string, body: string): Promise<number> {
  const headers = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const response = await send(chat, user, { method: "PATCH", path: `/${id}`, headers, body });
  await response.body?.cancel();
  return response.status;
}

function startLimited(quotaMib: number, maxMib: number): Promise<TestChat> {
  return startChat({ env: { UPLOAD_MAX_MIB: String(maxMib), UPLOAD_QUOTA_MIB: String(quotaMib) } });
}

Deno.test("C7: unfinished uploads never reserve more than the organization's quota", async () => {
  await using chat = await startLimited(1, 1);
  const users = [chat.owner, chat.admin, chat.moderator, chat.member];
  const statuses: number[] = [];
  for (let count = 0; count < 20; count++) {
    statuses.push((await create(chat, users[count % users.length] ?? chat.member, MIB))[0]);
  }
  assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 413)]);
});

Deno.test("C7: creations at the same time share the quota", async () => {
  await using chat = await startLimited(4, 1);
  const users = [chat.owner, chat.admin, chat.moderator, chat.member, chat.guest];
  const created = await Promise.all(
    Array.from({ length: 40 }, (_, count) => create(chat, users[count % users.length] ?? chat.member, MIB)),
  );
  assert.equal(created.filter(([status]) => status === 201).length, 4);
});

Deno.test("C7: reserved space counts against plain uploads, and the finished file is counted once", async () => {
  await using chat = await startLimited(1, 1);
  const size = 600_000;
  const [, id] = await create(chat, chat.member, size);
  const file = { name: "a.txt", content: "x".repeat(size) };
  const refused = await upload(chat, chat.admin, file);
  assert.deepEqual([refused.status, refused.body["code"]], [400, "REALM_UPLOAD_QUOTA"]);
  assert.equal(await append(chat, chat.member, id, "x".repeat(size)), 200);
  const { body } = await chat.call(chat.member, "GET /attachments");
  assert.equal(body["upload_space_used"], size);
  const rest = MIB - size;
  assert.equal((await create(chat, chat.admin, rest + 1))[0], 413);
  assert.equal((await upload(chat, chat.admin, { name: "b.txt", content: "x".repeat(rest) })).status, 200);
});

Deno.test("C7: a canceled upload and one that expires give their space back", async () => {
  await using chat = await startLimited(1, 1);
  const [, canceled] = await create(chat, chat.member, MIB);
  assert.equal((await create(chat, chat.admin, 1))[0], 413);
  const ended = await send(chat, chat.member, { method: "DELETE", path: `/${canceled}` });
  assert.equal(ended.status, 204);
  const [status, abandoned] = await create(chat, chat.admin, MIB);
  assert.equal(status, 201);
  await append(chat, chat.admin, abandoned, "first part");
  chat.clock.time += DAY_MS;
  assert.equal((await create(chat, chat.member, MIB))[0], 201);
});

Deno.test("C7: the sweep gives back the space of expired uploads", async () => {
  await using chat = await startLimited(1, 1);
  await create(chat, chat.member, MIB);
  chat.clock.time += DAY_MS + 1;
  await chat.services.uploadSweeper.sweep();
  const file = { name: "a.txt", content: "x".repeat(MIB) };
  assert.equal((await upload(chat, chat.admin, file)).status, 200);
});

Deno.test("C7: one user reserves a quarter of the quota at most, but always one file", async () => {
  await using chat = await startLimited(16, 1);
  const created = await Promise.all(Array.from({ length: 8 }, () => create(chat, chat.member, MIB)));
  assert.equal(created.filter(([status]) => status === 201).length, 4);
  assert.equal((await create(chat, chat.admin, MIB))[0], 201);
  await using small = await startLimited(3, 2);
  assert.deepEqual([
    (await create(small, small.member, 2 * MIB))[0],
    (await create(small, small.member, 1))[0],
  ], [
    201,
    413,
  ]);
});

Deno.test("C7: without a quota, one user reserves ten of the largest files at most", async () => {
  await using chat = await startLimited(0, 1);
  const created = await Promise.all(Array.from({ length: 12 }, () => create(chat, chat.member, MIB)));
  assert.equal(created.filter(([status]) => status === 201).length, 10);
});

Deno.test("C7: a reservation survives kill -9 and is given back when the upload is canceled", async () => {
  await using folder = await createTestFolder();
  const env = { UPLOAD_MAX_MIB: "1", UPLOAD_QUOTA_MIB: "1" };
  await using servers = new AsyncDisposableStack();
  const start = async () => servers.use(await TestServer.start({ folder: folder.path, env }));
  const first = await start();
  const owner = ["--owner-email", "ada@example.com", "--owner-name", "Ada"];
  const { email, api_key } = await admin(first.store, "create-realm", "--name", "Gardeners", ...owner);
  const headers = { "tus-resumable": "1.0.0", authorization: basic(email, api_key) };
  const begin = (server: TestServer) =>
    server.fetch("/api/v1/tus", { method: "POST", headers: { ...headers, "upload-length": String(MIB) } });
  const created = await begin(first);
  assert.equal(created.status, 201);
  const id = created.headers.get("location")?.split("/").at(-1) ?? "";
  await first.kill();
  const second = await start();
  assert.equal((await begin(second)).status, 413);
  const ended = await second.fetch(`/api/v1/tus/${id}`, { method: "DELETE", headers });
  assert.equal(ended.status, 204);
  assert.equal((await begin(second)).status, 201);
  assert.equal((await admin(second.store, "check")).ok, true);
});
