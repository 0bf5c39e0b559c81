import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

Deno.test("the API documentation has its own style sheets beside the one of the site", async () => {
  await using chat = await startChat();
  const { html } = await visitPages(chat).get("/docs");
  const sheets = [...html.matchAll(/<link [^>]*rel="stylesheet"[^>]*>/g)].map(([tag]) => tag);
  for (const name of ["/styles", "/vendor/swagger-ui", "/docs"]) {
    assert.equal(sheets.filter((tag) => tag.includes(`href="${name}`)).length, 1, name);
  }
});

Deno.test("scripts that a page loads early carry the nonce that allows them", async () => {
  await using chat = await startChat();
  const { headers } = await visitPages(chat).get("/");
  const nonce = /script-src 'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
  assert.ok(nonce);
  const links = headers.get("link")?.split(", ") ?? [];
  assert.ok(
    links.length >= 2 && links.every((link) => link.split(`; nonce="${nonce}"`).length === 2),
    links.join(),
  );
});

Deno.test("a chart keeps its title, and the page of statistics its own", async () => {
  await using chat = await startChat();
  await chat.shorten("https://example.com/");
  const { html } = await (await signIn(chat, chat.owner)).get("/admin/stats");
  assert.match(/<head>.*<title>(.*?)<\/title>.*<\/head>/s.exec(html)?.[1] ?? "", /^Statistics · .* · Sotto$/);
  const charts = [...html.matchAll(/<svg[^>]*role="img"[^>]*><title[^>]*>(.*?)<\/title>/g)].map(([, text]) =>
    text
  );
  assert.ok(charts.length > 0 && charts.every((text) => text && !text.includes("Sotto")), charts.join());
});
