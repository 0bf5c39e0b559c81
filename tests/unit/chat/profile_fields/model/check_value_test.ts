import assert from "node:assert/strict";
import {
  checkValue,
  listUserIds,
  type ReferencedUser,
} from "@/lib/chat/people/profile_fields/model/check_value.ts";
import type { ProfileValueInput } from "@/lib/chat/people/profile_fields/model/field_data.ts";
import type { FieldType, ProfileFieldRecord } from "@/lib/chat/people/profile_fields/model/profile_field.ts";

const CHOICES = JSON.stringify({ a: { text: "A", order: "1" }, constructor: { text: "C", order: "2" } });

function field(type: FieldType): ProfileFieldRecord {
  return {
    id: 1,
    name: "F",
    type,
    hint: "",
    field_data: type === 3 ? CHOICES : "",
    order: 1,
    required: false,
    editable_by_user: true,
    display_in_profile_summary: false,
    use_for_user_matching: false,
  };
}

const person: ReferencedUser = { is_active: true, bot_type: null };
const people = new Map<number, ReferencedUser>([
  [1, person],
  [2, person],
  [3, { is_active: false, bot_type: null }],
  [4, { is_active: true, bot_type: 1 }],
  [5, { is_active: true, bot_type: null, is_system_bot: true }],
]);
const check = (type: FieldType, value: ProfileValueInput["value"]) =>
  checkValue(field(type), value, (id) => people.get(id) ?? null);

Deno.test("checkValue() returns valid values unchanged", () => {
  const good: [FieldType, string][] = [
    [1, "🌳".repeat(50)],
    [2, "🌳".repeat(500)],
    [3, "a"],
    [3, "constructor"],
    [4, "2024-02-29"],
    [4, "0001-01-01"],
    [4, "9999-12-31"],
    [5, "https://a.example/"],
    [7, "x".repeat(50)],
    [8, "they"],
    [1, " "],
    [1, ""],
    [7, ""],
  ];
  for (const [type, value] of good) assert.equal(check(type, value), value);
  assert.equal(check(6, [2, 1, 2]), "[2,1]");
  assert.equal(check(6, []), "");
});

Deno.test("checkValue() refuses dates that do not exist and other formats", () => {
  const bad = [
    "2023-02-29",
    "2024-13-01",
    "2024-00-10",
    "2024-01-32",
    "2024-1-1",
    "24-01-01",
    "2024-01-01T00",
  ];
  for (const text of [...bad, "+02024-01-01", "２０２４-01-01", "2024-01-01 ", "0000-01-01", ""]) {
    assert.throws(() => check(4, text), { message: "F is not a date" }, text);
  }
});

Deno.test("checkValue() names the users that a value cannot reference", () => {
  const cases: [ProfileValueInput["value"], string][] = [
    [[1, 9, 8], "Invalid user IDs: 9, 8"],
    [[-1], "Invalid user IDs: -1"],
    [[2 ** 60], `Invalid user IDs: ${2 ** 60}`],
    [[3], "User with ID 3 is deactivated"],
    [[1, 4], "User with ID 4 is a bot"],
    [[5], "User with ID 5 is a bot"],
    [["1"], "User IDs[0] is not an integer"],
    [[1, null], "User IDs[1] is not an integer"],
    [[1.5], "User IDs[0] is not an integer"],
    ["[1]", "User IDs is not a list"],
    [true, "User IDs is not a list"],
    [{}, "User IDs is not a list"],
  ];
  for (const [value, message] of cases) assert.throws(() => check(6, value), { message });
});

Deno.test("checkValue() quotes only the beginning of a long value", () => {
  const message = `'${"x".repeat(200)}…' is not a valid choice for 'F'.`;
  assert.throws(() => check(3, "x".repeat(100_000)), { message });
});

Deno.test("listUserIds() lists the ids of the users that a value can reference", () => {
  assert.deepEqual(listUserIds([1, "2", null, 2 ** 60, 3]), [1, 3]);
  assert.deepEqual([listUserIds("x"), listUserIds(null), listUserIds({ a: 1 })], [[], [], []]);
  assert.equal(listUserIds(Array.from({ length: 5000 }, (_, at) => at)).length, 100);
});
