import type { Migration } from "../store/migrate.ts";
import type { Store } from "../store/open.ts";
import { toNameForm } from "../core/names.ts";
import { toEntry } from "../store/key.ts";
import { listValues } from "../store/reads.ts";
import { addMessageFacets } from "../chat/messages/narrow/facets.ts";
import { indexTopicWords, packSearchWords } from "../chat/messages/word_index/index_words.ts";
import { addDaySums } from "../chat/organization/statistics/migration.ts";
import { logByWriter, queueLinksForIndex, startVisitHours } from "../links/migrations.ts";
import { indexTopicPolicies } from "../chat/channels/topics/user_topics.ts";
import { transact } from "../store/transact.ts";

/** Migrations of the store. docs/operating.md says which may run beside older servers: add a new one there. */
export const MIGRATIONS: readonly Migration[] = [
  { from: 3, to: 17, run: migrateFrom050 },
  { from: 14, to: 15, run: indexTopicWords },
  { from: 15, to: 16, run: indexTopicPolicies },
  { from: 16, to: 17, run: (store) => logByWriter(store, 16) },
];

/**
 * Migrates a store of version 0.5.0. An interrupted migration runs again from its beginning. The sums come last, because
 * their last commit completes the migration: no record is counted twice.
 */
async function migrateFrom050(store: Store): Promise<void> {
  await addReadReceipts(store);
  await addNameForms(store);
  await addMessageFacets(store);
  await packSearchWords(store);
  await indexTopicPolicies(store);
  await queueLinksForIndex(store);
  await logByWriter(store, 3);
  await startVisitHours(store);
  await addDaySums(store);
}

/** Adds the setting for read receipts, off where users read messages before there were any. */
async function addReadReceipts(store: Store): Promise<void> {
  await addSettings(store, { enable_read_receipts: false });
}

/** Adds settings to the organizations that do not have them. */
async function addSettings(store: Store, added: Readonly<Record<string, unknown>>): Promise<void> {
  for await (const found of store.kv.list({ prefix: ["realm"] })) {
    const { key } = toEntry<unknown>(found);
    await transact(store, async (tx) => {
      const realm = await tx.get<{ settings: object }>(key);
      if (realm !== null) tx.set(key, { ...realm, settings: { ...added, ...realm.settings } });
    });
  }
}

/** Records whose names are unique in an organization: the key of the records, and that of the index of forms. */
const NAMED = [
  { records: "channel", forms: "channel_by_form", keepsCase: false },
  { records: "folder", forms: "folder_by_form", keepsCase: false },
  { records: "group", forms: "group_by_form", keepsCase: true },
];
/** Names that are indexed in one commit. */
const NAMES_AT_ONCE = 50;

/**
 * Adds the indexes of name forms. Of names that look the same, the first one has the entry;
 * no name changes. A version that changes the form needs a step that builds the indexes again.
 */
async function addNameForms(store: Store): Promise<void> {
  for await (const found of store.kv.list({ prefix: ["realm"] })) {
    const realmId = toEntry<unknown>(found).key[1];
    if (typeof realmId !== "number") continue;
    for (const { records, forms, keepsCase } of NAMED) {
      const named = (await listValues<NamedRecord>(store.kv, [realmId, records]))
        .filter(({ is_archived }) => records !== "folder" || is_archived !== true);
      for (let at = 0; at < named.length; at += NAMES_AT_ONCE) {
        await transact(store, async (tx) => {
          for (const { id, name } of named.slice(at, at + NAMES_AT_ONCE)) {
            const key = [realmId, forms, toNameForm(name, { keepsCase })];
            if (await tx.get(key) === null) tx.set(key, id);
          }
        });
      }
    }
  }
}

/** Fields of a channel, a folder or a group that name it. */
interface NamedRecord {
  readonly id: number;
  readonly name: string;
  readonly is_archived?: boolean;
}
