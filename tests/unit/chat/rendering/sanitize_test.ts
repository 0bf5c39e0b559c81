import assert from "node:assert/strict";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { isPlainMarkup, sanitize, sanitizeParsed } from "@/lib/chat/organization/rendering/html.ts";
import { createMarkdown } from "@/lib/chat/organization/rendering/render_message.ts";
import { RenderState } from "@/lib/chat/organization/rendering/render_state.ts";
import { assertHarmless, CONTEXT } from "@/tests/casts/rendering_cast.ts";

const PLAIN = [
  "<p>Hello</p>",
  "<p>The <strong>first <em>of</em></strong> two<br>\nlines</p>\n<p>5 &lt; 6 &amp; &quot;7&quot;</p>",
  "<p></p>",
  "<p><code>a &gt; b</code> <del>é 😀</del></p>\n",
];

Deno.test("sanitize() does not parse ordinary messages, and returns what parsing does", () => {
  for (const html of PLAIN) {
    assert.equal(isPlainMarkup(html.replaceAll("&quot;", '"')), true, html);
    assert.equal(sanitize(html), sanitizeParsed(html));
  }
});

Deno.test("isPlainMarkup() refuses everything that sanitizing might change", () => {
  const others = [
    "",
    "text",
    "<p>a",
    "a</p>",
    "<p>a</p>b",
    "<p>a<p>b</p></p>",
    "<p><em>a</p>\n<p></em></p>",
    "<p><em><strong>a</em></strong></p>",
    "<p></em>a<em></p>",
    "<p>&quot;</p>",
    "<p>&#60;script&#62;</p>",
    "<p>&nbsp;</p>",
    "<p>a & b</p>",
    "<p>a > b</p>",
    "<p>\0</p>",
    "<p>\r</p>",
    "<p class=x>a</p>",
    "<P>a</P>",
    "<p>a</p><script>b</script>",
    "<p><em onclick=x>a</em></p>",
    "<p><a>a</a></p>",
    "<p><br/></p>",
    "<p><!-- --></p>",
    `<p>${"a".repeat(20_000)}</p>`,
  ];
  for (const html of others) assert.equal(isPlainMarkup(html), false, html.slice(0, 80));
});

const TAGS = ["p", "em", "strong", "del", "code"].flatMap((tag) => [`<${tag}>`, `</${tag}>`]);
const TEXTS = [
  "&amp;",
  "&lt;",
  "&gt;",
  "&quot;",
  "&#39;",
  "&amp;lt;",
  "&nbsp;",
  "&",
  ";",
  '"',
  "'",
  ">",
  "<",
];
const CONTROLS = [
  "\0",
  "\r",
  "\t",
  "\u0007",
  "\u00a0",
  "\u2028",
  "\ud800",
  "é",
  "😀",
  "a",
  " ",
  "\n",
  "<br>",
];

Deno.test("sanitize() returns what parsing does for any fragments of plain markup", () => {
  const fragment = fc.constantFrom(...TAGS, ...TEXTS, ...CONTROLS);
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
      const html = `<p>${fragments.join("")}</p>`;
      assert.equal(sanitize(html), sanitizeParsed(html));
    }),
    numberOfRuns(5000),
  );
});

Deno.test("sanitize() returns what parsing does for all that the renderer writes", () => {
  const markdown = createMarkdown();
  const parts = [
    "*",
    "**",
    "~~",
    "`",
    "<",
    ">",
    "&",
    '"',
    "'",
    "&lt;",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "a",
    "b ",
    "\\",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 16 }), (pieces) => {
      const html = markdown.render(pieces.join(""), { rendering: new RenderState(CONTEXT) }).trimEnd();
      assert.equal(sanitize(html), sanitizeParsed(html));
      assertHarmless(sanitize(html));
    }),
    numberOfRuns(2000),
  );
});
