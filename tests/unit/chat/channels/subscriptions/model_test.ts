import assert from "node:assert/strict";
import { SUBSCRIPTION_COLORS } from "@/lib/chat/channels/subscriptions/model.ts";

Deno.test("SUBSCRIPTION_COLORS are distinct", () => {
  assert.equal(new Set(SUBSCRIPTION_COLORS).size, SUBSCRIPTION_COLORS.length);
  for (const color of SUBSCRIPTION_COLORS) assert.match(color, /^#[0-9a-f]{6}$/);
});
