import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { MAX_FIELDS, type ProfileFieldRecord } from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import {
  applyOrder,
  checkFieldChange,
  checkNewField,
  type FieldChanges,
  type ProfileFieldInput,
} from "@/lib/chat/people/profile_fields/model/check_value.ts";
import { findKnownSubtype } from "@/lib/chat/people/profile_fields/model/field_data.ts";

const INPUT: ProfileFieldInput = {
  name: "Town",
  hint: "",
  field_type: 1,
  field_data: {},
  display_in_profile_summary: false,
  required: false,
  editable_by_user: true,
  use_for_user_matching: false,
};
const NO_CHANGE: FieldChanges = {
  name: undefined,
  hint: undefined,
  field_data: undefined,
  display_in_profile_summary: undefined,
  required: undefined,
  editable_by_user: undefined,
  use_for_user_matching: undefined,
};

function field(id: number, more: Partial<ProfileFieldInput> = {}): ProfileFieldRecord {
  return { id, ...checkNewField([], { ...INPUT, name: `Field ${id}`, ...more }), order: id };
}

/** Returns the parameter and the message of the error that the function throws. */
function errorOf(work: () => unknown): [unknown, string] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof AppError);
    return [error.details.errors?.[0]?.path[0], error.message];
  }
  assert.fail("nothing was refused");
}

Deno.test("checkNewField() names the invalid parameter in each error", () => {
  const shown = [1, 2].map((id) => field(id, { display_in_profile_summary: true }));
  const cases: [Partial<ProfileFieldInput>, readonly ProfileFieldRecord[], string][] = [
    [{ display_in_profile_summary: true, name: "" }, shown, "display_in_profile_summary"],
    [{ field_type: 3, name: "" }, [], "field_data"],
    [{ name: " " }, [], "name"],
    [{ hint: "x".repeat(81), name: "x".repeat(41) }, [], "hint"],
    [{ name: "x".repeat(41), field_type: 9 }, [], "name"],
    [{ field_type: 9, display_in_profile_summary: true }, [], "field_type"],
    [
      { field_type: 6, display_in_profile_summary: true, name: "Field 1" },
      [field(1)],
      "display_in_profile_summary",
    ],
    [{ field_type: 4, name: "Field 1", use_for_user_matching: true }, [field(1)], "name"],
    [{ field_type: 4, use_for_user_matching: true }, [], "use_for_user_matching"],
  ];
  for (const [sent, others, input] of cases) {
    const [named, message] = errorOf(() => checkNewField(others, { ...INPUT, ...sent }));
    assert.equal(named, input, message);
  }
  const all = Array.from({ length: MAX_FIELDS }, (_, at) => field(at + 1));
  assert.match(errorOf(() => checkNewField(all, INPUT))[1], /100 profile fields at most/);
});

Deno.test("checkFieldChange() keeps omitted properties and does not count the field against itself", () => {
  const before = field(1, { display_in_profile_summary: true, hint: "x", required: true });
  const all = [before, field(2, { display_in_profile_summary: true })];
  const { id: _id, order: _order, ...same } = before;
  assert.deepEqual(checkFieldChange(all, before, NO_CHANGE), same);
  const again = { ...NO_CHANGE, name: before.name, display_in_profile_summary: true };
  assert.deepEqual(checkFieldChange(all, before, again), same);
});

Deno.test("checkFieldChange() turns a custom account into a built-in one with its own label", () => {
  const url_pattern = "https://a.example/%(username)s";
  const before = field(1, { field_type: 7, field_data: { subtype: "custom", url_pattern } });
  const after = checkFieldChange([before], before, { ...NO_CHANGE, field_data: { subtype: "github" } });
  assert.deepEqual([after.name, after.field_data], ["GitHub username", '{"subtype":"github"}']);
  assert.equal(findKnownSubtype(after.type, after.field_data), "github");
  assert.equal(findKnownSubtype(before.type, before.field_data), null);
});

Deno.test("applyOrder() requires each field, uses the last position of a repeated id and ignores unknown ids", () => {
  const fields = [field(1), field(2), field(3)];
  const orderOf = (order: number[]) => applyOrder(fields, order).map(({ id, order }) => [id, order]);
  assert.deepEqual(orderOf([3, 1, 2]), [[3, 0], [1, 1], [2, 2]]);
  assert.deepEqual(orderOf([1, 9, 2, 3, 1]), [[2, 2], [3, 3], [1, 4]]);
  for (const order of [[], [1, 2], [1, 1, 2]]) {
    assert.deepEqual(errorOf(() => orderOf(order)), ["order", "Invalid order mapping."]);
  }
  assert.deepEqual(applyOrder([], [1]), []);
});
