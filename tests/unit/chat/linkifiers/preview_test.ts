import assert from "node:assert/strict";
import { findProblems } from "@/lib/chat/linkifiers/check_linkifier.ts";
import type { LinkifierFields, LinkifierRecord } from "@/lib/chat/linkifiers/linkifier.ts";
import { previewInOrder } from "@/lib/chat/linkifiers/preview_in_order.ts";
import { reverseLinkifier } from "@/lib/chat/linkifiers/reverse_linkifier.ts";
import { fields } from "./fields.ts";

/** What a linkifier alone makes of a text, and what is wrong with it beside others. */
function preview(candidate: LinkifierFields, text: string, others: readonly LinkifierRecord[] = []) {
  const { links } = previewInOrder(candidate, text, { others: [], place: 0 });
  return { problems: findProblems(candidate, others), links };
}

Deno.test("a preview shows where links would stand, what the groups hold and what is wrong", () => {
  const good = fields("#(?P<id>\\d+)", "https://x.example/{id}");
  const { problems, links } = preview(good, "see #12");
  assert.deepEqual(problems, []);
  const [link] = links;
  assert.deepEqual([link?.start, link?.end, link?.url], [4, 7, "https://x.example/12"]);
  assert.deepEqual([...link?.groups ?? []], [["id", "12"]]);
  assert.deepEqual(preview(good, "#1", [{ id: 1, ...good }]).problems.map(({ field }) => field), [
    "__all__",
  ]);
});

Deno.test("a preview shows links as soon as pattern and template can be read", () => {
  const bad = preview(fields("#(?P<id>\\d+", "https://x.example/{id"), "#12");
  assert.deepEqual(bad.problems.map(({ field }) => field), ["url_template", "pattern"]);
  assert.deepEqual(bad.links, []);
  const unused = preview(fields("#(?P<id>\\d+)"), "#12");
  assert.equal(unused.problems.length, 1);
  assert.equal(unused.links.length, 1);
});

const REVERSIBLE = fields("PR#(?P<repo>[a-z]+)/(?P<id>\\d+)", "https://x.example/{repo}/pull/{id}", {
  example_input: "PR#web/12",
  reverse_template: "PR#{repo}/{id}",
  alternative_url_templates: ["https://old.example{/repo}?n={id}", "https://raw.example/{+repo}#{id}"],
});

Deno.test("reverseLinkifier() makes the short text of an address and of its other forms", () => {
  assert.equal(reverseLinkifier(REVERSIBLE, "https://x.example/web/pull/12"), "PR#web/12");
  assert.equal(reverseLinkifier(REVERSIBLE, "https://old.example/web?n=7"), "PR#web/7");
  assert.equal(reverseLinkifier(REVERSIBLE, "https://raw.example/web#8"), "PR#web/8");
});

Deno.test("reverseLinkifier() leaves other addresses alone", () => {
  const others = [
    "https://x.example/web/pull/12/files",
    "https://x.example/web/pull/",
    "https://x.example/W%/pull/1",
  ];
  const more = ["https://x.example/WEB/pull/1", "https://xxexample/web/pull/1", "", "a".repeat(10_000)];
  for (const url of [...others, ...more]) {
    assert.equal(reverseLinkifier(REVERSIBLE, url), null, url.slice(0, 50));
  }
  assert.equal(
    reverseLinkifier({ ...REVERSIBLE, reverse_template: null }, "https://x.example/web/pull/12"),
    null,
  );
  const twice = fields("t(?P<id>\\d+)", "https://x.example/{id}/{id}", { reverse_template: "t{id}" });
  assert.equal(reverseLinkifier(twice, "https://x.example/1/1"), "t1");
  assert.equal(reverseLinkifier(twice, "https://x.example/1/2"), null);
  const query = fields("t(?P<id>\\d+)", "https://x.example/{?id}", { reverse_template: "t{id}" });
  assert.equal(reverseLinkifier(query, "https://x.example/?id=1"), null);
});
