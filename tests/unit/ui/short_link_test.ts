import assert from "node:assert/strict";
import { splitShortLink, toPlainLink, toVisible } from "@/lib/ui/short_link.ts";
import { fieldOfProblem, suggestUrl } from "@/lib/ui/problem.ts";
import { vendorPath } from "@/lib/ui/vendor.ts";

Deno.test("splitShortLink() returns the visible part of a link and the path of its statistics", () => {
  assert.deepEqual(splitShortLink({ link: "https://sotto.example/%E2%80%8C", short: "\u200c" }), {
    scheme: "https://",
    visible: "sotto.example/",
    statsPath: "/%E2%80%8C/stats",
  });
});

Deno.test("splitShortLink() keeps a port and a path before the id", () => {
  assert.equal(
    splitShortLink({ link: "http://localhost:8000/s/%E2%80%8C", short: "\u200c" }).visible,
    "localhost:8000/s/",
  );
});

Deno.test("toPlainLink() writes the id's characters as they are", () => {
  assert.equal(
    toPlainLink({ link: "https://sotto.example/%E2%80%8C", short: "\u200c" }),
    "https://sotto.example/\u200c",
  );
  assert.equal(toPlainLink({ link: "https://other.example/x", short: "\u200c" }), "https://other.example/x");
});

Deno.test("toVisible() drops only the scheme", () => {
  assert.equal(toVisible("https://sotto.example"), "sotto.example");
});

Deno.test("fieldOfProblem() returns the key only where one is required", () => {
  assert.equal(fieldOfProblem("The key is not valid.", true), "key");
  assert.equal(fieldOfProblem("The URL is empty.", true), "url");
  assert.equal(fieldOfProblem("The key is not valid.", false), "url");
});

Deno.test("suggestUrl() offers https:// for a domain without a scheme, and for nothing else", () => {
  for (const typed of ["example.com", "www.example.com/a?b=c#d", "example.com:8080/x", "bücher.example"]) {
    assert.equal(suggestUrl(typed), `https://${typed}`);
  }
  const others = [
    "",
    "no url",
    "example",
    "https://example.com",
    "mailto:ada@example.com",
    "ada@example.com",
  ];
  for (const typed of [...others, "javascript:alert(1.5)", "/a.b", "a. b", `a.example/${"x".repeat(500)}`]) {
    assert.equal(suggestUrl(typed), null, typed);
  }
});

Deno.test("vendorPath() adds the version to the name, and refuses unlisted files", () => {
  assert.match(vendorPath("inter.woff2"), /^\/vendor\/inter-\d+\.\d+\.\d+\.woff2$/);
  assert.throws(() => vendorPath("other.css"), /other\.css is no vendor file/);
});
