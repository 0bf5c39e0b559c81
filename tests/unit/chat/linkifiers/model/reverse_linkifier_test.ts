import assert from "node:assert/strict";
import { reverseLinkifier } from "@/lib/chat/messages/linkifiers/model/validate_linkifier.ts";
import { linkifierFields } from "@/tests/casts/linkifiers_cast.ts";

const REVERSIBLE = linkifierFields(
  "PR#(?P<repo>[a-z]+)/(?P<id>\\d+)",
  "https://x.example/{repo}/pull/{id}",
  {
    example_input: "PR#web/12",
    reverse_template: "PR#{repo}/{id}",
    alternative_url_templates: ["https://old.example{/repo}?n={id}", "https://raw.example/{+repo}#{id}"],
  },
);

Deno.test("reverseLinkifier() converts a URL and its alternative forms to the short text", () => {
  assert.equal(reverseLinkifier(REVERSIBLE, "https://x.example/web/pull/12"), "PR#web/12");
  assert.equal(reverseLinkifier(REVERSIBLE, "https://old.example/web?n=7"), "PR#web/7");
  assert.equal(reverseLinkifier(REVERSIBLE, "https://raw.example/web#8"), "PR#web/8");
});

Deno.test("reverseLinkifier() returns null for other URLs", () => {
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
  const twice = linkifierFields("t(?P<id>\\d+)", "https://x.example/{id}/{id}", {
    reverse_template: "t{id}",
  });
  assert.equal(reverseLinkifier(twice, "https://x.example/1/1"), "t1");
  assert.equal(reverseLinkifier(twice, "https://x.example/1/2"), null);
  const query = linkifierFields("t(?P<id>\\d+)", "https://x.example/{?id}", { reverse_template: "t{id}" });
  assert.equal(reverseLinkifier(query, "https://x.example/?id=1"), null);
});
