import assert from "node:assert/strict";
import { DEFAULT_REALM_SETTINGS } from "@/lib/chat/organization/organizations/settings.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import { latestVersion, migrate } from "@/lib/store/migrate.ts";
import { MIGRATIONS } from "@/lib/services/migrations.ts";
import { openTestStore } from "@/tests/helpers/store.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

/** Schema version of Sotto 0.5.0. */
const RELEASED = 3;

/** Settings of an organization in version 0.5.0. */
const SETTINGS = {
  waiting_period_threshold: 3,
  enable_spectator_access: true,
  message_content_edit_limit_seconds: null,
  name_changes_disabled: true,
  email_changes_disabled: false,
  new_stream_announcements_stream_id: 7,
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  presence_disabled: false,
  welcome_message_custom_text: "",
  domains: [],
};

const realmOf = (id: number, settings: object) => ({
  id,
  subdomain: `garden${id}`,
  settings,
  permissions: {},
});

Deno.test("a store of 0.5.0 has no read receipts, and keeps all settings", async () => {
  using store = await openTestStore();
  await store.kv.set(["schema_version"], RELEASED);
  await store.kv.set(["realm", 1], realmOf(1, SETTINGS));
  await store.kv.set(["realm_by_subdomain", "garden1"], 1);
  await migrate(store, MIGRATIONS);
  const migrated = await readRecord(store.kv, ["realm", 1]);
  assert.deepEqual(migrated, realmOf(1, { enable_read_receipts: false, ...SETTINGS }));
  assert.equal(await readRecord(store.kv, ["realm_by_subdomain", "garden1"]), 1);
  assert.equal(await readRecord(store.kv, ["schema_version"]), latestVersion(MIGRATIONS));
});

Deno.test("a store between versions and one of before 0.5.0 are refused and stay as they are", async () => {
  for (const version of [1, 2, 4, 13]) {
    using store = await openTestStore();
    await store.kv.set(["schema_version"], version);
    await store.kv.set(["realm", 1], realmOf(1, SETTINGS));
    await assert.rejects(
      migrate(store, MIGRATIONS),
      /migrates from 3, 14, 15, 16\)\. Start a version in between first\./,
    );
    assert.equal(await readRecord(store.kv, ["schema_version"]), version);
    assert.deepEqual(await readRecord(store.kv, ["realm", 1]), realmOf(1, SETTINGS));
  }
});

Deno.test("each step may run again after an interruption, and changes nothing more", async () => {
  using store = await openTestStore();
  for (let id = 1; id <= 30; id++) await store.kv.set(["realm", id], realmOf(id, SETTINGS));
  const run = async () => {
    await store.kv.set(["schema_version"], RELEASED);
    await migrate(store, MIGRATIONS);
    return await Array.fromAsync(store.kv.list({ prefix: ["realm"] }), ({ value }) => value);
  };
  const first = await run();
  assert.equal(first.length, 30);
  const kept = { ...DEFAULT_REALM_SETTINGS, ...SETTINGS, disallow_disposable_email_addresses: false };
  await writeRows(store, [[["realm", 5], realmOf(5, kept)]]);
  assert.deepEqual(await run(), first.with(4, realmOf(5, kept)));
});

Deno.test("a store of 0.5.0 without an organization is migrated, too", async () => {
  using store = await openTestStore();
  await store.kv.set(["schema_version"], RELEASED);
  await migrate(store, MIGRATIONS);
  assert.equal(await readRecord(store.kv, ["schema_version"]), latestVersion(MIGRATIONS));
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
      if (isFirst) await store.kv.set(VERSION_KEY, latestVersion(MIGRATIONS));
      isFirst = false;
      return found;
    },
  };
  Object.assign(store.kv, reads);
  await migrate(store, MIGRATIONS);
  assert.equal((await get(VERSION_KEY)).value, latestVersion(MIGRATIONS));
});

Deno.test("a step that another process completed is not repeated", async () => {
  using store = await openTestStore();
  for (const { run } of MIGRATIONS) await run(store);
  assert.equal(await readRecord(store.kv, ["schema_version"]), latestVersion(MIGRATIONS));
});

Deno.test("policies of topics are indexed by topic", async () => {
  using store = await openTestStore();
  const policyOf = (topic_name: string) =>
    ({ channel_id: 7, topic_name, last_updated: 1, visibility_policy: 3 }) as const;
  await store.kv.set(["schema_version"], RELEASED);
  await store.kv.set(["realm", 1], realmOf(1, SETTINGS));
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
    await store.kv.set(["schema_version"], RELEASED);
  }
});
