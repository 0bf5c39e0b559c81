import assert from "node:assert/strict";
import { fieldOfProblem } from "@/lib/ui/problem.ts";
import { splitShortLink, toVisible } from "@/lib/ui/short_link.ts";
import { vendorPath } from "@/lib/ui/vendor.ts";

Deno.test("splitShortLink() gives what of a link can be seen, and the path of its statistics", () => {
  assert.deepEqual(splitShortLink("https://sotto.example/%E2%80%8C", "\u200c"), {
    visible: "sotto.example/",
    statsPath: "/%E2%80%8C/stats",
  });
});

Deno.test("splitShortLink() keeps a port and a path before the id", () => {
  assert.equal(splitShortLink("http://localhost:8000/s/%E2%80%8C", "\u200c").visible, "localhost:8000/s/");
});

Deno.test("toVisible() drops the scheme alone", () => {
  assert.equal(toVisible("https://sotto.example"), "sotto.example");
});

Deno.test("fieldOfProblem() blames the key only where one is asked for", () => {
  assert.equal(fieldOfProblem("That key is not valid.", true), "key");
  assert.equal(fieldOfProblem("The URL is empty.", true), "url");
  assert.equal(fieldOfProblem("That key is not valid.", false), "url");
});

Deno.test("vendorPath() puts the version into the name, and refuses what is not listed", () => {
  assert.match(vendorPath("inter.woff2"), /^\/vendor\/inter-\d+\.\d+\.\d+\.woff2$/);
  assert.throws(() => vendorPath("other.css"), /other\.css is no vendor file/);
});
