import type { Migration } from "../kv/migrate.ts";
import type { Store } from "../kv/open.ts";
import { toEntry } from "../kv/key.ts";
import { addLinkStatistics } from "../links/stats_migration.ts";
import { transact } from "../kv/transact.ts";

/** Migrations of the store, from version 1 to 2 onward. */
export const MIGRATIONS: readonly Migration[] = [addJoiningSettings, addLinkStatistics];

/** Adds the settings that decide who may join and the welcome message. */
async function addJoiningSettings(store: Store): Promise<void> {
  const added = {
    emails_restricted_to_domains: false,
    disallow_disposable_email_addresses: true,
    presence_disabled: false,
    welcome_message_custom_text: "",
    domains: [],
  };
  for await (const found of store.kv.list({ prefix: ["realm"] })) {
    const { key } = toEntry<unknown>(found);
    await transact(store, async (tx) => {
      const realm = await tx.get<{ settings: object }>(key);
      if (realm !== null) tx.set(key, { ...realm, settings: { ...added, ...realm.settings } });
    });
  }
}
