import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { isName, requireName, toNameForm } from "@/lib/core/names.ts";
import fc, { codePoint } from "@/tests/helpers/fast_check.ts";

Deno.test("isName() accepts names of many scripts, emoji and the joiners that scripts need", () => {
  const names = [
    "general",
    "Prüfung & Co. (2026)",
    "Команда разработки",
    "команда-dev",
    "café",
    "日本語テスト",
    "日本語API",
    "한국어 채널",
    "한국어team",
    "فریق کار",
    "نامه\u200cای",
    "क्\u200dष",
    "ಕನ್ನಡ",
    "שלום",
    "❤️ team",
    "👩‍👩‍👧‍👦 family",
    "👩🏽‍💻",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿 England",
    "🏳️‍🌈",
    "1️⃣ first",
    "🇨🇭",
    "葛\u{E0100}城",
    "✔ done",
    "#️⃣",
    "⠓⠑⠇⠇⠕",
  ];
  assert.deepEqual(names.filter((name) => !isName(name)), []);
});

Deno.test("isName() refuses characters that cannot be seen or that reorder text", () => {
  const names = [
    "pub\u200d",
    "pub\u200c",
    "p\u200bub",
    "\u202egnp",
    "pub\u202c",
    "a\u2066b\u2069",
    "pub\u200f",
    "pub\u00ad",
    "pub\ufe0f",
    "1\ufe0f",
    "pub\u0000",
    "two\nlines",
    "two\u2028lines",
    "\ufeffpub",
    "pub\u{e0061}",
    "pub\u034f",
    "\u115fpub",
    "👩\u200d",
    "\u200d👩",
    "\ud800",
  ];
  assert.deepEqual(names.filter((name) => isName(name)), []);
});

Deno.test("isName() refuses names that are blank to the eye", () => {
  const names = ["\u3164", "\u2800", "\u115f", "\uffa0", "\u2800 \u2800", "\u00a0", "\u0301", "\u{1d159}"];
  assert.deepEqual(names.filter((name) => isName(name)), []);
});

Deno.test("isName() refuses words that mix scripts, except in free text", () => {
  const names = ["рub", "pаypal", "Αdmin", "Տales", "ᎪDMIN", "аdмin1", "한글кор"];
  assert.deepEqual(names.filter((name) => isName(name)), []);
  assert.deepEqual(names.filter((name) => !isName(name, { mayMixScripts: true })), []);
});

Deno.test("requireName() names the position in code points", () => {
  const refused = (text: string) => {
    try {
      requireName(text, "channel name");
    } catch (error) {
      return error instanceof AppError ? error.message : String(error);
    }
    return null;
  };
  assert.equal(refused("😀😀\u202e"), "Invalid character in channel name, at position 3.");
  assert.equal(refused("pаypal"), "Invalid character in channel name, at position 2.");
  assert.equal(refused("\u3164"), "Invalid character in channel name, at position 1.");
  assert.equal(refused("news рub"), "Invalid character in channel name, at position 7.");
  assert.equal(refused(""), null);
});

Deno.test("toNameForm() is the same for names that look the same", () => {
  const alike: [string, string][] = [
    ["Pub", "pub"],
    ["pub", "ｐｕｂ"],
    ["pub", "𝐩𝐮𝐛"],
    ["pub", "pub\u200d"],
    ["café", "cafe\u0301"],
    ["straße", "STRASSE"],
    ["two words", " two \u00a0\u3000 words\u2800"],
    ["❤", "❤️"],
    ["Σίσυφος", "ΣΊΣΥΦΟΣ"],
  ];
  for (const [one, other] of alike) assert.equal(toNameForm(one), toNameForm(other), `${one} ${other}`);
  assert.notEqual(toNameForm("pub"), toNameForm("pup"));
  assert.notEqual(toNameForm("Pub", { keepsCase: true }), toNameForm("pub", { keepsCase: true }));
});

Deno.test("toNameForm() is stable and bounded, and what is invisible never makes a difference", () => {
  fc.assert(fc.property(fc.string({ unit: codePoint, maxLength: 100 }), (name) => {
    const form = toNameForm(name);
    assert.equal(toNameForm(form), form);
    assert.ok(new TextEncoder().encode(form).length <= 1024);
    const hidden = [...name].join("\u200b");
    assert.equal(toNameForm(hidden), form);
  }));
});

Deno.test("the form of a name of any marks is its normal form, as earlier versions stored it", () => {
  for (const marks of ["\u0301".repeat(99), "\u0323\u0301".repeat(49)]) {
    assert.equal(toNameForm(`q${marks}`), `q${marks}`.normalize("NFKC"));
  }
});
