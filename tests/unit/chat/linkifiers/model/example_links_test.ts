import assert from "node:assert/strict";
import { findExampleLinks } from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import { linkifierRecord, storedLinkifiers } from "@/tests/casts/linkifiers_cast.ts";

const GENERAL = linkifierRecord(1, "[A-Z]+-(?P<n>[0-9]+)", "see ABC-1");
const TICKET = linkifierRecord(2, "TKT-(?P<n>[0-9]+)", "TKT-2");
const OTHER = linkifierRecord(3, "#(?P<n>[0-9]+)", "none");

Deno.test("findExampleLinks() returns the link of each example and the linkifiers that override it", () => {
  const [general, ticket, other, silent] = findExampleLinks(
    storedLinkifiers(GENERAL, TICKET, OTHER, linkifierRecord(4, "y(?P<n>a)")),
  );
  assert.equal(general?.link?.url, "https://x1.example/1");
  assert.equal(general?.link?.start, 4);
  assert.deepEqual(general?.overriddenBy, []);
  assert.equal(ticket?.link?.url, "https://x2.example/2");
  assert.deepEqual(ticket?.overriddenBy.map(({ id }) => id), [1]);
  for (const none of [other, silent]) assert.deepEqual([none?.link, none?.overriddenBy], [null, []]);
  const [first] = findExampleLinks(storedLinkifiers(TICKET, GENERAL));
  assert.deepEqual(first?.overriddenBy, []);
});

Deno.test("findExampleLinks() marks the examples beyond its budget as skipped", () => {
  const slow = (id: number) =>
    linkifierRecord(id, `(?P<n>(a|b|c+){1,9}x)${"y?".repeat(id % 90)}`, "abc".repeat(600));
  const examples = findExampleLinks(
    storedLinkifiers(...Array.from({ length: 150 }, (_, index) => slow(index + 1))),
  );
  assert.equal(examples[0]?.isSkipped, false);
  assert.equal(examples.at(-1)?.isSkipped, true);
});
