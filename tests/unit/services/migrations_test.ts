import assert from "node:assert/strict";
import { omit } from "es-toolkit/object/omit";
import { DEFAULT_REALM_SETTINGS } from "@/lib/chat/organizations/settings.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import { migrate } from "@/lib/store/migrate.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { openTestStore } from "@/tests/helpers/store.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

/** Settings of an organization in version 1. */
const SETTINGS_1 = {
  waiting_period_threshold: 3,
  enable_spectator_access: true,
  message_content_edit_limit_seconds: null,
  name_changes_disabled: true,
  email_changes_disabled: false,
  new_stream_announcements_stream_id: 7,
};

/** Settings that organizations of earlier versions get with other values than new ones. */
const LATER = { enable_read_receipts: false };

/** Settings that organizations of earlier versions do not store: they have the default where they are read. */
const UNSTORED = ["message_content_delete_limit_seconds", "email_confirmation"] as const;
const STORED_DEFAULTS = omit(DEFAULT_REALM_SETTINGS, UNSTORED);

const realmOf = (id: number, settings: object) => ({
  id,
  subdomain: `garden${id}`,
  settings,
  permissions: {},
});

Deno.test("a version 1 store gets the settings for joining and keeps all others", async () => {
  using store = await openTestStore();
  const chosen = { ...SETTINGS_1, emails_restricted_to_domains: true, welcome_message_custom_text: "Hello" };
  await store.kv.set(["schema_version"], 1);
  await store.kv.set(["realm", 1], realmOf(1, SETTINGS_1));
  await store.kv.set(["realm", 2], realmOf(2, chosen));
  await store.kv.set(["realm_by_subdomain", "garden1"], 1);
  await migrate(store, MIGRATIONS);
  const migrated = [await readRecord(store.kv, ["realm", 1]), await readRecord(store.kv, ["realm", 2])];
  assert.deepEqual(migrated, [
    realmOf(1, { ...STORED_DEFAULTS, ...LATER, ...SETTINGS_1 }),
    realmOf(2, { ...STORED_DEFAULTS, ...LATER, ...chosen }),
  ]);
  assert.equal(await readRecord(store.kv, ["realm_by_subdomain", "garden1"]), 1);
  assert.equal(await readRecord(store.kv, ["schema_version"]), MIGRATIONS.length + 1);
});

Deno.test("each step may run again after an interruption, and changes nothing more", async () => {
  using store = await openTestStore();
  for (let id = 1; id <= 30; id++) await store.kv.set(["realm", id], realmOf(id, SETTINGS_1));
  const run = async () => {
    await store.kv.set(["schema_version"], 1);
    await migrate(store, MIGRATIONS);
    return await Array.fromAsync(store.kv.list({ prefix: ["realm"] }), ({ value }) => value);
  };
  const first = await run();
  assert.equal(first.length, 30);
  const kept = { ...DEFAULT_REALM_SETTINGS, ...SETTINGS_1, disallow_disposable_email_addresses: false };
  await writeRows(store, [[["realm", 5], realmOf(5, kept)]]);
  assert.deepEqual(await run(), first.with(4, realmOf(5, kept)));
});

Deno.test("a version 1 store without an organization is migrated, too", async () => {
  using store = await openTestStore();
  await store.kv.set(["schema_version"], 1);
  await migrate(store, MIGRATIONS);
  assert.equal(await readRecord(store.kv, ["schema_version"]), MIGRATIONS.length + 1);
});

Deno.test("processes that open a new store at once leave it at the latest version", async () => {
  using store = await openTestStore();
  const VERSION_KEY = ["schema_version"];
  await store.kv.delete(VERSION_KEY);
  const get = store.kv.get.bind(store.kv);
  let isFirst = true;
  const reads: Pick<Kv, "get"> = {
    async get<T>(...args: Parameters<typeof get>) {
      const found = await get<T>(...args);
      // Another process creates the store right after the first look at it.
      if (isFirst) await store.kv.set(VERSION_KEY, MIGRATIONS.length + 1);
      isFirst = false;
      return found;
    },
  };
  Object.assign(store.kv, reads);
  await migrate(store, MIGRATIONS);
  assert.equal((await get(VERSION_KEY)).value, MIGRATIONS.length + 1);
});

Deno.test("a step that another process completed is not repeated", async () => {
  using store = await openTestStore();
  for (const step of MIGRATIONS) await step(store);
  assert.equal(await readRecord(store.kv, ["schema_version"]), MIGRATIONS.length + 1);
});

Deno.test("policies of topics are indexed by topic", async () => {
  using store = await openTestStore();
  const policyOf = (topic_name: string) =>
    ({ channel_id: 7, topic_name, last_updated: 1, visibility_policy: 3 }) as const;
  await store.kv.set(["schema_version"], 15);
  await store.kv.set(["realm", 1], realmOf(1, SETTINGS_1));
  await store.kv.set([1, "user_topic", 5, 7, "plans"], policyOf("Plans"));
  await store.kv.set([1, "user_topic", 6, 7, ""], policyOf(""));
  for (let time = 0; time < 2; time++) {
    await migrate(store, MIGRATIONS);
    const index = await Array.fromAsync(
      store.kv.list({ prefix: [1, "policy_by_topic"] }),
      ({ key, value }) => [key, value],
    );
    assert.deepEqual(index, [[[1, "policy_by_topic", 7, "", 6], 3], [
      [1, "policy_by_topic", 7, "plans", 5],
      3,
    ]]);
    await store.kv.set(["schema_version"], 15);
  }
});
