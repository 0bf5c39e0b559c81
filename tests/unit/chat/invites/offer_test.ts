import assert from "node:assert/strict";
import { expiryOf, keptUntil } from "@/lib/chat/invites/offer.ts";
import { readConfig } from "@/lib/config.ts";
import { createFakeClock } from "@/tests/helpers/app.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function parts() {
  return { clock: createFakeClock(), config: readConfig({ INVITATION_LINK_VALIDITY_MINUTES: "30" }) };
}

Deno.test("expiryOf() counts from now, by what was sent or else by what the operator decided", () => {
  const app = parts();
  const now = app.clock.now();
  assert.equal(expiryOf(app, { invite_expires_in_minutes: 2 }), now + 120_000);
  assert.equal(expiryOf(app, { invite_expires_in_minutes: undefined }), now + 1_800_000);
  assert.equal(expiryOf(app, { invite_expires_in_minutes: null }), null);
});

Deno.test("expiryOf() lets an offer without a duration be over at once", () => {
  const app = parts();
  const now = app.clock.now();
  assert.equal(expiryOf(app, { invite_expires_in_minutes: 0 }), now - 1);
  assert.equal(expiryOf(app, { invite_expires_in_minutes: -1 }), now - 60_001);
  assert.equal(expiryOf(app, { invite_expires_in_minutes: -99_999_999 }), 0);
});

Deno.test("keptUntil() keeps what ends for thirty days more, and what never ends for ever", () => {
  const app = parts();
  const now = app.clock.now();
  assert.deepEqual(keptUntil(app, { expires_at: now + DAY_MS }), { expireIn: 31 * DAY_MS });
  assert.deepEqual(keptUntil(app, { expires_at: 0 }), { expireIn: 30 * DAY_MS });
  assert.deepEqual(keptUntil(app, { expires_at: null }), {});
});
