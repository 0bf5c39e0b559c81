import assert from "node:assert/strict";
import type { Kv } from "@/lib/store/kv.ts";
import { copyEntries } from "@/lib/cli/transfer/copy_entries.ts";
import { getExpiry, isStoreBound, listCopied } from "@/lib/cli/transfer/expiring_entries.ts";

import { startWriteCast } from "@/tests/casts/write_cast.ts";
import { toApiWrite } from "@/tests/casts/write_examples.ts";
import { listConversationExamples } from "@/tests/casts/write_examples_conversations.ts";
import { listOtherExamples } from "@/tests/casts/write_examples_pages.ts";
import { listPeopleExamples } from "@/tests/casts/write_examples_people.ts";
import { startTestApp } from "@/tests/helpers/app.ts";

/** Families whose entries do not hold the time of their write; copies may keep them longer. */
const KEPT_LONGER = [
  "bulk_action",
  "bulk_action_items",
  "invite_day",
  "invite_resent",
  "report_count",
  "invite",
];

/** Families that the requests of the test write. */
const WRITTEN = [
  ...["audit", "audit_by", "audit_by_of", "audit_of", "audit_values", "bulk_action", "bulk_action_items"],
  ...["confirmation", "invite", "invite_link", "invite_offer", "pending_email", "resumable", "session"],
  ...["sign_in_link", "user_session"],
];

Deno.test("a copied entry expires when the original does", async () => {
  await using cast = await startWriteCast();
  const { kv } = cast.services.store;
  const examples = [...listConversationExamples(cast), ...listPeopleExamples(cast)];
  for (const { send } of [...listOtherExamples(cast), ...examples.map((one) => toApiWrite(cast, one))]) {
    await (await send()).body?.cancel();
  }
  const seen = new Set<string>();
  for (const { key, value, expireIn } of cast.expiringWrites.values()) {
    if ((await kv.get([...key])).value === null) continue;
    const family = String(typeof key[0] === "number" ? key[1] : key[0]);
    const now = cast.clock.now();
    const left = (await getExpiry({ key, value }, { kv, now }) ?? Infinity) - now;
    assert.ok(left >= expireIn, `${family}: ${left} of ${expireIn} ms`);
    if (!KEPT_LONGER.includes(family)) assert.equal(left, expireIn, family);
    seen.add(family);
  }
  assert.deepEqual([...seen].sort(), WRITTEN);
});

Deno.test("copies have every lasting entry except those that belong to one store", async () => {
  await using cast = await startWriteCast();
  using copy = await Deno.openKv(":memory:");
  await copyEntries(cast.services.store.kv, copy);
  const listLasting = async (kv: Kv) =>
    (await Array.fromAsync(listCopied(kv))).filter(({ expiresAt }) => expiresAt === null);
  const moving = await listLasting(cast.services.store.kv);
  assert.ok(moving.length > 100);
  assert.deepEqual(await listLasting(copy), moving);
  assert.deepEqual(moving.filter(({ key }) => isStoreBound(key)), []);
});

Deno.test("a write that expires fails in tests when copies would keep its entry for good", async () => {
  await using app = await startTestApp();
  const { kv } = app.services.store;
  assert.throws(
    () => kv.atomic().set([1, "unknown_family", 1], true, { expireIn: 1000 }),
    /lacks the family/,
  );
  assert.throws(() => kv.set(["unknown_family"], true, { expireIn: 1000 }), /lacks the family/);
  await kv.set([1, "unknown_family", 1], true);
});
