import assert from "node:assert/strict";
import { diffHtml } from "@/lib/chat/organization/rendering/diff_html.ts";

const ins = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;
const del = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;

Deno.test("diffHtml() marks inserted and deleted words inside the tags of the new version", () => {
  const cases: [before: string, after: string, diff: string][] = [
    [
      "<p>content before edit</p>",
      "<p>content after edit</p>",
      `<p>content ${ins("after")} ${del("before")} edit</p>`,
    ],
    ["<p>same</p>", "<p>same</p>", "<p>same</p>"],
    ["", "", ""],
    ["<p>one</p>", "<p>one two</p>", `<p>one${ins(" two")}</p>`],
    ["<p>one two</p>", "<p>one</p>", `<p>one${del(" two")}</p>`],
    ["<p>a &lt;b&gt;</p>", "<p>a &lt;c&gt;</p>", `<p>a &lt;${ins("c")} ${del("b")}&gt;</p>`],
    ["<p>word</p>", "<p><strong>word</strong></p>", "<p><strong>word</strong></p>"],
    ['<p><a href="/a">x</a></p>', '<p><a href="/b">x</a></p>', '<p><a href="/b">x</a></p>'],
    ["<p>a</p>", "<p>a</p>\n<p>b</p>", `<p>a</p>\n<p>${ins("b")}</p>`],
    ["<p>a</p>\n<ul>\n<li>b</li>\n</ul>", "<p>a</p>", `<p>a</p>${del("\n\nb\n")}`],
    [
      "<p>x</p>",
      '<p><math><annotation encoding="application/x-tex">y z</annotation></math></p>',
      `<p><math><annotation encoding="application/x-tex">y z</annotation></math>${del("x")}</p>`,
    ],
    ["<p>naïve café</p>", "<p>naïve thé</p>", `<p>naïve ${ins("thé")} ${del("café")}</p>`],
  ];
  for (const [before, after, diff] of cases) {
    assert.equal(diffHtml(before, after, 100).html, `<div>${diff}</div>`);
  }
});

Deno.test("diffHtml() keeps the new version, and counts the words and tags that differ", () => {
  const versions = [
    "<p>Some <em>words</em> &amp; more</p>",
    "<p>Other words<br>\nand more</p>\n<blockquote>\n<p>quoted</p>\n</blockquote>",
    '<p><img src="/a.png" alt="a"> Some <a href="/x" title="x">link</a></p>',
    "",
  ];
  for (const before of versions) {
    for (const after of versions) {
      const { html, edits } = diffHtml(before, after, 100);
      const kept = html.replace(/<span class="highlight_text_deleted">[^<]*<\/span>/g, "")
        .replace(/<span class="highlight_text_inserted">([^<]*)<\/span>/g, "$1");
      // A space is added where deleted words follow inserted ones.
      const [shown, expected] = [kept, `<div>${after}</div>`].map((each) => each.replace(/\s/g, ""));
      assert.equal(shown, expected);
      assert.equal(edits === 0, before === after);
    }
  }
});

Deno.test("diffHtml() marks versions that differ too much as replaced", () => {
  const { html, edits } = diffHtml("<p>a b</p>", "<p>c d</p>", 3);
  assert.equal(html, `<div><p>${ins("c d")}</p>${del("a b")}</div>`);
  assert.equal(edits, 3);
  assert.equal(diffHtml("<p>a</p>", "<p>b</p>", 0).html, `<div><p>${ins("b")}</p>${del("a")}</div>`);
  assert.equal(diffHtml("<p>a</p>", "<p>a</p>", 0).html, "<div><p>a</p></div>");
});
