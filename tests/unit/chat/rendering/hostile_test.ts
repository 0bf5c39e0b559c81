import assert from "node:assert/strict";
import { renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { sanitize } from "@/lib/chat/organization/rendering/html.ts";
import { toSafeHref } from "@/lib/chat/organization/rendering/urls.ts";
import { CONTEXT, renderHtml } from "@/tests/casts/rendering_cast.ts";
import { assertHarmless, scanHtml } from "@/tests/casts/rendering_cast.ts";

const PAYLOADS: readonly string[] = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "<svg/onload=alert(1)>",
  "<style>*{display:none}</style>",
  "<iframe src=javascript:alert(1)>",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](java&#10;script:alert(1))",
  "[a](&#x6A;avascript:alert(1))",
  "[a](<java\tscript:alert(1)>)",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a](vbscript:x) [b](file:///etc/passwd) [c](blob:x)",
  "[a](//evil.example) [b](/\\evil.example) [c](\\\\evil.example) [d](https:evil.example)",
  '[a](https://a.example/"onmouseover="alert(1))',
  '[a](/x "\\" onclick=\\"alert(1)")',
  '<javascript:alert(1)> <https://a.example/"onclick=alert(1)>',
  '![a](javascript:alert(1)) ![a](x" onerror="alert(1))',
  '```"><script>alert(1)</script>\nx\n```',
  '```py" onclick="alert(1)\nx\n```',
  "```spoiler <script>alert(1)</script>\n<img src=x onerror=alert(1)>\n```",
  "$$<script>alert(1)</script>$$",
  '<time:2026-01-01" onclick="alert(1)>',
  "@**<img src=x onerror=alert(1)>** @**|9**",
  "#**design team><img src=x onerror=alert(1)>**",
  '#**design team>"onclick="alert(1)**',
  ':"><script>: :logo"onerror="x:',
  'mailto:a@b.example?subject=x"onclick="y',
  '|a|\n|:-" onclick="x|\n|b|',
  "&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62;",
  "<a href='javascript:x' class='modal' style='position:fixed'>x</a>",
];

Deno.test("renderMessage() prevents scripts, styles and unclosed elements", () => {
  for (const payload of PAYLOADS) {
    for (
      const content of [payload, `> ${payload}`, `- *${payload}*`, `[${payload}](/x)`, `a ${payload} #12`]
    ) {
      const { html } = renderMessage(content, CONTEXT);
      assertHarmless(html);
      assert.doesNotMatch(
        scanHtml(html).tags.map(({ attributes }) => [...attributes.values()].join()).join(),
        /javascript:/i,
      );
    }
  }
});

Deno.test("renderMessage() drops linkifier links to scripts", () => {
  const urls = [
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example",
    " javascript:x",
    "java\nscript:x",
    "https://a b",
    "",
  ];
  for (const url of urls) {
    assert.equal(renderHtml("abc", { linkify: () => [{ start: 0, end: 3, url }] }), "<p>abc</p>", url);
  }
  const html = renderHtml("abc", {
    linkify: () => [{ start: 0, end: 3, url: 'https://a.example/"onclick="x' }],
  });
  assert.equal(html, '<p><a href="https://a.example/%22onclick=%22x">abc</a></p>');
});

Deno.test("sanitize() removes markup that no rule should produce", () => {
  const harm =
    '<p onclick="x" style="y">a<script>b</script><a href="javascript:c" class="stream modal" id="d">e</a>' +
    '<img src="data:x" onerror="f"><button formaction="/g"><input></button><svg><use href="/h"/></svg></p>';
  assert.equal(sanitize(harm), '<p>a<a class="stream">e</a><img><svg></svg></p>');
});

Deno.test("toSafeHref() accepts http, https, mailto and paths of this server", () => {
  assert.equal(toSafeHref("https://a.example"), "https://a.example");
  assert.equal(toSafeHref("HTTP://a.example/ü?q=%20#f"), "HTTP://a.example/%C3%BC?q=%20#f");
  assert.equal(toSafeHref("/user_uploads/1/a"), "/user_uploads/1/a");
  assert.equal(toSafeHref("#narrow"), "#narrow");
  assert.equal(toSafeHref("mailto:a@b.example"), "mailto:a@b.example");
  for (
    const url of [
      "",
      "a.example",
      "//a",
      "/\\a",
      "\\\\a",
      "ftp://a",
      "https://",
      "https:a",
      "https:///a",
      "mailto:a",
      "/a\tb",
    ]
  ) {
    assert.equal(toSafeHref(url), null, url);
  }
});

Deno.test("renderMessage() limits block nesting and keeps deeper blocks as text", () => {
  for (
    const content of [
      "> ".repeat(500) + "end",
      "- ".repeat(500) + "end",
      "> - 1. ".repeat(200) + "end",
      "```quote\n".repeat(200) + "end",
    ]
  ) {
    const { text, depth } = scanHtml(renderHtml(content));
    assert.ok(depth <= 50, `${depth} deep`);
    assert.match(text, /end/);
  }
  assert.ok(scanHtml(renderHtml("*a **b ".repeat(300) + "c** d*".repeat(300))).depth <= 30);
});

Deno.test("renderMessage() shows a message with too long HTML as plain text without mentions", () => {
  const { html, mentioned_user_ids, wildcard } = renderMessage(
    "@**|7** @**all** " + ":tada:".repeat(20_000),
    CONTEXT,
  );
  assert.ok(html.length < 1_000_000);
  assert.equal(scanHtml(html).tags.length, 1);
  assert.deepEqual(mentioned_user_ids, []);
  assert.equal(wildcard.stream, false);
});
