import assert from "node:assert/strict";
import { realmKeys, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { RealmSettings } from "@/lib/chat/organization/organizations/settings.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { TestChat } from "./chat.ts";

/** Returns the stored record of the cast's organization. */
export async function readStoredRealm({ services, realm }: TestChat): Promise<RealmRecord> {
  const found = await readRecord<RealmRecord>(services.store.kv, realmKeys.realm(realm.id));
  assert.ok(found !== null);
  return found;
}

/** Changes the record of the cast's organization without sending events. */
export async function alterRealm(chat: TestChat, changes: Partial<RealmRecord>): Promise<void> {
  const key = realmKeys.realm(chat.realm.id);
  await transact(chat.services.store, async (tx) => {
    const realm = await tx.get<RealmRecord>(key);
    assert.ok(realm !== null);
    tx.set(key, { ...realm, ...changes });
  });
}

/** Changes settings of the cast's organization without sending events. */
export async function alterSettings(chat: TestChat, settings: Partial<RealmSettings>): Promise<void> {
  await alterRealm(chat, { settings: { ...(await readStoredRealm(chat)).settings, ...settings } });
}
