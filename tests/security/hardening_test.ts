import assert from "node:assert/strict";
import { download, upload } from "@/tests/casts/files_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

Deno.test("a file that is not shown inline is served as bytes that nothing runs", async () => {
  await using chat = await startChat();
  const types = [
    "text/javascript",
    "text/html",
    "image/svg+xml",
    "text/css",
    "application/json",
    "application/wasm",
  ];
  for (const type of types) {
    const { body } = await upload(chat, chat.member, { name: "a.js", content: "alert(1)", type });
    for (const path of [body["url"], await temporaryPath(body["url"])]) {
      const { status, headers } = await download(chat, chat.member, path);
      assert.equal(status, 200);
      assert.equal(headers.get("content-type"), "application/octet-stream", type);
      assert.match(headers.get("content-disposition") ?? "", /^attachment/);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
    }
  }
  const text = await upload(chat, chat.member, { name: "a.txt", content: "alert(1)", type: "text/plain" });
  const { headers } = await download(chat, chat.member, text.body["url"]);
  assert.deepEqual([headers.get("content-type"), headers.get("x-content-type-options")], [
    "text/plain; charset=utf-8",
    "nosniff",
  ]);

  async function temporaryPath(url: string): Promise<string> {
    return String((await chat.call(chat.member, `GET ${url}`)).body["url"]);
  }
});

Deno.test("pages run scripts by their nonce only", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.owner);
  const visitor = visitPages(chat);
  const pages = [
    ...["/", "/docs", "/login", "/forgot-password"].map((path) => () => visitor.get(path)),
    ...["/account", "/admin", "/admin/users", "/admin/linkifiers"].map((path) => () => admin.get(path)),
    () => visitor.get("/no-such-page.html"),
  ];
  for (const open of pages) {
    const { headers, html } = await open();
    const policy = headers.get("content-security-policy") ?? "";
    const sources = /(?:^|; )script-src ([^;]*)/.exec(policy)?.[1] ?? "'none'";
    assert.match(sources, /^('none'|'nonce-[\w-]+')$/, policy);
    const nonce = /'nonce-([\w-]+)'/.exec(sources)?.[1];
    for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) {
      assert.ok(nonce !== undefined && tag.includes(`nonce="${nonce}"`), tag);
    }
  }
});
