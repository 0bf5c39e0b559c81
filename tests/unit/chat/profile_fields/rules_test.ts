import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { isUrl } from "@/lib/chat/profile_fields/check_url.ts";
import { MAX_FIELDS, type ProfileFieldRecord } from "@/lib/chat/profile_fields/profile_field.ts";
import {
  checkFieldChange,
  checkNewField,
  type FieldChanges,
  putInOrder,
  type SentField,
} from "@/lib/chat/profile_fields/rules.ts";
import { knownSubtype, validateFieldData } from "@/lib/chat/profile_fields/validate_field_data.ts";

const SENT: SentField = {
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

function field(id: number, more: Partial<SentField> = {}): ProfileFieldRecord {
  return { id, ...checkNewField([], { ...SENT, name: `Field ${id}`, ...more }), order: id };
}

/** The parameter and the sentence of a refusal. */
function refusalOf(work: () => unknown): [unknown, string] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof AppError);
    return [error.details.errors?.[0]?.path[0], error.message];
  }
  assert.fail("nothing was refused");
}

Deno.test("checkNewField() names the input that each refusal is about, for forms", () => {
  const shown = [1, 2].map((id) => field(id, { display_in_profile_summary: true }));
  const cases: [Partial<SentField>, readonly ProfileFieldRecord[], string][] = [
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
    const [named, message] = refusalOf(() => checkNewField(others, { ...SENT, ...sent }));
    assert.equal(named, input, message);
  }
  const all = Array.from({ length: MAX_FIELDS }, (_, at) => field(at + 1));
  assert.match(refusalOf(() => checkNewField(all, SENT))[1], /100 profile fields at most/);
});

Deno.test("checkFieldChange() keeps what is not sent, and does not count the field against itself", () => {
  const before = field(1, { display_in_profile_summary: true, hint: "x", required: true });
  const all = [before, field(2, { display_in_profile_summary: true })];
  const { id: _id, order: _order, ...same } = before;
  assert.deepEqual(checkFieldChange(all, before, NO_CHANGE), same);
  const again = { ...NO_CHANGE, name: before.name, display_in_profile_summary: true };
  assert.deepEqual(checkFieldChange(all, before, again), same);
});

Deno.test("checkFieldChange() makes a custom account a known one with its own label", () => {
  const url_pattern = "https://a.example/%(username)s";
  const before = field(1, { field_type: 7, field_data: { subtype: "custom", url_pattern } });
  const after = checkFieldChange([before], before, { ...NO_CHANGE, field_data: { subtype: "github" } });
  assert.deepEqual([after.name, after.field_data], ["GitHub username", '{"subtype":"github"}']);
  assert.equal(knownSubtype(after.type, after.field_data), "github");
  assert.equal(knownSubtype(before.type, before.field_data), null);
});

Deno.test("putInOrder() names each field, takes the last place of one and passes over others' ids", () => {
  const fields = [field(1), field(2), field(3)];
  const orderOf = (order: number[]) => putInOrder(fields, order).map(({ id, order }) => [id, order]);
  assert.deepEqual(orderOf([3, 1, 2]), [[3, 0], [1, 1], [2, 2]]);
  assert.deepEqual(orderOf([1, 9, 2, 3, 1]), [[2, 2], [3, 3], [1, 4]]);
  for (const order of [[], [1, 2], [1, 1, 2]]) {
    assert.deepEqual(refusalOf(() => orderOf(order)), ["order", "Invalid order mapping."]);
  }
  assert.deepEqual(putInOrder([], [1]), []);
});

Deno.test("validateFieldData() keeps choices as they are, and of known accounts the subtype alone", () => {
  const choices = { b: { text: "B", order: "2" }, a: { text: "A", order: "1" } };
  assert.equal(validateFieldData(3, choices), JSON.stringify(choices));
  const url_pattern = "https://twitter.com/%(username)s";
  assert.equal(validateFieldData(7, { subtype: "twitter", url_pattern }), '{"subtype":"twitter"}');
  for (const type of [0, 1, 2, 4, 5, 6, 8, 9]) assert.equal(validateFieldData(type, choices), "");
});

Deno.test("isUrl() takes pages of http and https alone", () => {
  const good = [
    "https://a.example",
    "HTTP://a.example:8080/x?y=1#z",
    "http://localhost",
    "http://127.0.0.1/x",
    "http://[::1]:80/",
    "https://münchen.example/straße",
  ];
  const bad = [
    "",
    "a.example",
    "//a.example",
    "https://",
    "https:///x",
    "https://username",
    "ftp://a.example",
    "javascript:alert(1)",
    "JaVaScRiPt://a.example/%0aalert(1)",
    "data:text/html,x",
    "mailto:a@a.example",
    " https://a.example",
    "https://a.example/ x",
    "https://a.example/\n",
    "https://a.example\\@b.example",
    'https://a.example/"onclick=x',
    "https://a.example/<b>",
    "https://a..example",
    "https://a.example\u202E",
  ];
  assert.deepEqual(good.filter((text) => !isUrl(text)), []);
  assert.deepEqual(bad.filter((text) => isUrl(text)), []);
});
