import assert from "node:assert/strict";
import { FormFields } from "@/lib/admin/form_fields.ts";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

const KB = 1024;
const SAME_ORIGIN = { "sec-fetch-site": "same-origin", accept: "text/html" };
const FORMS = ["/login", "/forgot-password", "/logout", "/setup", "/account", "/connect"];

/** Returns a body that counts the bytes read from it. */
function countedBody(text: string): { body: ReadableStream<Uint8Array>; read: () => number } {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at += 16 * KB));
      if (at >= bytes.length) controller.close();
    },
  }, { highWaterMark: 0 });
  return { body, read: () => Math.min(at, bytes.length) };
}

function post(app: TestApp, path: string, body: BodyInit, headers: Record<string, string> = {}) {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return app.request(path, { method: "POST", body, headers: { ...SAME_ORIGIN, ...type, ...headers } });
}

Deno.test("C19 a page form of a megabyte is refused before it is read, and with 64 kB at most in memory", async () => {
  await using chat = await startChat();
  const text = "a=&".repeat(350_000);
  const member = visitPages(chat);
  await member.post("/login", { username: chat.member.email, password: "a quiet garden wall" });
  const cookie = `sotto_session=${member.token()}`;
  for (const path of FORMS) {
    const sent = countedBody(text);
    const response = await post(chat, path, sent.body, { cookie });
    await response.body?.cancel();
    if (path !== "/setup") assert.equal(response.status, 413, path);
    assert.ok(sent.read() <= 96 * KB, `${path} read ${sent.read()} bytes`);
  }
});

Deno.test("C19 the fields of a form are counted before they are parsed", async () => {
  await using chat = await startChat();
  const many = "a&".repeat(30_000);
  assert.equal((await post(chat, "/login", many)).status, 400);
  const form = await post(chat, "/api/v1/fetch_api_key", "a&".repeat(400_000));
  assert.deepEqual([form.status, (await form.json()).msg], [400, "A request has 1000 fields at most."]);
  const parts = Array.from({ length: 1001 }, () => '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n');
  const type = { "content-type": "multipart/form-data; boundary=x" };
  const multipart = await post(chat, "/api/v1/fetch_api_key", `${parts.join("\r\n")}\r\n--x--`, type);
  assert.deepEqual(
    [multipart.status, (await multipart.json()).msg],
    [400, "A request has 1000 fields at most."],
  );
});

Deno.test("C19 a form of an administration page has 20,000 fields and 250,000 characters at most", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const cookie = `sotto_session=${admin.token()}`;
  const many = await post(chat, "/admin/channels/new", "a&".repeat(20_001), { cookie });
  assert.equal(many.status, 400);
  assert.match(await many.text(), /A request has 20000 fields at most/);
  const long = await post(chat, "/admin/channels/new", `name=${"a".repeat(250_001)}`, { cookie });
  assert.equal(long.status, 413);
  assert.match(await long.text(), /The form has more than 250000 characters/);
});

Deno.test("C19 a form of an administration page names 20,000 records at most in one field", () => {
  const ids = Array.from({ length: 30_000 }, (_, at) => at);
  assert.deepEqual(new FormFields([["id", ids.join()]]).ints("id"), ids.slice(0, 20_000));
});

Deno.test("C19 a form of a client beyond its limit is refused before it is read, with the time to wait", async () => {
  const rule = { points: 1, seconds: 60 };
  const rules = { sign_in_address: rule, mail_address: rule, shorten: rule, mailed_link: rule, join: rule };
  await using chat = await startChat({ env: { RATE_LIMITS: JSON.stringify(rules) } });
  const fields: Record<string, string> = {
    "/login": "username=a&password=b",
    "/forgot-password": "email=nobody%40example.com",
    "/": "url=https%3A%2F%2Fexample.com%2F",
    "/reset-password/abc": "new_password=a",
    "/setup": "token=a",
    "/join/i1-abc": "full_name=a",
  };
  for (const [path, text] of Object.entries(fields)) {
    await (await post(chat, path, text)).body?.cancel();
    const sent = countedBody(text);
    const response = await post(chat, path, sent.body);
    await response.body?.cancel();
    if (path === "/setup") continue;
    assert.deepEqual([response.status, sent.read()], [429, 0], path);
    assert.ok(Number(response.headers.get("retry-after")) > 0, path);
  }
});

Deno.test("C19 a form of a client within its limits is read", async () => {
  await using app = await startTestApp();
  const response = await post(app, "/", "url=https%3A%2F%2Fexample.com%2F");
  assert.equal(response.status, 303);
});
