import assert from "node:assert/strict";
import { chunkRemovedIds, toPlainText } from "@/lib/chat/devices/push_notifications/payload.ts";

Deno.test("toPlainText() removes markup, replaces images by their names and keeps line breaks", () => {
  const html =
    '<p>Hi <strong>you</strong> <img alt=":smile:" class="emoji" src="/x.png" title="smile"><br>\nnext</p>\n' +
    "<ul>\n<li>one</li>\n<li>two</li>\n</ul><pre><code>a  &lt;b&gt; &amp;amp;\n</code></pre>";
  assert.equal(toPlainText(html), "Hi you :smile:\nnext\none\ntwo\na <b> &amp;");
});

Deno.test("toPlainText() omits spoilers", () => {
  const html = '<div class="spoiler-block"><div class="spoiler-header">\n<p>The end</p>\n</div>' +
    '<div class="spoiler-content" aria-hidden="true">\n<p>He <em>wins</em></p><div class="codehilite"><pre>x</pre></div>\n' +
    "</div></div><p>after</p>";
  assert.equal(toPlainText(html), "The end\nafter");
});

Deno.test("toPlainText() keeps escaped markup as text", () => {
  assert.equal(
    toPlainText("<p>&lt;div class=spoiler-content&gt;x&lt;/div&gt;</p>"),
    "<div class=spoiler-content>x</div>",
  );
});

const numbers = (count: number, from: number) => Array.from({ length: count }, (_, at) => from + at);

Deno.test("chunkRemovedIds() puts at most 200 ids into one chunk", () => {
  assert.deepEqual(chunkRemovedIds([]), []);
  assert.deepEqual(chunkRemovedIds([7, 9]), [[7, 9]]);
  assert.deepEqual(chunkRemovedIds(numbers(200, 1)), [numbers(200, 1)]);
  assert.deepEqual(chunkRemovedIds(numbers(401, 1)).map(({ length }) => length), [200, 200, 1]);
});

Deno.test("chunkRemovedIds() limits the size of a chunk, even for long ids", () => {
  const ids = numbers(200, 2 ** 53 - 201);
  const removals = chunkRemovedIds(ids);
  assert.deepEqual(removals.flat(), ids);
  for (const removal of removals) assert.ok(JSON.stringify(removal).length <= 2001);
});
