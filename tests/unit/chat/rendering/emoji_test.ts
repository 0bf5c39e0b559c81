import assert from "node:assert/strict";
import {
  createEmojiTable,
  findEmojiByCharacters,
  findEmojiByCode,
  findEmojiByName,
} from "@/lib/chat/organization/rendering/emoji.ts";
import { renderHtml } from "@/tests/casts/rendering_cast.ts";
import { scanHtml } from "@/tests/casts/rendering_cast.ts";

Deno.test("findEmojiByName() finds common names", () => {
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
  for (const [name, code] of Object.entries(codes)) assert.equal(findEmojiByName(name)?.code, code, name);
  assert.equal(findEmojiByName("no_such_emoji"), null);
  assert.equal(findEmojiByName("constructor"), null);
});

Deno.test("findEmojiByCode() returns the display name, which leads back to the same emoji", () => {
  assert.equal(findEmojiByCode("1f44d")?.name, "+1");
  assert.equal(findEmojiByCode("1f642")?.name, "smile");
  assert.equal(findEmojiByCode("2764")?.name, "heart");
  assert.equal(findEmojiByCode("zz"), null);
  const { byCode, byName } = createEmojiTable();
  assert.ok(byCode.size > 3500);
  for (const [code, emoji] of byCode) {
    assert.match(code, /^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/);
    assert.equal(byName.get(emoji.name), emoji);
    assert.equal(emoji.code, code);
  }
  for (const name of byName.keys()) assert.match(name, /^[a-z0-9_+-]+$/);
});

Deno.test("findEmojiByCharacters() ignores variation selectors", () => {
  assert.equal(findEmojiByCharacters("❤️")?.code, "2764");
  assert.equal(findEmojiByCharacters("👍🏽")?.code, "1f44d-1f3fd");
  assert.equal(findEmojiByCharacters("a"), null);
});

Deno.test("renderMessage() shows emoji by name and by character", () => {
  const smile = '<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>';
  assert.equal(renderHtml(":smile:"), `<p>${smile}</p>`);
  assert.equal(renderHtml("🙂"), `<p>${smile}</p>`);
  assert.equal(
    renderHtml(":thumbs_up:"),
    '<p><span aria-label="thumbs up" class="emoji emoji-1f44d" role="img" title="thumbs up">:thumbs_up:</span></p>',
  );
  assert.equal(renderHtml(":nope: 12:30:45 ©"), "<p>:nope: 12:30:45 ©</p>");
  assert.equal(renderHtml("`:smile: 🙂 :)`"), "<p><code>:smile: 🙂 :)</code></p>");
});

Deno.test("renderMessage() shows every emoji of the table by its characters", async () => {
  const { default: emojis } = await import("emojibase-data/en/compact.json", { with: { type: "json" } });
  const missing = emojis.map(({ unicode }) => unicode)
    .filter((text) => /^\p{RGI_Emoji}$/v.test(text) && findEmojiByCharacters(text) !== null)
    .filter((text) => !renderHtml(text, { translateEmoticons: false }).includes('role="img"'));
  assert.ok(emojis.length > 1800);
  assert.deepEqual(missing, []);
});

Deno.test("renderMessage() shows custom emoji, except images of other servers", () => {
  assert.equal(
    renderHtml(":logo:"),
    '<p><img alt=":logo:" class="emoji" src="/user_avatars/1/emoji/1.png" title="logo"></p>',
  );
  assert.equal(renderHtml(":away:"), "<p>:away:</p>");
});

Deno.test("renderMessage() translates emoticons when the author enabled it", () => {
  assert.deepEqual(
    scanHtml(renderHtml("a :) <3!")).tags.map(({ attributes }) => attributes.get("title") ?? ""),
    [
      "",
      "smile",
      "heart",
    ],
  );
  assert.equal(renderHtml("a:) :)b"), "<p>a:) :)b</p>");
  assert.equal(renderHtml(":) <3", { translateEmoticons: false }), "<p>:) &lt;3</p>");
});

Deno.test("findEmojiByName() knows smile by its other name", () => {
  assert.equal(findEmojiByName("slight_smile")?.code, findEmojiByName("smile")?.code);
});
