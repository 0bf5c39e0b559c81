import assert from "node:assert/strict";
import { withProject } from "@/tests/casts/fresh_project_cast.ts";

const DOCUMENT = `export default ({ Component }) =>
  <html>
    <head><title>Site</title><link rel="stylesheet" href="/site.css" /><meta name="theme" content="light" /></head>
    <body><Component /></body>
  </html>;`;

/** Renders a page with elements for the head, and returns the head and the body without closing slashes. */
async function render(
  inHead: string,
  inBody = "",
  document = DOCUMENT,
): Promise<{ head: string; body: string }> {
  const files = {
    "routes/_app.jsx": document,
    "routes/index.jsx": `import { Head } from "fresh/runtime";
      const Both = () => <><meta name="a" content="1" /><meta name="b" content="2" /></>;
      export default () => <main><Head>${inHead}</Head>${inBody}</main>;`,
  };
  let html = "";
  await withProject(files, async ({ text }) => {
    html = (await text("/")).replaceAll("/>", ">");
  });
  const [, head = "", body = ""] = /<head>(.*)<\/head><body>(.*)<\/body>/s.exec(html) ?? [];
  return { head, body };
}

Deno.test("Head replaces elements of the document that have equal attributes, and adds all others", async () => {
  const { head } = await render(`<meta name="theme" content="dark" /><meta name="robots" content="none" />`);
  assert.equal(
    head,
    `<title>Site</title><link rel="stylesheet" href="/site.css"><meta name="theme" content="dark">` +
      `<meta name="robots" content="none">`,
  );
});

Deno.test("the address of a link does not count: a style sheet in Head replaces the document's", async () => {
  const { head } = await render(`<link rel="stylesheet" href="/page.css" />`);
  assert.ok(head.includes(`href="/page.css"`), head);
  assert.ok(!head.includes(`href="/site.css"`), head);
});

Deno.test("elements with keys of their own are added, and carry the key in data-key", async () => {
  const { head } = await render(
    `<link key="one" rel="stylesheet" href="/1.css" /><link key="two" rel="stylesheet" href="/2.css" />`,
  );
  const links = [...head.matchAll(/<link[^>]*>/g)].map(([link]) => link);
  assert.deepEqual(links.map((link) => /href="([^"]*)"/.exec(link)?.[1]), ["/site.css", "/1.css", "/2.css"]);
  assert.deepEqual(links.map((link) => /data-key="([^"]*)"/.exec(link)?.[1]), [undefined, "one", "two"]);
});

Deno.test("an element in Head replaces the document's element of the same key", async () => {
  const document = DOCUMENT.replace("<link rel", `<link key="main" rel`);
  const { head } = await render(
    `<link key="main" rel="stylesheet" href="/page.css" media="all" />`,
    "",
    document,
  );
  assert.ok(head.includes(`href="/page.css"`), head);
  assert.ok(!head.includes(`href="/site.css"`), head);
});

Deno.test("a title in the body without a key is replaced by the one of Head", async () => {
  const { head, body } = await render(`<title>Page</title>`, `<svg><title>Chart</title></svg>`);
  assert.match(head, /<title>Site<\/title>/);
  assert.match(body, /<svg><title>Page<\/title><\/svg>/);
});

Deno.test("a title in the body with a key stays, and Head replaces the document's", async () => {
  const { head, body } = await render(`<title>Page</title>`, `<svg><title key="chart">Chart</title></svg>`);
  assert.match(head, /<title>Page<\/title>/);
  assert.match(body, /<svg><title data-key="chart">Chart<\/title><\/svg>/);
});

Deno.test("components in Head are rendered, and elements that a head cannot hold stay in the body", async () => {
  const { head, body } = await render(`<Both /><p>paragraph</p>`);
  assert.match(head, /<meta name="a" content="1"><meta name="b" content="2">/);
  assert.match(body, /<main><p>paragraph<\/p><\/main>/);
});

Deno.test("without a document of its own, a page gets a head with the elements of Head", async () => {
  const files = {
    "routes/index.jsx": `import { Head } from "fresh/runtime";
      export default () => <p><Head><title>Page</title></Head>text</p>;`,
  };
  await withProject(files, async ({ text }) => {
    assert.match(await text("/"), /<head><meta charset="utf-8"\/?><title>Page<\/title><\/head>/);
  });
});
