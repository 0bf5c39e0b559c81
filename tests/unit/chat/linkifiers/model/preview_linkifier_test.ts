import assert from "node:assert/strict";
import type { LinkifierFields, LinkifierRecord } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import {
  findLinkifierProblems,
  previewLinkifier,
} from "@/lib/chat/messages/linkifiers/model/validate_linkifier.ts";
import { linkifierFields, linkifierRecord, storedLinkifiers } from "@/tests/casts/linkifiers_cast.ts";

/** Previews a linkifier alone on a text, with its problems beside others. */
function preview(candidate: LinkifierFields, text: string, others: readonly LinkifierRecord[] = []) {
  const { links } = previewLinkifier(candidate, text, { others: [], position: 0 });
  return { problems: findLinkifierProblems(candidate, others), links };
}

Deno.test("a preview shows the links, the values of groups and the problems", () => {
  const valid = linkifierFields("#(?P<id>\\d+)", "https://x.example/{id}");
  const { problems, links } = preview(valid, "see #12");
  assert.deepEqual(problems, []);
  const [link] = links;
  assert.deepEqual([link?.start, link?.end, link?.url], [4, 7, "https://x.example/12"]);
  assert.deepEqual([...link?.groups ?? []], [["id", "12"]]);
  assert.deepEqual(preview(valid, "#1", [{ id: 1, ...valid }]).problems.map(({ field }) => field), [
    "__all__",
  ]);
});

Deno.test("a preview shows links as soon as pattern and template are valid", () => {
  const invalid = preview(linkifierFields("#(?P<id>\\d+", "https://x.example/{id"), "#12");
  assert.deepEqual(invalid.problems.map(({ field }) => field), ["url_template", "pattern"]);
  assert.deepEqual(invalid.links, []);
  const unused = preview(linkifierFields("#(?P<id>\\d+)"), "#12");
  assert.equal(unused.problems.length, 1);
  assert.equal(unused.links.length, 1);
});

const GENERAL = linkifierRecord(1, "[A-Z]+-(?P<n>[0-9]+)", "see ABC-1");
const TICKET = linkifierRecord(2, "TKT-(?P<n>[0-9]+)", "TKT-2");
const OTHER = linkifierRecord(3, "#(?P<n>[0-9]+)", "none");

Deno.test("previewLinkifier() inserts the candidate at its position", () => {
  const candidate = { ...TICKET, url_template: "https://new.example/{n}" };
  const text = "#1 TKT-2 ABC-3";
  const others = storedLinkifiers(GENERAL, OTHER);
  const last = previewLinkifier(candidate, text, { others, position: 2 });
  assert.deepEqual(last.links.map(({ url, linkifier }) => [url, linkifier?.id ?? null]), [
    ["https://x3.example/1", 3],
    ["https://x1.example/2", 1],
    ["https://x1.example/3", 1],
  ]);
  assert.deepEqual(last.candidateLinks.map(({ url, overriddenBy }) => [url, overriddenBy?.id]), [
    ["https://new.example/2", 1],
  ]);
  const first = previewLinkifier(candidate, text, { others, position: 0 });
  assert.deepEqual(first.links.map(({ linkifier }) => linkifier?.id ?? null), [3, null, 1]);
  assert.deepEqual(first.candidateLinks.map(({ overriddenBy }) => overriddenBy), [null]);
});

Deno.test("previewLinkifier() shows the links of the others while the candidate is invalid", () => {
  const { links, candidateLinks } = previewLinkifier({ ...TICKET, pattern: "(" }, "TKT-2", {
    others: storedLinkifiers(GENERAL),
    position: 1,
  });
  assert.deepEqual(links.map(({ linkifier }) => linkifier?.id), [1]);
  assert.deepEqual(candidateLinks, []);
});
