import assert from "node:assert/strict";
import { createEmojiTable, emojiByCharacters, emojiByCode, lookupEmoji } from "@/lib/chat/rendering/emoji.ts";
import { htmlOf } from "./context.ts";
import { scanHtml } from "./scan_html.ts";

Deno.test("lookupEmoji() knows the names that people type", () => {
  const codes = {
    smile: "1f642",
    thumbs_up: "1f44d",
    "+1": "1f44d",
    "-1": "1f44e",
    tada: "1f389",
    heart: "2764",
    eyes: "1f440",
    check: "2705",
    octopus: "1f419",
    rocket: "1f680",
    "100": "1f4af",
    one: "0031-20e3",
  };
  for (const [name, code] of Object.entries(codes)) assert.equal(lookupEmoji(name)?.code, code, name);
  assert.equal(lookupEmoji("no_such_emoji"), null);
  assert.equal(lookupEmoji("constructor"), null);
});

Deno.test("emojiByCode() gives the name that is shown, the way back being the same emoji", () => {
  assert.equal(emojiByCode("1f44d")?.name, "+1");
  assert.equal(emojiByCode("1f642")?.name, "smile");
  assert.equal(emojiByCode("2764")?.name, "heart");
  assert.equal(emojiByCode("zz"), null);
  const { byCode, byName } = createEmojiTable();
  assert.ok(byCode.size > 3500);
  for (const [code, emoji] of byCode) {
    assert.match(code, /^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/);
    assert.equal(byName.get(emoji.name), emoji);
    assert.equal(emoji.code, code);
  }
  for (const name of byName.keys()) assert.match(name, /^[a-z0-9_+-]+$/);
});

Deno.test("emojiByCharacters() overlooks variation selectors", () => {
  assert.equal(emojiByCharacters("❤️")?.code, "2764");
  assert.equal(emojiByCharacters("👍🏽")?.code, "1f44d-1f3fd");
  assert.equal(emojiByCharacters("a"), null);
});

Deno.test("renderMessage() shows emoji by name and by character", () => {
  const smile = '<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>';
  assert.equal(htmlOf(":smile:"), `<p>${smile}</p>`);
  assert.equal(htmlOf("🙂"), `<p>${smile}</p>`);
  assert.equal(
    htmlOf(":thumbs_up:"),
    '<p><span aria-label="thumbs up" class="emoji emoji-1f44d" role="img" title="thumbs up">:thumbs_up:</span></p>',
  );
  assert.equal(htmlOf(":nope: 12:30:45 ©"), "<p>:nope: 12:30:45 ©</p>");
  assert.equal(htmlOf("`:smile: 🙂 :)`"), "<p><code>:smile: 🙂 :)</code></p>");
});

Deno.test("renderMessage() shows custom emoji, and none from elsewhere", () => {
  assert.equal(
    htmlOf(":logo:"),
    '<p><img alt=":logo:" class="emoji" src="/user_avatars/1/emoji/1.png" title="logo"></p>',
  );
  assert.equal(htmlOf(":away:"), "<p>:away:</p>");
});

Deno.test("renderMessage() translates emoticons where the author wants it", () => {
  assert.deepEqual(scanHtml(htmlOf("a :) <3!")).tags.map(({ attributes }) => attributes.get("title") ?? ""), [
    "",
    "smile",
    "heart",
  ]);
  assert.equal(htmlOf("a:) :)b"), "<p>a:) :)b</p>");
  assert.equal(htmlOf(":) <3", { translateEmoticons: false }), "<p>:) &lt;3</p>");
});
