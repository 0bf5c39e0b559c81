import assert from "node:assert/strict";
import { EMPTY_STATUS, isEmptyStatus, toUserStatus } from "@/lib/chat/people/user_status.ts";

const CAR = { emoji_name: "car", emoji_code: "1f697", reaction_type: "unicode_emoji" };

Deno.test("toUserStatus() returns the parts that are set, and an emoji with all its parts", () => {
  assert.deepEqual(toUserStatus(EMPTY_STATUS), {});
  assert.deepEqual(toUserStatus({ ...EMPTY_STATUS, ...CAR }), CAR);
  assert.deepEqual(toUserStatus({ ...EMPTY_STATUS, status_text: "hi", away: true }), {
    status_text: "hi",
    away: true,
  });
});

Deno.test("isEmptyStatus() is true for a status without text, emoji and away", () => {
  assert.ok(isEmptyStatus(EMPTY_STATUS));
  assert.ok(!isEmptyStatus({ ...EMPTY_STATUS, ...CAR }));
  assert.ok(!isEmptyStatus({ ...EMPTY_STATUS, status_text: "0" }));
  assert.ok(!isEmptyStatus({ ...EMPTY_STATUS, away: true }));
});
