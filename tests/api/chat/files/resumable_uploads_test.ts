import assert from "node:assert/strict";
import { pendingKeys, toThumbnailPath } from "@/lib/chat/organization/files/model.ts";
import { readImageHeader } from "@/lib/images/image_header.ts";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { createBody, createBytes } from "@/tests/helpers/network_body.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { download } from "@/tests/casts/files_cast.ts";
import { drawStripe } from "@/tests/casts/images_cast.ts";

const METADATA = `filename ${btoa("notes.txt")},filetype ${btoa("text/plain")}`;

function step(
  chat: TestChat,
  person: TestUser | null,
  method: string,
  { path = "/api/v1/tus", headers = {}, body }: {
    path?: string;
    headers?: Record<string, string>;
    body?: BodyInit;
  },
): Promise<Response> {
  const credentials: Record<string, string> = person === null
    ? {}
    : { authorization: basic(person.email, person.apiKey) };
  const init = { method, headers: { "tus-resumable": "1.0.0", ...credentials, ...headers } };
  const host = person?.realm.subdomain === "other" ? "other.localhost:8000" : undefined;
  return Promise.resolve(chat.request(path, body === undefined ? init : { ...init, body }, host));
}

async function begin(chat: TestChat, person: TestUser, length: number, metadata = METADATA): Promise<string> {
  const headers = { "upload-length": String(length), "upload-metadata": metadata };
  const response = await step(chat, person, "POST", { headers });
  assert.equal(response.status, 201, await response.clone().text());
  const location = response.headers.get("location") ?? "";
  assert.match(location, /^http:\/\/(other\.)?localhost:8000\/api\/v1\/tus\/[0-9a-f]{32}$/);
  assert.equal(response.headers.get("upload-expires"), new Date(chat.clock.time + 86_400_000).toUTCString());
  return new URL(location).pathname;
}

function append(
  chat: TestChat,
  person: TestUser,
  path: string,
  { at, body }: { at: number; body: BodyInit },
) {
  const headers = { "upload-offset": String(at), "content-type": "application/offset+octet-stream" };
  return step(chat, person, "PATCH", { path, headers, body });
}

Deno.test("a resumable upload arrives in parts and becomes a file", async () => {
  await using chat = await startChat();
  const path = await begin(chat, chat.member, 11);
  const first = await append(chat, chat.member, path, { at: 0, body: "hello " });
  assert.deepEqual([first.status, first.headers.get("upload-offset")], [204, "6"]);
  assert.equal(first.headers.get("upload-expires"), new Date(chat.clock.time + 86_400_000).toUTCString());
  const asked = await step(chat, chat.member, "HEAD", { path });
  assert.deepEqual([asked.headers.get("upload-offset"), asked.headers.get("upload-length")], ["6", "11"]);
  const last = await append(chat, chat.member, path, { at: 6, body: "world" });
  assert.equal(last.status, 200);
  const { url, filename } = await last.json();
  assert.equal(filename, "notes.txt");
  const file = await download(chat, chat.member, url);
  assert.deepEqual([await file.text(), file.headers.get("content-type")], [
    "hello world",
    "text/plain; charset=utf-8",
  ]);
  const { body } = await chat.call(chat.member, "GET /attachments");
  assert.deepEqual([body["attachments"].length, body["upload_space_used"]], [1, 11]);
  const ended = await step(chat, chat.member, "DELETE", { path });
  assert.equal(ended.status, 400);
});

for (
  const [how, sizes] of [
    ["as much as is read at a time", [Infinity]],
    ["in pieces of all sizes", [1, 5, 40_000, 7, 1400, 32_000, 2]],
  ] as const
) {
  Deno.test(`parts that arrive ${how} are stored as they were sent`, async () => {
    await using chat = await startChat();
    const file = createBytes(800_003);
    const path = await begin(chat, chat.member, file.length);
    const middle = 300_001;
    await append(chat, chat.member, path, { at: 0, body: createBody(file.subarray(0, middle), sizes) });
    const rest = createBody(file.subarray(middle), sizes);
    const last = await append(chat, chat.member, path, { at: middle, body: rest });
    assert.equal(last.status, 200);
    const { url } = await last.json();
    const stored = await (await download(chat, chat.member, url)).bytes();
    assert.ok(Buffer.from(stored).equals(file));
  });
}

Deno.test("a part beyond the length of the upload is refused, and the rest of it is not read", async () => {
  await using chat = await startChat();
  const ended = Promise.withResolvers<void>();
  const path = await begin(chat, chat.member, 100_000);
  const body = createBody(createBytes(800_000), [30_000], ended.resolve);
  const refused = await append(chat, chat.member, path, { at: 0, body });
  assert.equal(refused.status, 413);
  await ended.promise;
});

Deno.test("an image that arrives in parts has a thumbnail", async () => {
  await using chat = await startChat();
  const png = drawStripe(1680, 560);
  const metadata = `filename ${btoa("broad.png")},filetype ${btoa("image/png")}`;
  const path = await begin(chat, chat.member, png.length, metadata);
  await append(chat, chat.member, path, { at: 0, body: png.slice(0, 20) });
  const last = await append(chat, chat.member, path, { at: 20, body: png.slice(20) });
  const { url } = await last.json();
  const thumbnail = await download(chat, chat.member, toThumbnailPath(url));
  assert.deepEqual(readImageHeader(await thumbnail.bytes()), { width: 840, height: 280, orientation: 1 });
});

Deno.test("a resumable upload becomes one file, even if its end is requested repeatedly", async () => {
  await using chat = await startChat();
  const path = await begin(chat, chat.member, 5);
  const responses = [await append(chat, chat.member, path, { at: 0, body: "hello" })];
  responses.push(await append(chat, chat.member, path, { at: 5, body: "" }));
  const atOnce = [1, 2, 3].map(() => append(chat, chat.member, path, { at: 5, body: "" }));
  responses.push(...await Promise.all(atOnce));
  assert.deepEqual(responses.map(({ status }) => status), responses.map(() => 200));
  const urls = await Promise.all(responses.map(async (response) => (await response.json()).url));
  assert.equal(new Set(urls).size, 1);
  const listed = (await chat.call(chat.member, "GET /attachments")).body;
  assert.deepEqual([listed["attachments"].length, listed["upload_space_used"]], [1, 5]);
  const more = await append(chat, chat.member, path, { at: 5, body: "!" });
  assert.ok(more.status >= 400, `${more.status}`);
  const id = listed["attachments"][0].id;
  assert.equal((await chat.call(chat.member, `DELETE /attachments/${id}`)).status, 200);
  assert.equal((await append(chat, chat.member, path, { at: 5, body: "" })).status, 404);
});

Deno.test("a resumable upload is accessible to its owner only", async () => {
  await using chat = await startChat();
  const path = await begin(chat, chat.member, 11);
  for (const person of [chat.owner, chat.outsider]) {
    assert.equal((await append(chat, person, path, { at: 0, body: "x" })).status, 404);
    assert.equal((await step(chat, person, "HEAD", { path })).status, 404);
    assert.equal((await step(chat, person, "DELETE", { path })).status, 404);
  }
  const anonymous = await step(chat, null, "POST", { headers: { "upload-length": "5" } });
  assert.deepEqual([anonymous.status, await anonymous.json()], [401, { message: "Unauthenticated upload" }]);
  const forged = await step(chat, chat.member, "HEAD", { path: "/api/v1/tus/..%2f..%2fuser" });
  assert.equal(forged.status, 404);
});

Deno.test("a resumable upload with too much metadata is refused, and leaves nothing", async () => {
  await using chat = await startChat();
  await begin(chat, chat.member, 5, `filename ${btoa("x".repeat(16_000))}`);
  const { kv } = chat.services.store;
  const count = async () => (await Array.fromAsync(kv.list({ prefix: [] }))).length;
  const before = await count();
  for (const size of [17_000, 70_000, 300_000]) {
    const metadata = `filename ${btoa("x".repeat(size))}`;
    const headers = { "upload-length": "5", "upload-metadata": metadata };
    const response = await step(chat, chat.member, "POST", { headers });
    const message = "The metadata is larger than 16384 bytes.";
    assert.deepEqual([response.status, await response.json()], [413, { message }]);
  }
  assert.equal(await count(), before);
  assert.equal(chat.services.store.tally.failures, 0);
});

Deno.test("a resumable upload is subject to the size limit and the quota", async () => {
  await using chat = await startChat({ env: { UPLOAD_MAX_MIB: "1", UPLOAD_QUOTA_MIB: "1" } });
  const large = await step(chat, chat.member, "POST", { headers: { "upload-length": String(2 ** 20 + 1) } });
  assert.deepEqual([large.status, await large.json()], [413, {
    message: "File is larger than this server's configured maximum upload size (1 MiB).",
  }]);
  const half = "x".repeat(600_000);
  const first = await begin(chat, chat.member, half.length);
  assert.equal((await append(chat, chat.member, first, { at: 0, body: half })).status, 200);
  const over = await step(chat, chat.member, "POST", { headers: { "upload-length": String(half.length) } });
  assert.deepEqual([over.status, await over.json()], [413, {
    message: "Upload would exceed your organization's upload quota.",
  }]);
  const deferred = await step(chat, chat.member, "POST", { headers: { "upload-defer-length": "1" } });
  assert.deepEqual([deferred.status, await deferred.json()], [411, {
    message: "SizeIsDeferred is not supported",
  }]);
});

Deno.test("a part at the wrong offset changes nothing, and one of two concurrent parts is accepted", async () => {
  await using chat = await startChat();
  const path = await begin(chat, chat.member, 10);
  assert.equal((await append(chat, chat.member, path, { at: 3, body: "x" })).status, 409);
  const parts = await Promise.all(
    [1, 2].map(() => append(chat, chat.member, path, { at: 0, body: "01234" })),
  );
  assert.deepEqual(parts.map(({ status }) => status).sort(), [204, 409]);
  const more = await append(chat, chat.member, path, { at: 5, body: "56789 and more" });
  assert.ok(more.status >= 400, `${more.status}`);
  assert.equal((await append(chat, chat.member, path, { at: 5, body: "56789" })).status, 200);
});

Deno.test("a resumable upload that its owner cancels, or that expires after a day, leaves nothing stored", async () => {
  await using chat = await startChat();
  const canceled = await begin(chat, chat.member, 10);
  await append(chat, chat.member, canceled, { at: 0, body: "01234" });
  assert.equal((await step(chat, chat.member, "DELETE", { path: canceled })).status, 204);
  assert.equal((await step(chat, chat.member, "HEAD", { path: canceled })).status, 404);
  const left = await begin(chat, chat.member, 10);
  await append(chat, chat.member, left, { at: 0, body: "01234" });
  chat.clock.time += 25 * 3_600_000;
  assert.equal((await step(chat, chat.member, "HEAD", { path: left })).status, 404);
  assert.equal(await chat.services.uploadSweeper.sweep(), 1);
  const { kv } = chat.services.store;
  for (const prefix of [[chat.realm.id, "upload_chunk"], [...pendingKeys.pending]]) {
    assert.deepEqual(await Array.fromAsync(kv.list({ prefix })), []);
  }
});

Deno.test("an empty resumable upload with an unusable name becomes a file", async () => {
  await using chat = await startChat();
  const headers = { "upload-length": "0", "upload-metadata": `filename ${btoa("..")}` };
  const response = await step(chat, chat.member, "POST", { headers });
  const { url, filename } = await response.json();
  assert.match(url, /\/uploaded-file$/);
  assert.equal(filename, "..");
});

Deno.test("an account has at most 100 unfinished uploads, not counting those that have expired", async () => {
  await using chat = await startChat();
  for (let count = 0; count < 100; count++) await begin(chat, chat.member, 5);
  const beyond = await step(chat, chat.member, "POST", { headers: { "upload-length": "5" } });
  assert.equal(beyond.status, 429);
  chat.clock.time += 25 * 3_600_000;
  await begin(chat, chat.member, 5);
});

for (
  const [what, content] of [["of no bytes", ""], ["whose content comes with its creation", "hello"]] as const
) {
  Deno.test(`a resumable upload ${what} is complete and has a location`, async () => {
    await using chat = await startChat();
    const headers = {
      "upload-length": String(content.length),
      "upload-metadata": METADATA,
      "content-type": "application/offset+octet-stream",
    };
    const created = await step(chat, chat.member, "POST", { headers, body: content });
    assert.deepEqual(
      [created.status, created.headers.get("upload-offset"), created.headers.get("upload-expires")],
      [201, String(content.length), null],
    );
    const { url, filename } = await created.json();
    assert.equal(filename, "notes.txt");
    assert.equal(await (await download(chat, chat.member, url)).text(), content);
    const path = new URL(created.headers.get("location") ?? "").pathname;
    const asked = await step(chat, chat.member, "HEAD", { path });
    assert.deepEqual([asked.status, asked.headers.get("upload-offset")], [200, String(content.length)]);
    const again = await append(chat, chat.member, path, { at: content.length, body: "" });
    assert.deepEqual([again.status, (await again.json()).url], [200, url]);
    assert.equal((await step(chat, chat.member, "DELETE", { path })).status, 400);
    const { body } = await chat.call(chat.member, "GET /attachments");
    assert.deepEqual([body["attachments"].length, body["upload_space_used"]], [1, content.length]);
  });
}

Deno.test("a creation with a part of the content is answered with the location, the offset and the expiry", async () => {
  await using chat = await startChat();
  const headers = { "upload-length": "5", "content-type": "application/offset+octet-stream" };
  const created = await step(chat, chat.member, "POST", { headers, body: "hel" });
  assert.deepEqual([created.status, created.headers.get("upload-offset")], [201, "3"]);
  assert.ok(created.headers.has("upload-expires"));
  const path = new URL(created.headers.get("location") ?? "").pathname;
  assert.equal((await append(chat, chat.member, path, { at: 3, body: "lo" })).status, 200);
});

Deno.test("a resumable upload refuses what the protocol does not allow as JSON, with the protocol's status", async () => {
  await using chat = await startChat();
  const path = await begin(chat, chat.member, 5);
  const refusals = [
    ["POST", { "tus-resumable": "2.0.0", "upload-length": "5" }, 412, "Tus-Resumable must be 1.0.0."],
    ["PATCH", { "upload-offset": "0" }, 415, "Content-Type must be application/offset+octet-stream."],
    ["PATCH", { "upload-offset": "0", "content-type": "text/plain" }, 415, null],
    ["POST", { "upload-length": "x" }, 400, "Invalid upload-length"],
    ["POST", { "upload-length": "5", "upload-metadata": "a b c" }, 400, "Invalid upload-metadata"],
    ["POST", {}, 400, "Upload-Length or Upload-Defer-Length header required"],
    ["POST", { "upload-length": "5", "upload-concat": "partial" }, 501, null],
  ] as const;
  for (const [method, headers, status, message] of refusals) {
    const target = method === "PATCH" ? { path, body: "hello" } : {};
    const response = await step(chat, chat.member, method, { headers, ...target });
    const body = await response.json();
    assert.deepEqual([response.status, Object.keys(body)], [status, ["message"]], JSON.stringify(headers));
    if (message !== null) assert.equal(body.message, message);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(response.headers.get("tus-version"), "1.0.0");
  }
  for (const method of ["GET", "PUT"]) {
    const refused = await step(chat, chat.member, method, { path });
    assert.deepEqual([refused.status, (await refused.json()).msg], [405, "Method Not Allowed"]);
    assert.equal(refused.headers.get("allow"), "DELETE, HEAD, OPTIONS, PATCH, POST");
  }
  const begun = await step(chat, chat.member, "HEAD", { path });
  assert.deepEqual([begun.status, begun.headers.get("upload-offset")], [200, "0"]);
});

Deno.test("a POST request is handled as the method that X-HTTP-Method-Override names", async () => {
  await using chat = await startChat();
  const path = await begin(chat, chat.member, 5);
  const override = (method: string, headers: Record<string, string> = {}, body?: string) =>
    step(chat, chat.member, "POST", {
      path,
      headers: { "x-http-method-override": method, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const part = { "content-type": "application/offset+octet-stream" };
  const first = await override("PATCH", { ...part, "upload-offset": "0" }, "hel");
  assert.deepEqual([first.status, first.headers.get("upload-offset")], [204, "3"]);
  assert.ok(first.headers.has("upload-expires"));
  const asked = await override("head");
  assert.deepEqual([asked.status, asked.headers.get("upload-offset"), await asked.text()], [200, "3", ""]);
  assert.equal((await override("OPTIONS")).headers.get("tus-version"), "1.0.0");
  const unknown = await override("TRACE");
  assert.deepEqual([unknown.status, await unknown.json()], [400, {
    message: "The method in X-HTTP-Method-Override is not supported.",
  }]);
  assert.equal((await override("DELETE", {}, "a body")).status, 204);
  assert.equal((await override("HEAD")).status, 404);
  const headers = { "x-http-method-override": "DELETE" };
  const read = await step(chat, chat.member, "HEAD", { path: await begin(chat, chat.member, 5), headers });
  assert.equal(read.status, 200);
});

Deno.test("a page of another site cannot use a session with X-HTTP-Method-Override", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.member);
  const path = await begin(chat, chat.member, 5);
  const headers = { "tus-resumable": "1.0.0", "x-http-method-override": "DELETE" };
  for (const site of ["cross-site", "same-site", "none"]) {
    const refused = await visitor.post(path, {}, { ...headers, "sec-fetch-site": site });
    assert.equal(refused.status, 401, site);
  }
  assert.equal((await visitor.post(path, {}, { ...headers, "sec-fetch-site": "same-origin" })).status, 204);
});
