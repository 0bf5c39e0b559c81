import assert from "node:assert/strict";
import { ANY_SAMPLES, listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

const OWN = "http://localhost:8000";
const REFUSAL =
  "This form was sent from another site and was not processed. Open the page on this site and try again.";
/** Headers that do not prove that a page of this site sent a form. */
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { origin: "https://evil.example" },
  { origin: "http://localhost:8001" },
  { origin: "https://localhost:8000" },
  { origin: "http://other.localhost:8000" },
  { origin: `${OWN}.evil.example` },
  { origin: "null" },
  {},
  { referer: `${OWN}/admin` },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "cross-site", origin: OWN },
  { "sec-fetch-site": "same-site", origin: OWN },
  { "sec-fetch-site": "none" },
  { "sec-fetch-site": "" },
  { "sec-fetch-site": "same-origin, cross-site" },
];
const OURS: readonly Readonly<Record<string, string>>[] = [
  { "sec-fetch-site": "same-origin" },
  { origin: OWN },
];

/**
 * Returns every admin path that accepts forms. No records are needed: the origin of a form is checked first.
 */
async function formPaths(visitor: PageVisitor): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { pattern } of listAdminRoutes()) {
    const path = toAdminPath(pattern, ANY_SAMPLES);
    const { status } = await visitor.post(path, { action: "none of this page" });
    if (status !== 405) paths.push(path);
  }
  return paths;
}

async function contentOf(chat: TestChat): Promise<string> {
  const records: unknown[] = [];
  for await (const { key, value } of chat.services.store.kv.list({ start: [], end: [true] })) {
    records.push([key, value]);
  }
  return JSON.stringify(records, (_, part) => typeof part === "bigint" ? `${part}` : part);
}

Deno.test("admin pages refuse forms that another site made a browser send", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const paths = await formPaths(visitor);
  assert.ok(paths.length >= 4, paths.join());
  assert.ok(paths.includes("/admin/theme") && paths.includes("/admin/channel-folders"));
  const before = await contentOf(chat);
  for (const path of paths) {
    for (const headers of FOREIGN) {
      const { status, html } = await visitor.post(path, { action: "create", theme: "dark" }, headers);
      assert.deepEqual([status, html.includes(REFUSAL)], [400, true], `${path} ${JSON.stringify(headers)}`);
    }
    for (const headers of OURS) {
      const { html } = await visitor.post(path, { action: "none of this page" }, headers);
      assert.ok(!html.includes(REFUSAL), `${path} ${JSON.stringify(headers)}`);
    }
  }
  assert.equal(await contentOf(chat), before);
});

Deno.test("admin pages refuse other body types, other methods, and scripts of other sites", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const cookie = `sotto_session=${visitor.token()}`;
  const paths = await formPaths(visitor);
  // The owner has used pages, which is stored later.
  await chat.services.chat.activity.sweep();
  const before = await contentOf(chat);
  const send = async (path: string, init: RequestInit) => {
    const response = await chat.request(path, {
      ...init,
      headers: { cookie, accept: "application/json", ...init.headers },
    });
    await response.body?.cancel();
    return response.status;
  };
  for (const path of paths) {
    for (const type of ["text/plain", "application/json", "multipart/form-data; boundary=x"]) {
      const body = type === "text/plain" ? "action=create&name=x" : '{"action":"create","name":"x"}';
      const headers = { "content-type": type, origin: "https://evil.example" };
      assert.equal(await send(path, { method: "POST", body, headers }), 400, `${path} ${type}`);
      assert.equal(await send(path, { method: "POST", body, headers: { "content-type": type } }), 400);
    }
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      assert.equal(await send(path, { method, headers: { "sec-fetch-site": "same-origin" } }), 405);
    }
    for (const over of [`${path}?_method=DELETE`, `${path}?action=create&name=x`]) {
      assert.ok([200, 404, 405].includes(await send(over, {})), over);
    }
    const preflight = await chat.request(path, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    assert.equal(preflight.headers.get("access-control-allow-origin"), null);
    await preflight.body?.cancel();
  }
  assert.equal(await contentOf(chat), before);
});
