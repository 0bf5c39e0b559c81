import assert from "node:assert/strict";
import { compileLinkifier } from "@/lib/chat/linkifiers/find_links.ts";
import { linkExamples, type StoredLinkifier } from "@/lib/chat/linkifiers/link_examples.ts";
import type { LinkifierRecord } from "@/lib/chat/linkifiers/linkifier.ts";
import { previewInOrder } from "@/lib/chat/linkifiers/preview_in_order.ts";

function record(id: number, pattern: string, example_input: string | null = null): LinkifierRecord {
  const url_template = `https://x${id}.example/{n}`;
  return { id, pattern, url_template, example_input, reverse_template: null, alternative_url_templates: [] };
}

function stored(...records: LinkifierRecord[]): StoredLinkifier[] {
  return records.map((one) => {
    const compiled = compileLinkifier(one);
    assert.ok(compiled !== null);
    return { ...compiled, record: one };
  });
}

const GENERAL = record(1, "[A-Z]+-(?P<n>[0-9]+)", "see ABC-1");
const TICKET = record(2, "TKT-(?P<n>[0-9]+)", "TKT-2");
const OTHER = record(3, "#(?P<n>[0-9]+)", "none");

Deno.test("linkExamples() gives the link of each example, and who takes it instead", () => {
  const [general, ticket, other, silent] = linkExamples(
    stored(GENERAL, TICKET, OTHER, record(4, "y(?P<n>a)")),
  );
  assert.equal(general?.link?.url, "https://x1.example/1");
  assert.equal(general?.link?.start, 4);
  assert.deepEqual(general?.takenBy, []);
  assert.equal(ticket?.link?.url, "https://x2.example/2");
  assert.deepEqual(ticket?.takenBy.map(({ id }) => id), [1]);
  for (const none of [other, silent]) assert.deepEqual([none?.link, none?.takenBy], [null, []]);
  const [first] = linkExamples(stored(TICKET, GENERAL));
  assert.deepEqual(first?.takenBy, []);
});

Deno.test("linkExamples() says which examples it did not get to", () => {
  const slow = (id: number) => record(id, `(?P<n>(a|b|c+){1,9}x)${"y?".repeat(id % 90)}`, "abc".repeat(600));
  const examples = linkExamples(stored(...Array.from({ length: 150 }, (_, at) => slow(at + 1))));
  assert.equal(examples[0]?.isUntried, false);
  assert.equal(examples.at(-1)?.isUntried, true);
});

Deno.test("previewInOrder() tries a linkifier in its place", () => {
  const candidate = { ...TICKET, url_template: "https://new.example/{n}" };
  const text = "#1 TKT-2 ABC-3";
  const behind = previewInOrder(candidate, text, { others: stored(GENERAL, OTHER), place: 2 });
  assert.deepEqual(behind.links.map(({ url, owner }) => [url, owner?.id ?? null]), [
    ["https://x3.example/1", 3],
    ["https://x1.example/2", 1],
    ["https://x1.example/3", 1],
  ]);
  assert.deepEqual(behind.tried.map(({ url, winner }) => [url, winner?.id]), [["https://new.example/2", 1]]);
  const first = previewInOrder(candidate, text, { others: stored(GENERAL, OTHER), place: 0 });
  assert.deepEqual(first.links.map(({ owner }) => owner?.id ?? null), [3, null, 1]);
  assert.deepEqual(first.tried.map(({ winner }) => winner), [null]);
});

Deno.test("previewInOrder() shows what the others do while the linkifier cannot be read", () => {
  const { links, tried } = previewInOrder({ ...TICKET, pattern: "(" }, "TKT-2", {
    others: stored(GENERAL),
    place: 1,
  });
  assert.deepEqual(links.map(({ owner }) => owner?.id), [1]);
  assert.deepEqual(tried, []);
});
