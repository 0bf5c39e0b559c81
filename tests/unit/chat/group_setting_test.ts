import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import {
  groupSettingParam,
  groupSettingUpdateParam,
  isSameGroupSetting,
  listNamedGroups,
  normalizeGroupSetting,
} from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";

const NOBODY = 1;

function both(direct_members: number[], direct_subgroups: number[]) {
  return { direct_members, direct_subgroups };
}

Deno.test("normalizeGroupSetting() returns one form for equivalent values", () => {
  const cases: [Parameters<typeof normalizeGroupSetting>[0], unknown][] = [
    [7, 7],
    [both([], []), NOBODY],
    [both([], [7]), 7],
    [both([], [7, 7]), 7],
    [both([3, 2, 3], [9, 8, 8]), both([2, 3], [8, 9])],
    [both([10, 9], []), both([9, 10], [])],
    [both([2], [7]), both([2], [7])],
  ];
  for (const [value, expected] of cases) assert.deepEqual(normalizeGroupSetting(value, NOBODY), expected);
});

Deno.test("normalized values are equal exactly if they name the same users and groups", () => {
  const ids = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 5 });
  const value = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.tuple(ids, ids).map(([a, b]) => both(a, b)));
  /** The users and groups that a value names; no one at all is the group role:nobody. */
  const meaning = (one: Parameters<typeof normalizeGroupSetting>[0]) => {
    if (typeof one === "number") return `|${one}`;
    const text = (list: readonly number[]) => [1, 2, 3, 4, 5].filter((id) => list.includes(id)).join();
    const whole = `${text(one.direct_members)}|${text(one.direct_subgroups)}`;
    return whole === "|" ? `|${NOBODY}` : whole;
  };
  fc.assert(fc.property(value, value, (one, other) => {
    const [first, second] = [normalizeGroupSetting(one, NOBODY), normalizeGroupSetting(other, NOBODY)];
    assert.equal(isSameGroupSetting(first, second), meaning(one) === meaning(other));
    assert.deepEqual(normalizeGroupSetting(first, NOBODY), first);
  }));
});

Deno.test("listNamedGroups() returns the groups of either form", () => {
  assert.deepEqual(listNamedGroups(7), [7]);
  assert.deepEqual(listNamedGroups(both([1], [7, 8])), [7, 8]);
});

Deno.test("a value and an update each accept only their own form", () => {
  const params = { value: groupSettingParam(""), update: groupSettingUpdateParam("") };
  const read = (name: string, sent: string) => readParams(params, new Map([[name, sent]])).values;
  assert.equal(read("value", "7").value, 7);
  assert.deepEqual(read("value", JSON.stringify(both([1], [2]))).value, both([1], [2]));
  assert.deepEqual(read("update", '{"new":7,"old":{"direct_members":[],"direct_subgroups":[3]}}').update, {
    new: 7,
    old: both([], [3]),
  });
  assert.deepEqual(readParams(params, new Map()).values, { value: undefined, update: undefined });
  const refused: [string, string, string][] = [
    ["value", "x", "value is not valid JSON"],
    ["value", '"7"', "value is not an integer"],
    ["value", "7.5", "value is not an integer"],
    ["value", "{}", 'value["direct_members"] field is missing: Field required'],
    ["value", '{"direct_members":[1]}', 'value["direct_subgroups"] field is missing: Field required'],
    [
      "value",
      '{"direct_members":["1"],"direct_subgroups":[]}',
      'value["direct_members"][0] is not an integer',
    ],
    ["update", "7", "update is not a dict"],
    ["update", "[7]", "update is not a dict"],
    ["update", '{"old":7}', 'update["new"] field is missing: Field required'],
    ["update", '{"new":7,"old":"7"}', 'update["old"] is not an integer'],
  ];
  for (const [name, sent, message] of refused) {
    assert.throws(() => read(name, sent), { code: "BAD_REQUEST", message }, sent);
  }
});
