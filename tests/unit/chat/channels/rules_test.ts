import assert from "node:assert/strict";
import { toDescription } from "@/lib/chat/channels/description.ts";
import { requireChannelName } from "@/lib/chat/channels/name.ts";
import { requirePossible } from "@/lib/chat/channels/privacy.ts";
import { renderChannelDescription } from "@/lib/chat/channels/rendered_description.ts";
import { toRetention } from "@/lib/chat/channels/retention.ts";

Deno.test("requireChannelName() refuses empty, long and unprintable names, and says where", () => {
  const position = (at: number) => ({ message: `Invalid character in channel name, at position ${at}.` });
  assert.throws(() => requireChannelName(""), { message: "Channel name can't be empty." });
  const long = { message: "Channel name too long (limit: 60 characters)." };
  assert.throws(() => requireChannelName("😀".repeat(61)), long);
  // Length comes first.
  assert.throws(() => requireChannelName("\u0000".repeat(61)), long);
  assert.throws(() => requireChannelName("\u0000"), position(1));
  assert.throws(() => requireChannelName("😀😀\ud800x"), position(3));
  assert.throws(() => requireChannelName("ab\ufffe"), position(3));
  assert.throws(() => requireChannelName("\ufdd0"), position(1));
  assert.throws(() => requireChannelName("a\u007f"), position(2));
  for (const name of ["a", "😀".repeat(60), "👩‍👩‍👧", "a b", "日本語", "\u00ad"]) requireChannelName(name);
});

Deno.test("toRetention() takes days, two words and nothing else", () => {
  assert.equal(toRetention(1), 1);
  assert.equal(toRetention("unlimited"), -1);
  assert.equal(toRetention("realm_default"), null);
  for (const bad of [0, -1, 1.5, 2 ** 60, NaN, Infinity, "1", "", "Unlimited"]) {
    assert.throws(() => toRetention(bad), {
      code: "REQUEST_VARIABLE_INVALID",
      message: `Bad value for 'message_retention_days': ${bad}`,
    });
  }
});

Deno.test("requirePossible() knows the four kinds of channels, and private ones are no defaults", () => {
  const flags = [true, false];
  const possible: string[] = [];
  for (const invite_only of flags) {
    for (const is_web_public of flags) {
      for (const history_public_to_subscribers of flags) {
        for (const isDefault of flags) {
          const privacy = { invite_only, is_web_public, history_public_to_subscribers };
          try {
            requirePossible(privacy, { isDefault });
            possible.push(
              [invite_only, is_web_public, history_public_to_subscribers, isDefault].map(Number).join(""),
            );
          } catch (error) {
            assert.match(String(error), /Invalid parameters|A default channel cannot be private\./);
          }
        }
      }
    }
  }
  assert.deepEqual(possible.sort(), ["0010", "0011", "0110", "0111", "1000", "1010"]);
});

Deno.test("toDescription() turns each line break into one blank", () => {
  assert.equal(toDescription("a\nb\r\nc\rd\n\ne\u2028f"), "a b c d  e f");
});

Deno.test("renderChannelDescription() shows text as text", () => {
  assert.equal(renderChannelDescription(""), "");
  assert.equal(renderChannelDescription("  "), "");
  assert.equal(
    renderChannelDescription('<script>alert("x")</script> & 1'),
    "<p>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; 1</p>",
  );
});
