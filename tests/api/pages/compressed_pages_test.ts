import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { createOwnersSamples } from "@/tests/casts/admin_samples_cast.ts";
import { listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

/** Requests a page as a browser that accepts gzip. */
function request(
  chat: TestChat,
  visitor: PageVisitor,
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const cookie = `sotto_session=${visitor.token()}`;
  return chat.request(path, {
    method,
    headers: { accept: "text/html", "accept-encoding": "gzip, br", cookie, ...headers },
  });
}

Deno.test("pages are compressed for clients that accept gzip, unless another site opens them", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  const response = await request(chat, visitor, "/admin/links");
  assert.equal(response.headers.get("content-encoding"), "gzip");
  assert.match(response.headers.get("vary") ?? "", /Accept-Encoding/);
  const bytes = await response.bytes();
  assert.match(gunzipSync(bytes).toString(), /^<!DOCTYPE html>.*Short links.*<\/html>$/s);
  const head = await request(chat, visitor, "/admin/links", { method: "HEAD" });
  assert.equal(head.headers.get("content-encoding"), "gzip");
  assert.ok(Math.abs(Number(head.headers.get("content-length")) - bytes.length) < 100);
  const plain = [{ "accept-encoding": "br" }, { "sec-fetch-site": "cross-site" }, {
    "sec-fetch-site": "same-site",
  }];
  for (const headers of plain) {
    const { headers: sent, body } = await request(chat, visitor, "/admin/links", { headers });
    await body?.cancel();
    assert.equal(sent.get("content-encoding"), null, JSON.stringify(headers));
  }
});

/** Returns the keys and links in an organization that a page might show. */
async function listSecrets(chat: TestChat): Promise<string[]> {
  const { body: { invites } } = await chat.call(chat.owner, "GET /invites");
  const { body: { bots } } = await chat.call(chat.owner, "GET /bots");
  const links = invites.map(({ link_url }: { link_url?: string }) => link_url?.split("/").at(-1) ?? "");
  const botKeys = bots.map((bot: { api_key: string }) => bot.api_key);
  const people = [chat.owner, chat.admin, chat.member];
  return [...people.map(({ apiKey }) => apiKey), ...links, ...botKeys].filter((secret) => secret !== "");
}

Deno.test("no compressed page has a key or an invitation link, and no answer to a form is compressed", async () => {
  await using chat = await startChat();
  const samples = await createOwnersSamples(chat);
  const { body: { invite_link } } = await chat.call(chat.owner, "POST /invites/multiuse", { stream_ids: [] });
  await chat.call(chat.owner, "POST /bots", { full_name: "Hook", short_name: "hook", bot_type: 2 });
  const { body: { user_id } } = await chat.call(chat.owner, "POST /bots", {
    ...{ full_name: "Out", short_name: "out", bot_type: 3, payload_url: "https://hooks.example/own-secret" },
  });
  const visitor = await signIn(chat, chat.owner);
  const secrets = [...await listSecrets(chat), visitor.token() ?? "", "own-secret"];
  const admin = listAdminRoutes().filter(({ isPage }) => isPage)
    .map(({ pattern }) => toAdminPath(pattern, samples))
    .concat(`/admin/users/${user_id}`, `/admin/users/${String(user_id).replaceAll(/\d/g, "%3$&")}`);
  const shown = new Set<string>();
  let compressed = 0;
  for (
    const path of [...admin, "/account", "/connect", "/login", "/", "/docs", new URL(invite_link).pathname]
  ) {
    const response = await request(chat, visitor, path);
    const isCompressed = response.headers.get("content-encoding") === "gzip";
    const bytes = await response.bytes();
    const html = isCompressed ? gunzipSync(bytes).toString() : new TextDecoder().decode(bytes);
    const found = secrets.filter((secret) => html.includes(secret));
    for (const secret of found) shown.add(secret);
    if (isCompressed) compressed++;
    assert.ok(!isCompressed || found.length === 0, `${path} is compressed and shows ${found.length} secrets`);
    if (found.length > 0) assert.equal(response.headers.get("cache-control"), "no-store, no-transform", path);
  }
  assert.ok(compressed > admin.length / 2);
  // The list of invitations shows links; otherwise this test would look for nothing.
  assert.ok(shown.size > 1 && shown.has("own-secret"));
  const answer = await chat.request("/account", {
    method: "POST",
    headers: {
      ...{ accept: "text/html", "accept-encoding": "gzip", "sec-fetch-site": "same-origin" },
      cookie: `sotto_session=${visitor.token()}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ action: "show_key", password: "wrong" }),
  });
  assert.match(await answer.text(), /<\/html>$/);
  assert.equal(answer.headers.get("cache-control"), "no-store, no-transform");
});
