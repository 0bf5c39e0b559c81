import assert from "node:assert/strict";
import {
  CUSTOM,
  idsInLines,
  isSamePicked,
  linesOf,
  readWas,
  toPersonLine,
} from "@/lib/ui/permission_fields.ts";

Deno.test("isSamePicked() ignores fields that do not apply", () => {
  const role = { group: "12", groups: [], people: "" };
  assert.equal(isSamePicked(role, { group: "12", groups: [4], people: "Ada" }), true);
  assert.equal(isSamePicked(role, { group: "13", groups: [], people: "" }), false);
  assert.equal(isSamePicked(role, { group: CUSTOM, groups: [12], people: "" }), false);
});

Deno.test("isSamePicked() accepts groups in any order, and lines as browsers send them", () => {
  const one = { group: CUSTOM, groups: [4, 12], people: "Ada (3)\nBo (5)" };
  assert.equal(isSamePicked(one, { group: CUSTOM, groups: [12, 4], people: "Ada (3)\r\nBo (5)\r\n" }), true);
  assert.equal(isSamePicked(one, { group: CUSTOM, groups: [12], people: one.people }), false);
  assert.equal(isSamePicked(one, { group: CUSTOM, groups: [4, 12], people: "Ada (3)" }), false);
});

Deno.test("linesOf() skips blank lines", () => {
  assert.deepEqual(linesOf(" Ada \r\n\r\nbo@example.com\n5\n"), ["Ada", "bo@example.com", "5"]);
});

Deno.test("readWas() parses a form's original values, and returns null for anything else", () => {
  const sent = (fields: Record<string, string>) => (name: string) => fields[name] ?? "";
  const named = { can_x_was: CUSTOM, can_x_was_groups: "4,12,x", can_x_was_people: "Ada (3)" };
  assert.deepEqual(readWas("can_x", sent(named)), { group: CUSTOM, groups: [4, 12], people: "Ada (3)" });
  assert.deepEqual(readWas("can_x", sent({ can_x_was: "12" })), { group: "12", groups: [], people: "" });
  for (const group of ["", "-1", "1.5", "__proto__", "1".repeat(16)]) {
    assert.equal(readWas("can_x", sent({ can_x_was: group })), null, group);
  }
});

Deno.test("idsInLines() parses the output of toPersonLine(), whatever the name contains", () => {
  const people = [{ id: 3, full_name: "Smith, Ada (the 2nd)" }, { id: 5, full_name: "5 (6)" }];
  assert.deepEqual(idsInLines(people.map(toPersonLine).join("\r\n")), [3, 5]);
  assert.deepEqual(idsInLines("Ada\n7"), []);
});
