import assert from "node:assert/strict";
import { getOfferExpiry, retentionOptions } from "@/lib/chat/joining/invites/model.ts";
import { readConfig } from "@/lib/config.ts";
import { createFakeClock } from "@/tests/helpers/app.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function parts() {
  return { clock: createFakeClock(), config: readConfig({ INVITATION_LINK_VALIDITY_MINUTES: "30" }) };
}

Deno.test("getOfferExpiry() adds the sent minutes, or the operator's default, to the current time", () => {
  const app = parts();
  const now = app.clock.now();
  assert.equal(getOfferExpiry(app, { invite_expires_in_minutes: 2 }), now + 120_000);
  assert.equal(getOfferExpiry(app, { invite_expires_in_minutes: undefined }), now + 1_800_000);
  assert.equal(getOfferExpiry(app, { invite_expires_in_minutes: null }), null);
});

Deno.test("getOfferExpiry() expires an offer of zero or fewer minutes at once", () => {
  const app = parts();
  const now = app.clock.now();
  assert.equal(getOfferExpiry(app, { invite_expires_in_minutes: 0 }), now - 1);
  assert.equal(getOfferExpiry(app, { invite_expires_in_minutes: -1 }), now - 60_001);
  assert.equal(getOfferExpiry(app, { invite_expires_in_minutes: -99_999_999 }), 0);
});

Deno.test("retentionOptions() keeps an expired record for thirty days and others forever", () => {
  const app = parts();
  const now = app.clock.now();
  assert.deepEqual(retentionOptions(app, { expires_at: now + DAY_MS }), { expireIn: 31 * DAY_MS });
  assert.deepEqual(retentionOptions(app, { expires_at: 0 }), { expireIn: 30 * DAY_MS });
  assert.deepEqual(retentionOptions(app, { expires_at: null }), {});
});
