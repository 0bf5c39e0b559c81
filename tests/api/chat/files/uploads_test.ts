import assert from "node:assert/strict";
import { pendingKeys } from "@/lib/chat/organization/files/model.ts";
import { basic, startChat } from "@/tests/helpers/chat.ts";
import { upload } from "@/tests/casts/files_cast.ts";

const HELLO = { name: "notes.txt", content: "hello!", type: "text/plain" };

Deno.test("POST /user_uploads stores a file and sends an event to its owner only (B-up-01)", async () => {
  await using chat = await startChat();
  const { status, body } = await upload(chat, chat.member, HELLO);
  assert.equal(status, 200);
  assert.equal(body["url"], body["uri"]);
  assert.match(
    body["url"],
    new RegExp(`^/user_uploads/${chat.realm.id}/[0-9a-f]{1,2}/[\\w-]{24}/notes\\.txt$`),
  );
  assert.deepEqual([body["result"], body["msg"], body["filename"]], ["success", "", "notes.txt"]);
  const [event, ...others] = await chat.events();
  assert.deepEqual(others, []);
  assert.deepEqual(event?.audience, [chat.member.id]);
  const listed = await chat.call(chat.member, "GET /attachments");
  assert.equal(listed.body["upload_space_used"], 6);
  const [file] = listed.body["attachments"];
  assert.deepEqual(event?.event, { type: "attachment", op: "add", attachment: file, upload_space_used: 6 });
  assert.deepEqual([file.name, file.size, file.message_ids], ["notes.txt", 6, []]);
  assert.equal(`/user_uploads/${file.path_id}`, body["url"]);
  assert.deepEqual((await chat.call(chat.admin, "GET /attachments")).body["attachments"], []);
});

Deno.test("POST /user_uploads accepts exactly one file (B-up-02, B-up-03)", async () => {
  await using chat = await startChat();
  const none = await upload(chat, chat.member);
  assert.deepEqual([none.status, none.body["msg"]], [400, "You must specify a file to upload"]);
  const urlencoded = await chat.call(chat.member, "POST /user_uploads", { file: "x" });
  assert.equal(urlencoded.body["msg"], "You must specify a file to upload");
  const two = await upload(chat, chat.member, HELLO, { name: "b.txt", content: "b" });
  assert.deepEqual([two.status, two.body["msg"]], [400, "You may only upload one file at a time"]);
  assert.deepEqual(await chat.events(), []);
  for await (const entry of chat.services.store.kv.list({ prefix: [chat.realm.id, "upload_chunk"] })) {
    assert.fail(`${entry.key} is left`);
  }
});

Deno.test("POST /user_uploads accepts all accounts, including guests and bots, and no anonymous requests", async () => {
  await using chat = await startChat();
  for (const person of [chat.owner, chat.guest, chat.bot, chat.outsider]) {
    assert.equal((await upload(chat, person, HELLO)).status, 200);
  }
  assert.equal((await upload(chat, null, HELLO)).status, 401);
});

Deno.test("POST /user_uploads refuses a too large file, before the quota, and stores nothing of it (B-up-05)", async () => {
  await using chat = await startChat({ env: { UPLOAD_MAX_MIB: "1", UPLOAD_QUOTA_MIB: "4" } });
  const large = await upload(chat, chat.member, { name: "a", content: new Uint8Array(1024 * 1024 + 1) });
  assert.deepEqual([large.status, large.body["code"], large.body["msg"]], [
    400,
    "BAD_REQUEST",
    "File is larger than this server's configured maximum upload size (1 MiB).",
  ]);
  const exact = { name: "a", content: new Uint8Array(1_000_000) };
  for (let times = 0; times < 4; times++) assert.equal((await upload(chat, chat.member, exact)).status, 200);
  const more = await upload(chat, chat.admin, exact);
  assert.deepEqual([more.status, more.body["code"], more.body["msg"]], [
    400,
    "REALM_UPLOAD_QUOTA",
    "Upload would exceed your organization's upload quota.",
  ]);
  assert.equal((await upload(chat, chat.outsider, exact)).status, 200);
  const pending = await Array.fromAsync(chat.services.store.kv.list({ prefix: [...pendingKeys.pending] }));
  assert.deepEqual(pending, []);
});

Deno.test("uploads that arrive together share commits", async () => {
  await using chat = await startChat();
  const { body: { queue_id } } = await chat.call(chat.member, "POST /register", {
    event_types: JSON.stringify(["attachment"]),
  });
  const { kv } = chat.services.store;
  const atomic = kv.atomic.bind(kv);
  let commits = 0;
  kv.atomic = () => {
    commits++;
    return atomic();
  };
  const count = 32;
  const answers = await Promise.all(Array.from({ length: count }, () => upload(chat, chat.member, HELLO)));
  assert.equal(new Set(answers.map(({ body }) => body["url"])).size, count);
  assert.ok(commits < count / 2, `${commits} commits`);
  const listed = await chat.call(chat.member, "GET /attachments");
  assert.equal(listed.body["upload_space_used"], 6 * count);
  assert.equal(listed.body["attachments"].length, count);
  const received = await chat.call(chat.member, "GET /events", { queue_id, last_event_id: "-1" });
  const used = received.body["events"].map((event: Record<string, unknown>) => event["upload_space_used"]);
  assert.deepEqual(used, Array.from({ length: count }, (_, at) => 6 * (at + 1)));
});

Deno.test("POST /user_uploads enforces the quota for concurrent uploads", async () => {
  await using chat = await startChat({ env: { UPLOAD_MAX_MIB: "1", UPLOAD_QUOTA_MIB: "2" } });
  const file = { name: "a", content: new Uint8Array(900_000) };
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(chat, chat.member, file)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 2);
  const { body } = await chat.call(chat.member, "GET /attachments");
  assert.deepEqual([body["attachments"].length, body["upload_space_used"]], [2, 1_800_000]);
});

const NAMES: readonly [sent: string, tail: string, shown: string][] = [
  ["../foo", "foo", "foo"],
  ["..%2Ffoo", "foo", "foo"],
  ["**", "uploaded-file", "**"],
  ["foo bar--baz", "foo-bar-baz", "foo bar--baz"],
  [".", "uploaded-file", "."],
  ["Größe.txt", "Größe.txt", "Größe.txt"],
  ["a\u202egpj.exe", "agpj.exe", "agpj.exe"],
  ["a;b=c.txt", "abc.txt", "a;b=c.txt"],
  ["x".repeat(400) + ".png", "x".repeat(251) + ".png", "x".repeat(251) + ".png"],
];

Deno.test("POST /user_uploads creates a safe path from any name (B-up-08)", async () => {
  await using chat = await startChat();
  for (const [sent, tail, shown] of NAMES) {
    const { status, body } = await upload(chat, chat.member, { name: sent, content: "x" });
    assert.equal(status, 200, sent);
    assert.equal(body["url"].split("/").at(-1), tail);
    assert.equal(body["filename"], shown);
    assert.ok(!body["url"].includes(".."));
  }
});

Deno.test("POST /user_uploads accepts an empty file", async () => {
  await using chat = await startChat();
  const { status, body } = await upload(chat, chat.member, { name: "empty.bin", content: "" });
  assert.equal(status, 200);
  const response = await chat.request(body["url"], {
    headers: { authorization: basic(chat.member.email, chat.member.apiKey) },
  });
  assert.deepEqual([response.status, await response.text()], [200, ""]);
});

Deno.test("POST /user_uploads with an empty body reports the missing file", async () => {
  await using chat = await startChat();
  const headers = {
    authorization: basic(chat.member.email, chat.member.apiKey),
    "content-type": "multipart/form-data; boundary=b",
  };
  for (const body of ["", "--b--\r\n"]) {
    const response = await chat.request("/api/v1/user_uploads", { method: "POST", body, headers });
    assert.equal(response.status, 400);
    assert.equal((await response.json()).msg, "You must specify a file to upload");
  }
});

Deno.test("POST /user_uploads lists ignored fields", async () => {
  await using chat = await startChat();
  const form = new FormData();
  form.append("before", "1");
  form.append("file", new Blob(["x"]), "x.txt");
  form.append("after", "2");
  const headers = { authorization: basic(chat.member.email, chat.member.apiKey) };
  const init = { method: "POST", body: form, headers };
  const response = await chat.request("/api/v1/user_uploads?asked=3", init);
  assert.equal(response.status, 200);
  assert.deepEqual((await response.json()).ignored_parameters_unsupported, ["asked", "before", "after"]);
});

Deno.test("POST /user_uploads refuses a truncated body and stores nothing of it", async () => {
  await using chat = await startChat();
  const headers = {
    authorization: basic(chat.member.email, chat.member.apiKey),
    "content-type": "multipart/form-data; boundary=b",
  };
  const begun = '--b\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello';
  const response = await chat.request("/api/v1/user_uploads", { method: "POST", body: begun, headers });
  assert.equal(response.status, 400);
  assert.deepEqual((await chat.call(chat.member, "GET /attachments")).body["attachments"], []);
  const chunks = chat.services.store.kv.list({ prefix: [chat.realm.id, "upload_chunk"] });
  assert.deepEqual(await Array.fromAsync(chunks), []);
});
