import assert from "node:assert/strict";
import { isUrl, validateFieldData } from "@/lib/chat/people/profile_fields/model/field_data.ts";

Deno.test("validateFieldData() keeps choices unchanged, and only the subtype of built-in accounts", () => {
  const choices = { b: { text: "B", order: "2" }, a: { text: "A", order: "1" } };
  assert.equal(validateFieldData(3, choices), JSON.stringify(choices));
  const url_pattern = "https://twitter.com/%(username)s";
  assert.equal(validateFieldData(7, { subtype: "twitter", url_pattern }), '{"subtype":"twitter"}');
  for (const type of [0, 1, 2, 4, 5, 6, 8, 9]) assert.equal(validateFieldData(type, choices), "");
});

Deno.test("isUrl() accepts only http and https pages", () => {
  const good = [
    "https://a.example",
    "HTTP://a.example:8080/x?y=1#z",
    "http://localhost",
    "http://127.0.0.1/x",
    "http://[::1]:80/",
    "https://münchen.example/straße",
    "https://sotto.example/%E2%80%8C%E2%80%8D",
  ];
  const bad = [
    "",
    "a.example",
    "//a.example",
    "https://",
    "https:///x",
    "https://username",
    "ftp://a.example",
    "javascript:alert(1)",
    "JaVaScRiPt://a.example/%0aalert(1)",
    "data:text/html,x",
    "mailto:a@a.example",
    " https://a.example",
    "https://a.example/ x",
    "https://a.example/\n",
    "https://a.example\\@b.example",
    'https://a.example/"onclick=x',
    "https://a.example/<b>",
    "https://a..example",
    "https://a.example\u202E",
    "https://sotto.example/\u200c\u200d\u{e0061}",
  ];
  assert.deepEqual(good.filter((text) => !isUrl(text)), []);
  assert.deepEqual(bad.filter((text) => isUrl(text)), []);
});
