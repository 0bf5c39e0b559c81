import assert from "node:assert/strict";
import { renderMessage } from "@/lib/chat/rendering/render_message.ts";
import { sanitize } from "@/lib/chat/rendering/sanitize.ts";
import { safeHref } from "@/lib/chat/rendering/url.ts";
import { CONTEXT, htmlOf } from "./context.ts";
import { assertHarmless, scanHtml } from "./scan_html.ts";

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

Deno.test("nothing in a message can run script, style anything or leave its box", () => {
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

Deno.test("a linkifier cannot make a link to script", () => {
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
    assert.equal(htmlOf("abc", { linkify: () => [{ start: 0, end: 3, url }] }), "<p>abc</p>", url);
  }
  const html = htmlOf("abc", { linkify: () => [{ start: 0, end: 3, url: 'https://a.example/"onclick="x' }] });
  assert.equal(html, '<p><a href="https://a.example/%22onclick=%22x">abc</a></p>');
});

Deno.test("sanitize() drops by itself what no rule of ours should write", () => {
  const harm =
    '<p onclick="x" style="y">a<script>b</script><a href="javascript:c" class="stream modal" id="d">e</a>' +
    '<img src="data:x" onerror="f"><button formaction="/g"><input></button><svg><use href="/h"/></svg></p>';
  assert.equal(sanitize(harm), '<p>a<a class="stream">e</a><img></p>');
});

Deno.test("safeHref() lets http, https, mailto and this server pass", () => {
  assert.equal(safeHref("https://a.example"), "https://a.example");
  assert.equal(safeHref("HTTP://a.example/ü?q=%20#f"), "HTTP://a.example/%C3%BC?q=%20#f");
  assert.equal(safeHref("/user_uploads/1/a"), "/user_uploads/1/a");
  assert.equal(safeHref("#narrow"), "#narrow");
  assert.equal(safeHref("mailto:a@b.example"), "mailto:a@b.example");
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
    assert.equal(safeHref(url), null, url);
  }
});

Deno.test("blocks stand in each other to a bound; what is deeper is text, and nothing is lost", () => {
  for (
    const content of [
      "> ".repeat(500) + "end",
      "- ".repeat(500) + "end",
      "> - 1. ".repeat(200) + "end",
      "```quote\n".repeat(200) + "end",
    ]
  ) {
    const { text, depth } = scanHtml(htmlOf(content));
    assert.ok(depth <= 50, `${depth} deep`);
    assert.match(text, /end/);
  }
  assert.ok(scanHtml(htmlOf("*a **b ".repeat(300) + "c** d*".repeat(300))).depth <= 30);
});

Deno.test("a message whose html would be too long is shown as plain text, mentioning nobody", () => {
  const { html, mentioned_user_ids, wildcard } = renderMessage(
    "@**|7** @**all** " + ":tada:".repeat(20_000),
    CONTEXT,
  );
  assert.ok(html.length < 1_000_000);
  assert.equal(scanHtml(html).tags.length, 1);
  assert.deepEqual(mentioned_user_ids, []);
  assert.equal(wildcard.stream, false);
});
