import assert from "node:assert/strict";
import { renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { CONTEXT, renderHtml } from "@/tests/casts/rendering_cast.ts";

const X = '<a href="https://a.example/x">https://a.example/x</a>';

const WRITTEN: readonly (readonly [what: string, content: string, html: string])[] = [
  ["emphasis", "*a* **b** ***c***", "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em></p>"],
  [
    "emphasis next to punctuation",
    "**「重要」**です これは*「a」*と~~「b」~~と***「c」*** **Note:**see",
    "<p><strong>「重要」</strong>です これは<em>「a」</em>と<del>「b」</del>と<em><strong>「c」</strong></em> " +
    "<strong>Note:</strong>see</p>",
  ],
  [
    "emphasis in brackets",
    '*(*b*)* (**b**) "**c**"',
    '<p><em>(<em>b</em>)</em> (<strong>b</strong>) "<strong>c</strong>"</p>',
  ],
  ["asterisks beside blanks as text", "2 * 3 * 4, *.md, *.ts", "<p>2 * 3 * 4, *.md, *.ts</p>"],
  ["strikethrough", "~~a~~ b", "<p><del>a</del> b</p>"],
  ["underscores as text", "snake_case _x_", "<p>snake_case _x_</p>"],
  ["inline code", "`a < *b*`", "<p><code>a &lt; *b*</code></p>"],
  ["hard line breaks", "a\nb", "<p>a<br>\nb</p>"],
  ["nested lists", "- a\n  - b\n- c", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>"],
  ["ordered lists", "3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ["quotes", "> a\n> > b", "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>"],
  [
    "quotes with lazy continuation lines",
    "> a\nb\n\nc",
    "<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n<p>c</p>",
  ],
  ["headings and lines", "# A\n\n---", "<h1>A</h1>\n<hr>"],
  [
    "tables",
    "|a|b|\n|:-:|-|\n|1|*2*|",
    '<table>\n<thead>\n<tr>\n<th align="center">a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n' +
    '<td align="center">1</td>\n<td><em>2</em></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    "code with its language",
    "```py\nx < 1\n```",
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x &lt; 1\n</code></pre></div>',
  ],
  [
    "code of an unknown language",
    "~~~ zog\n@**Ann Lee**\n~~~",
    '<div class="codehilite" data-code-language="zog"><pre><span></span><code>@**Ann Lee**\n</code></pre></div>',
  ],
  [
    "code without a language",
    "```\n:tada:",
    '<div class="codehilite"><pre><span></span><code>:tada:\n</code></pre></div>',
  ],
  ["lone dollars", "$5 and $$ or $$$x$$$", "<p>$5 and $$ or $$$x$$$</p>"],
  [
    "code fences that end a list",
    "* a\n```py\nb\n```",
    '<ul>\n<li>a</li>\n</ul>\n<div class="codehilite" data-code-language="Python"><pre><span></span><code>b\n' +
    "</code></pre></div>",
  ],
  [
    "quote fences around code fences",
    "```quote\na\n```js\nb\n```\nc\n```\nd",
    '<blockquote>\n<p>a</p>\n<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>b\n' +
    "</code></pre></div>\n<p>c</p>\n</blockquote>\n<p>d</p>",
  ],
  [
    "spoilers",
    "```spoiler *Who* did it\nthe cook\n```",
    '<div class="spoiler-block"><div class="spoiler-header">\n<p><em>Who</em> did it</p>\n' +
    '</div><div class="spoiler-content" aria-hidden="true">\n<p>the cook</p>\n</div></div>',
  ],
  [
    "times",
    "<time:2026-11-21T12:00+02:00>",
    '<p><time datetime="2026-11-21T10:00:00Z">2026-11-21T12:00+02:00</time></p>',
  ],
  ["times in seconds", "<time:1700000000>", '<p><time datetime="2023-11-14T22:13:20Z">1700000000</time></p>'],
  [
    "days and hours that do not exist",
    "<time:2021-02-29> <time:2021-02-28T24:00> <time:2024-02-29>",
    '<p><span class="timestamp-error">Invalid time format: 2021-02-29</span> ' +
    '<span class="timestamp-error">Invalid time format: 2021-02-28T24:00</span> ' +
    '<time datetime="2024-02-29T00:00:00Z">2024-02-29</time></p>',
  ],
  ["invalid times", "<time:soon>", '<p><span class="timestamp-error">Invalid time format: soon</span></p>'],
  [
    "URLs",
    "(see https://a.example/x_(y)).",
    '<p>(see <a href="https://a.example/x_(y)">https://a.example/x_(y)</a>).</p>',
  ],
  [
    "URLs before punctuation of any script",
    "見 https://a.example/x。 “https://a.example/x” https://a.example/x，然后 {https://a.example/x}। https://a.example/x؟",
    `<p>見 ${X}。 “${X}” ${X}，然后 {${X}}। ${X}؟</p>`,
  ],
  [
    "hosts with other letters than ASCII",
    "https://u@bücher.example:8000/ü mailto:jörg@bücher.example [a](https://BÜCHER.example)",
    '<p><a href="https://u@xn--bcher-kva.example:8000/%C3%BC">https://u@bücher.example:8000/ü</a> ' +
    '<a href="mailto:j%C3%B6rg@xn--bcher-kva.example">mailto:jörg@bücher.example</a> ' +
    '<a href="https://xn--bcher-kva.example">a</a></p>',
  ],
  [
    "custom emoji with a period in the name",
    ":v1.2: 12:30.5:00",
    '<p><img alt=":v1.2:" class="emoji" src="/user_avatars/1/emoji/3.png" title="v1.2"> 12:30.5:00</p>',
  ],
  [
    "bold URLs",
    "**http://a.example**",
    '<p><strong><a href="http://a.example">http://a.example</a></strong></p>',
  ],
  ["mail addresses", "mailto:a@b.example", '<p><a href="mailto:a@b.example">mailto:a@b.example</a></p>'],
  [
    "addresses without a scheme as text",
    "a.example a@b.example www.a.example [a](a.example) !avatar(a@b.example)",
    "<p>a.example a@b.example www.a.example [a](a.example) !avatar(a@b.example)</p>",
  ],
  ["links", '[*a*](/x "T") [b](#c)', '<p><a href="/x" title="T"><em>a</em></a> <a href="#c">b</a></p>'],
  ["links within links as text", "[a [b](/c) #1](/d)", '<p><a href="/d">a [b](/c) #1</a></p>'],
  ["brackets in code", "[`]`](/a) [\\]](/b)", '<p><a href="/a"><code>]</code></a> <a href="/b">]</a></p>'],
  [
    "linkifiers",
    "fix #12, `#13`",
    '<p>fix <a href="https://tickets.example/12">#12</a>, <code>#13</code></p>',
  ],
  [
    "links to channels",
    "#**design team** #**nope**",
    '<p><a class="stream" data-stream-id="4" href="/#narrow/channel/4-design-team">#design team</a> #<strong>nope</strong></p>',
  ],
  [
    "links to topics",
    "#**design team>v1.0 (%)**",
    '<p><a class="stream-topic" data-stream-id="4" href="/#narrow/channel/4-design-team/topic/v1.2E0.20.28.25.29">' +
    "#design team &gt; v1.0 (%)</a></p>",
  ],
  [
    "links to general chat",
    "#**design team>**",
    '<p><a class="stream-topic" data-stream-id="4" href="/#narrow/channel/4-design-team/topic/">' +
    "#design team &gt; <em>general chat</em></a></p>",
  ],
  [
    "links to messages",
    "#**design team>a@12**",
    '<p><a class="message-link" data-stream-id="4" href="/#narrow/channel/4-design-team/topic/a/near/12">' +
    "#design team &gt; a @ 💬</a></p>",
  ],
];

for (const [what, content, html] of WRITTEN) {
  Deno.test(`renderMessage() renders ${what}`, () => assert.equal(renderHtml(content), html));
}

Deno.test("renderMessage() detects links, images and uploads", () => {
  const found = (content: string) => {
    const { has_link, has_image, attachments } = renderMessage(content, CONTEXT);
    return { has_link, has_image, attachments };
  };
  assert.deepEqual(found("a #12 #**design team** `http://x.example`"), {
    has_link: false,
    has_image: false,
    attachments: [],
  });
  assert.deepEqual(found("http://a.example/b"), { has_link: true, has_image: false, attachments: [] });
  assert.deepEqual(found("[a](/user_uploads/1/b.txt?x) https://chat.example/user_uploads/1/c.PNG"), {
    has_link: true,
    has_image: true,
    attachments: ["/user_uploads/1/b.txt", "/user_uploads/1/c.PNG"],
  });
  assert.deepEqual(found("https://chat.example.evil.example/user_uploads/1/c").attachments, []);
});

Deno.test("renderMessage() detects /me messages of one paragraph", () => {
  const isMe = (content: string) => renderMessage(content, CONTEXT).is_me_message;
  assert.equal(renderHtml("/me waves"), "<p>/me waves</p>");
  assert.ok(isMe("/me waves"));
  assert.ok(!isMe("/me"));
  assert.ok(!isMe("a /me b"));
  assert.ok(!isMe("/me a\n\nb"));
  assert.ok(!isMe("/me a\n- b"));
});

Deno.test("renderMessage() ends tables that would outgrow their source", () => {
  const columns = 200;
  const content = `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${"|\n".repeat(300)}`;
  assert.ok(renderHtml(content).length < 30 * content.length);
});

Deno.test("renderMessage() ends tables after 2,000 bars, and makes none of a header with more", () => {
  const rows = renderHtml(`|a|b|\n|-|-|\n${"|1|2|\n".repeat(1000)}`).split("<tr>").length - 1;
  assert.equal(rows, 666);
  assert.ok(!renderHtml(`${"|a".repeat(2001)}|\n${"|-".repeat(2001)}|\n`).includes("<table>"));
});
