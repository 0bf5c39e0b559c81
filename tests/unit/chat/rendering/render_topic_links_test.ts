import assert from "node:assert/strict";
import { renderTopicLinks } from "@/lib/chat/organization/rendering/urls.ts";
import { CONTEXT } from "@/tests/casts/rendering_cast.ts";

Deno.test("renderTopicLinks() returns linkified ranges and URLs in the order of the topic", () => {
  assert.deepEqual(renderTopicLinks("see https://a.example/x, #12 and #3", CONTEXT.linkify), [
    { text: "https://a.example/x", url: "https://a.example/x" },
    { text: "#12", url: "https://tickets.example/12" },
    { text: "#3", url: "https://tickets.example/3" },
  ]);
  assert.deepEqual(renderTopicLinks("nothing here", CONTEXT.linkify), []);
  assert.deepEqual(renderTopicLinks("#12"), []);
});

Deno.test("renderTopicLinks() drops overlapping, out-of-bounds and unsafe links", () => {
  const linkify = () => [
    { start: 0, end: 4, url: "https://a.example" },
    { start: 2, end: 6, url: "https://b.example" },
    { start: 4, end: 99, url: "https://c.example" },
    { start: 5, end: 5, url: "https://d.example" },
    { start: 6, end: 8, url: "javascript:alert(1)" },
    { start: 6, end: 8, url: "java\tscript:alert(1)" },
  ];
  assert.deepEqual(renderTopicLinks("abcdefghij", linkify), [{ text: "abcd", url: "https://a.example" }]);
});
