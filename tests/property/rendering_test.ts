import assert from "node:assert/strict";
import fc, { codePoint, numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { renderTopicLinks } from "@/lib/chat/organization/rendering/urls.ts";
import { assertLinear } from "@/tests/helpers/assert_linear.ts";
import { CONTEXT } from "@/tests/casts/rendering_cast.ts";
import { assertHarmless, scanHtml } from "@/tests/casts/rendering_cast.ts";

const TOKENS: readonly string[] = [
  ..."<>&\"'`*_~[]()|#@:$\\/-+!=\n\t\0\r;a1".split(""),
  ..."``` ~~~ ** ~~ $$ \n\n \n>  \n-  \n1.  \n```quote\n \n```spoiler  \n```\n |a|b|\n|-|-|\n".split("  "),
  ...[
    "\n    ",
    "> ",
    "- ",
    "# ",
    "@**",
    "@_**",
    "|7",
    "Ann Lee",
    "all",
    "@*devs*",
    "#**design team",
    ">t",
    "@5**",
  ],
  ...[
    ":smile:",
    ":logo:",
    "👍🏽",
    "❤️",
    "\ud83d",
    "\udc4d",
    "\u202e",
    ":)",
    "<3",
    "<time:",
    "2026-11-21",
    "#12",
  ],
  ...[
    "http://",
    "https://a.example",
    "mailto:",
    "a@b.example",
    "javascript:",
    "data:",
    "](",
    "](/x)",
    "//",
    "\\|",
  ],
  ...[
    "<script>",
    "</p>",
    "<img src=x onerror=x>",
    "<!--",
    "]]>",
    "&lt;",
    "&#60;",
    "&quot;",
    " onclick=",
    "/me ",
    "$$x^2$$",
    "\\frac{",
    "\n```math\n",
  ],
];
const content = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...TOKENS), { maxLength: 60 }).map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 80 }) },
  { weight: 1, arbitrary: fc.uint16Array({ maxLength: 40 }).map((units) => String.fromCharCode(...units)) },
);
const RUNS = numberOfRuns(1000);

Deno.test("rendered HTML is always within the allow-list, and rendering is deterministic", () => {
  fc.assert(
    fc.property(content, (text) => {
      const first = renderMessage(text, CONTEXT);
      assertHarmless(first.html);
      assert.deepEqual(renderMessage(text, CONTEXT), first);
      assert.ok(first.html.isWellFormed());
    }),
    RUNS,
  );
});

Deno.test("linkifier URLs are always within the allow-list", () => {
  fc.assert(
    fc.property(content, content, fc.nat(20), fc.nat(20), (text, url, start, end) => {
      const linkify = () => [{ start, end, url }, { start: 0, end: 1, url: `https://a.example/${url}` }];
      assertHarmless(renderMessage(text, { ...CONTEXT, linkify }).html);
      for (const link of renderTopicLinks(text, linkify)) {
        assert.match(link.url, /^(?:https?:|mailto:|\/(?!\/)|#)[^\s\\]*$/i);
        assert.ok(text.includes(link.text));
      }
    }),
    RUNS,
  );
});

Deno.test("plain words are rendered unchanged", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z<>&"']{1,8}$/), { minLength: 1, maxLength: 8 }), (words) => {
      const text = "x " + words.join(" ");
      assert.equal(scanHtml(renderMessage(text, { ...CONTEXT, translateEmoticons: false }).html).text, text);
    }),
  );
});

const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  "nested quotes": (size) => "> ".repeat(size / 2),
  "quotes over many lines": (size) => (">".repeat(60) + "a\n").repeat(size / 62),
  "quotes that cannot take the next line": (size) => "> ~~~\na\n".repeat(size / 8),
  "lists in quotes": (size) => ("> - ".repeat(15) + "a\n").repeat(size / 62),
  "open brackets": (size) => "[".repeat(size),
  "half a link": (size) => "[a](".repeat(size / 4),
  "brackets without addresses": (size) => "[".repeat(size / 2) + "](a)".repeat(size / 8),
  "one character": (size) => "a".repeat(size),
  "asterisks": (size) => "*".repeat(size),
  "unclosed emphasis": (size) => "*a **b ~~c ".repeat(size / 11),
  "backticks of growing length": (size) =>
    Array.from({ length: Math.sqrt(2 * size) }, (_, i) => "`".repeat(i)).join(" "),
  "mentions": (size) => "@**|7** ".repeat(size / 8),
  "unclosed mentions": (size) => "@**a".repeat(size / 4),
  "unclosed channels": (size) => "#**a>".repeat(size / 5),
  "unclosed quote fences": (size) => "```quote\n".repeat(size / 9),
  "quote fences around code": (size) => "```quote\n```\n".repeat(size / 13),
  "unclosed math": (size) => "$$a\n".repeat(size / 4),
  "unclosed times": (size) => "<time:".repeat(size / 6),
  "colons": (size) => ":a".repeat(size / 2),
  "wrong addresses": (size) => "http://a:x,".repeat(size / 11),
  "closing brackets at an address": (size) => "http://a" + ")".repeat(size),
  "tables": (size) => "|a|b|\n|-|-|\n".repeat(size / 12),
  "tables with missing cells": (size) =>
    "|a".repeat(size / 8) + "|\n" + "|-".repeat(size / 8) + "|\n" + "|\n".repeat(size / 4),
  "flags": (size) => "🇩".repeat(size / 2),
};

for (const [name, make] of Object.entries(HOSTILE)) {
  Deno.test(`rendering takes linear time: ${name}`, async () => {
    const context = { ...CONTEXT, linkify: () => [] };
    await assertLinear((text) => renderMessage(text, context), { make, longest: 24_000 });
  });
}
