import assert from "node:assert/strict";
import { toPlainText } from "@/lib/chat/notifications/payload.ts";

Deno.test("toPlainText() gives what is read aloud: no markup, pictures by their names, lines as they were", () => {
  const html =
    '<p>Hi <strong>you</strong> <img alt=":smile:" class="emoji" src="/x.png" title="smile"><br>\nnext</p>\n' +
    "<ul>\n<li>one</li>\n<li>two</li>\n</ul><pre><code>a  &lt;b&gt; &amp;amp;\n</code></pre>";
  assert.equal(toPlainText(html), "Hi you :smile:\nnext\none\ntwo\na <b> &amp;");
});

Deno.test("toPlainText() leaves out what is hidden until somebody opens it", () => {
  const html = '<div class="spoiler-block"><div class="spoiler-header">\n<p>The end</p>\n</div>' +
    '<div class="spoiler-content" aria-hidden="true">\n<p>He <em>wins</em></p><div class="codehilite"><pre>x</pre></div>\n' +
    "</div></div><p>after</p>";
  assert.equal(toPlainText(html), "The end\nafter");
});

Deno.test("toPlainText() gives no markup for what people wrote as markup", () => {
  assert.equal(
    toPlainText("<p>&lt;div class=spoiler-content&gt;x&lt;/div&gt;</p>"),
    "<div class=spoiler-content>x</div>",
  );
});
