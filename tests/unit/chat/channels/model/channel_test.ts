import assert from "node:assert/strict";
import {
  normalizeDescription,
  parseRetention,
  requireChannelName,
} from "@/lib/chat/organization/channels/model/channel.ts";

Deno.test("requireChannelName() rejects empty, long and unprintable names, and reports the position", () => {
  const position = (at: number) => ({ message: `Invalid character in channel name, at position ${at}.` });
  assert.throws(() => requireChannelName(""), { message: "Channel name can't be empty." });
  const long = { message: "Channel name too long (limit: 60 characters)." };
  assert.throws(() => requireChannelName("😀".repeat(61)), long);
  // The length is checked first.
  assert.throws(() => requireChannelName("\u0000".repeat(61)), long);
  assert.throws(() => requireChannelName("\u0000"), position(1));
  assert.throws(() => requireChannelName("😀😀\ud800x"), position(3));
  assert.throws(() => requireChannelName("ab\ufffe"), position(3));
  assert.throws(() => requireChannelName("\ufdd0"), position(1));
  assert.throws(() => requireChannelName("a\u007f"), position(2));
  for (const name of ["a", "😀".repeat(60), "👩‍👩‍👧", "a b", "日本語", "\u00ad"]) requireChannelName(name);
});

Deno.test("parseRetention() accepts days and two words only", () => {
  assert.equal(parseRetention(1), 1);
  assert.equal(parseRetention("unlimited"), -1);
  assert.equal(parseRetention("realm_default"), null);
  for (const bad of [0, -1, 1.5, 2 ** 60, NaN, Infinity, "1", "", "Unlimited"]) {
    assert.throws(() => parseRetention(bad), {
      code: "REQUEST_VARIABLE_INVALID",
      message: `Bad value for 'message_retention_days': ${bad}`,
    });
  }
});

Deno.test("normalizeDescription() replaces each line break with one space", () => {
  assert.equal(normalizeDescription("a\nb\r\nc\rd\n\ne\u2028f"), "a b c d  e f");
});
