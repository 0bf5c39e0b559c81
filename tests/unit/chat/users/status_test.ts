import assert from "node:assert/strict";
import { isNoStatus, NO_STATUS, toShownStatus } from "@/lib/chat/users/status.ts";

const CAR = { emoji_name: "car", emoji_code: "1f697", reaction_type: "unicode_emoji" };

Deno.test("toShownStatus() gives the parts that say something, an emoji whole", () => {
  assert.deepEqual(toShownStatus(NO_STATUS), {});
  assert.deepEqual(toShownStatus({ ...NO_STATUS, ...CAR }), CAR);
  assert.deepEqual(toShownStatus({ ...NO_STATUS, status_text: "hi", away: true }), {
    status_text: "hi",
    away: true,
  });
});

Deno.test("isNoStatus() holds for a status without a text, an emoji and away", () => {
  assert.ok(isNoStatus(NO_STATUS));
  assert.ok(!isNoStatus({ ...NO_STATUS, ...CAR }));
  assert.ok(!isNoStatus({ ...NO_STATUS, status_text: "0" }));
  assert.ok(!isNoStatus({ ...NO_STATUS, away: true }));
});
