import type { Migration } from "./migrate.ts";
import type { Store } from "./open.ts";
import { toEntry } from "./key.ts";
import { addLinkStatistics } from "./link_stats_migration.ts";
import { transact } from "./transact.ts";

/** The steps from each version of the stored shape to the next, the first from version 1 to 2. */
export const MIGRATIONS: readonly Migration[] = [addJoiningSettings, addLinkStatistics];

/** Organizations decide who may join and what he is told first. */
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
