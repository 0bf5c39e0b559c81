import assert from "node:assert/strict";
import { rewritePreviews } from "@/lib/chat/organization/rendering/text_rules.ts";
import { renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { assertHarmless, CONTEXT, renderHtml } from "@/tests/casts/rendering_cast.ts";

const preview = (path: string, title?: string) =>
  `<div class="message_inline_image"><a href="${path}"${title === undefined ? "" : ` title="${title}"`}>` +
  `<img src="${path}"></a></div>`;
const [A, B] = ["/user_uploads/1/a/a.png", "/user_uploads/1/b/b.JPG"];

Deno.test("renderMessage() previews linked images after their paragraph", () => {
  assert.equal(
    renderHtml(`[one](${A}) and [two](${B})\n\nend`),
    `<p><a href="${A}">one</a> and <a href="${B}">two</a></p>\n${preview(A, "one")}\n${preview(B, "two")}\n` +
      "<p>end</p>",
  );
  assert.equal(
    renderHtml(`https://chat.example${A}`),
    `<p><a href="https://chat.example${A}">https://chat.example${A}</a></p>\n` +
      `<div class="message_inline_image"><a href="https://chat.example${A}"><img src="${A}"></a></div>`,
  );
  assert.equal(
    renderHtml(`* [one](${A})`),
    `<ul>\n<li><a href="${A}">one</a>${preview(A, "one")}\n</li>\n</ul>`,
  );
});

Deno.test("renderMessage() previews each image once, and none in quotes, of other files or of other servers", () => {
  assert.equal(renderHtml(`[a](${A}) [b](${A})`).match(/<img/g)?.length, 1);
  for (
    const content of [
      `> [a](${A})`,
      `\`\`\`quote\n[a](${A})\n\`\`\``,
      "[a](/user_uploads/1/a/a.txt)",
      "https://elsewhere.example/user_uploads/1/a/a.png",
      "[a](/avatar/1.png)",
      `\`${A}\``,
    ]
  ) {
    assert.doesNotMatch(renderHtml(content), /<img/, content);
  }
  assert.doesNotMatch(renderHtml(`[a](${A})`, { previewsImages: false }), /<img/);
});

Deno.test("renderMessage() limits the number of previews", () => {
  const content = Array.from({ length: 40 }, (_, at) => `[a](/user_uploads/1/${at}/a.png)`).join("\n");
  assert.equal(renderHtml(content).match(/<img/g)?.length, 24);
});

Deno.test("rewritePreviews() changes and removes previews whatever their titles contain", () => {
  for (const title of ["a", "\"<b>&amp;'", "日本 👍", "$& $1", ":tada: **b** `c`"]) {
    const { html, previews } = renderMessage(`[${title}](${A}?x=1&y="2") [b](${B})`, CONTEXT);
    assertHarmless(html);
    assert.deepEqual([...previews.keys()], [A, B]);
    const rest = rewritePreviews(html, previews, (path) => path === A ? null : { src: path });
    assert.deepEqual(rest.match(/<img src="[^"]*">/g), [`<img src="${B}">`], title);
    assert.doesNotMatch(rewritePreviews(html, previews, () => null), /<img|message_inline_image/);
    assert.equal(rewritePreviews(html, previews, (path) => ({ src: path })), html);
    const changed = rewritePreviews(html, previews, (path) => ({ "data-x": '"$&', src: path }));
    assert.equal(changed, html.replaceAll("<img src", () => '<img data-x="&quot;$&amp;" src'), title);
  }
});
