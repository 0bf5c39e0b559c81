import assert from "node:assert/strict";
import { FORM_BODY_BYTES } from "@/lib/api/body.ts";
import { readRealmBySubdomain } from "@/lib/chat/organization/organizations/model.ts";
import { basic, startChat, type TestChat } from "@/tests/helpers/chat.ts";

const REALM = "/api/v1/realm";
const FORM = "application/x-www-form-urlencoded";

interface Sending {
  readonly method?: string;
  readonly type?: string;
  readonly body?: BodyInit;
  readonly path?: string;
}

/** PATCH /realm by an administrator, with a body as it goes on the wire. */
async function send(chat: TestChat, { method = "PATCH", type, body = "", path = REALM }: Sending) {
  const headers = new Headers({ authorization: basic(chat.admin.email, chat.admin.apiKey) });
  if (type !== undefined) headers.set("content-type", type);
  const response = await chat.request(path, { method, headers, ...(method === "GET" ? {} : { body }) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? null : JSON.parse(text),
  };
}

async function nameOf(chat: TestChat): Promise<string | undefined> {
  return (await readRealmBySubdomain(chat.services.chat, ""))?.name;
}

Deno.test("a success has an empty message and must not be cached", async () => {
  await using chat = await startChat();
  const { status, body, headers } = await send(chat, { type: FORM, body: "name=One" });
  assert.deepEqual([status, body], [200, { result: "success", msg: "" }]);
  assert.equal(headers.get("content-type"), "application/json");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("vary"), "Authorization, Cookie");
  assert.equal(headers.get("x-ratelimit-limit"), null, "limits are off");
});

Deno.test("urlencoded bodies are read for any spelling of the content type, and the last of two values counts", async () => {
  await using chat = await startChat();
  for (const type of [FORM, `${FORM};charset=UTF-8`, "Application/X-WWW-Form-URLencoded"]) {
    const name = `By ${type.length}`;
    await send(chat, { type, body: `name=first&name=${encodeURIComponent(name)}` });
    assert.equal(await nameOf(chat), name, type);
  }
  await send(chat, { type: FORM, body: "name=%F0%9F%8C%B1+a%2Bb&" });
  assert.equal(await nameOf(chat), "🌱 a+b");
});

Deno.test("multipart bodies are read, and their files are not parameters", async () => {
  await using chat = await startChat();
  const form = new FormData();
  form.set("name", "🌱 in parts");
  form.set("zebra", "1");
  form.set("description", new File(["a file"], "a.txt"));
  const { status, body } = await send(chat, { body: form });
  assert.deepEqual([status, body.ignored_parameters_unsupported], [200, ["zebra"]]);
  assert.equal(await nameOf(chat), "🌱 in parts");
  assert.equal((await readRealmBySubdomain(chat.services.chat, ""))?.description, "");
  const type = "multipart/form-data; boundary=x";
  assert.equal((await send(chat, { type, body: "" })).status, 200);
  const broken = await send(chat, { type, body: "no parts at all" });
  assert.deepEqual([broken.status, broken.body.msg], [400, "The form cannot be read."]);
});

Deno.test("the query is read for every method, and the body takes precedence (A013)", async () => {
  await using chat = await startChat();
  await send(chat, { path: `${REALM}?name=From+the+query` });
  assert.equal(await nameOf(chat), "From the query");
  const both = `${REALM}?name=query&description=query`;
  await send(chat, { path: both, type: FORM, body: "name=body" });
  const realm = await readRealmBySubdomain(chat.services.chat, "");
  assert.deepEqual([realm?.name, realm?.description], ["body", "query"]);
});

Deno.test("bodies of other types contain no parameters, so the request succeeds and changes nothing", async () => {
  await using chat = await startChat();
  const body = JSON.stringify({ name: "By JSON", zebra: 1 });
  for (const type of ["application/json", "text/plain", "multipart/form-data", undefined]) {
    const answer = await send(chat, type === undefined ? { body } : { type, body });
    assert.deepEqual([answer.status, answer.body], [200, { result: "success", msg: "" }], type ?? "");
  }
  assert.equal(await nameOf(chat), "Gardeners");
});

Deno.test("a success lists unknown parameters once, in alphabetical order (A011)", async () => {
  await using chat = await startChat();
  const path = `${REALM}?zebra=1&apple=2&__proto__=3`;
  const { body } = await send(chat, { path, type: FORM, body: "zebra=4&Ant=5&constructor=6" });
  assert.deepEqual(body.ignored_parameters_unsupported, [
    "Ant",
    "__proto__",
    "apple",
    "constructor",
    "zebra",
  ]);
  const refused = await send(chat, { path, type: FORM, body: "name=" });
  assert.deepEqual(refused.body, { result: "error", msg: "name cannot be blank", code: "BAD_REQUEST" });
});

Deno.test("parameters cannot override the caller's identity", async () => {
  await using chat = await startChat();
  const sent = { realm_id: chat.outsider.realm.id, user_id: chat.owner.id, role: 100, is_admin: true };
  const { status, body } = await chat.call(chat.member, "GET /users/me", sent);
  assert.deepEqual([status, body.user_id, body.role], [200, chat.member.id, 400]);
  assert.deepEqual(body.ignored_parameters_unsupported, ["is_admin", "realm_id", "role", "user_id"]);
  assert.equal((await chat.call(chat.member, "PATCH /realm", { ...sent, name: "x" })).status, 400);
});

Deno.test("only the first problem is reported: access first, then parameters in order (A016)", async () => {
  await using chat = await startChat();
  const bad = "email_changes_disabled=x&name=&waiting_period_threshold=y";
  assert.equal((await send(chat, { type: FORM, body: bad })).body.msg, "name cannot be blank");
  const member = await chat.call(chat.member, "PATCH /realm", { name: "" });
  assert.equal(member.body.code, "UNAUTHORIZED_PRINCIPAL");
  const nobody = await chat.call(null, "PATCH /realm", { name: "" });
  assert.deepEqual([nobody.status, nobody.body.code], [401, "UNAUTHORIZED"]);
});

Deno.test("unknown paths return 404 with JSON for every caller and method (A009)", async () => {
  await using chat = await startChat();
  const notFound = { result: "error", msg: "Not found", code: "NOT_FOUND" };
  for (
    const path of ["/api/v1/nowhere", "/api/v1", "/api", "/api/v2/realm", "/api/v1/Realm"]
  ) {
    const { status, body, headers } = await send(chat, { method: "GET", path });
    assert.deepEqual([status, body], [404, notFound], path);
    assert.equal(headers.get("content-type"), "application/json");
  }
  const headers = { accept: "text/html" };
  const browser = await chat.request("/api/v1/nowhere", { headers });
  assert.deepEqual([browser.status, await browser.json()], [404, notFound]);
});

Deno.test("an unsupported method returns 405 with the allowed methods, before authentication (A007)", async () => {
  await using chat = await startChat();
  for (const method of ["GET", "POST", "PUT", "DELETE"]) {
    const { status, body, headers } = await send(chat, { method, type: FORM, body: "name=x" });
    assert.equal(status, 405, method);
    assert.deepEqual([body.result, body.msg], ["error", "Method Not Allowed"]);
    assert.deepEqual(body.allowed_methods, ["OPTIONS", "PATCH"]);
    assert.equal(headers.get("allow"), "OPTIONS, PATCH");
  }
  assert.equal((await chat.call(null, "DELETE /realm")).status, 405);
  assert.equal(await nameOf(chat), "Gardeners");
});

Deno.test("OPTIONS returns the allowed methods without a body and without CORS headers", async () => {
  await using chat = await startChat();
  const { status, body, headers } = await send(chat, { method: "OPTIONS" });
  assert.deepEqual([status, body, headers.get("allow")], [204, null, "OPTIONS, PATCH"]);
  assert.equal(headers.get("access-control-allow-origin"), null);
});

Deno.test("HEAD returns the headers of GET without a body", async () => {
  await using chat = await startChat();
  const response = await chat.request("/api/v1/server_settings", { method: "HEAD" });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/json");
});

Deno.test("a form that is too large or has too many fields is refused", async () => {
  await using chat = await startChat();
  const huge = "x".repeat(FORM_BODY_BYTES);
  const multipart = new FormData();
  multipart.set("name", huge);
  for (const sending of [{ type: FORM, body: `name=${huge}` }, { body: multipart }]) {
    const { status, body, headers } = await send(chat, sending);
    assert.deepEqual([status, body.result, body.code], [413, "error", "CONTENT_TOO_LARGE"]);
    assert.equal(headers.get("connection"), "close");
  }
  const fields = Array.from({ length: 1001 }, (_, at) => `f${at}=`).join("&");
  const many = await send(chat, { type: FORM, body: fields });
  assert.deepEqual([many.status, many.body.msg], [400, "A request has 1000 fields at most."]);
  assert.equal(await nameOf(chat), "Gardeners");
});

Deno.test("a body that is not valid UTF-8 is refused", async () => {
  await using chat = await startChat();
  const body = new Uint8Array([...new TextEncoder().encode("name="), 0xff, 0xfe]);
  const answer = await send(chat, { type: FORM, body });
  assert.deepEqual([answer.status, answer.body.code], [400, "BAD_REQUEST"]);
});

Deno.test("every response has a request id and headers against content sniffing", async () => {
  await using chat = await startChat();
  const answers = [
    await send(chat, {}),
    await send(chat, { type: FORM, body: "name=" }),
    await send(chat, { method: "GET" }),
    await send(chat, { path: "/api/v1/nowhere" }),
  ];
  for (const { headers } of answers) {
    assert.ok(headers.get("x-request-id"));
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
  }
});
