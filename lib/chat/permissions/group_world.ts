import { readRecord, toEntry } from "@/lib/kv/key.ts";
import { StaleRead, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { getRealm, type RealmRecord } from "../realm/realm.ts";
import { groupKeys, type GroupRecord } from "./group.ts";

/** All that decides who belongs to which group at one moment. */
export interface PermissionContext {
  readonly realm: RealmRecord;
  /** The groups that somebody made, by id. */
  readonly groups: ReadonlyMap<number, GroupRecord>;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/**
 * The groups as a transaction sees them: it is run again when any of them changes before it commits, so that nothing
 * is decided on what is no longer so. To be called before the transaction's first change of a group.
 */
export async function readPermissionContext(
  app: ChatApp,
  tx: Tx,
  realmId: number,
): Promise<PermissionContext> {
  const realm = await getRealm(tx, realmId);
  const version = await tx.get<number>(groupKeys.version(realmId)) ?? 0;
  return { realm, groups: await readGroups(app, realmId, version), now: app.clock.now() };
}

/** The groups as they are now. */
export async function peekPermissionContext(app: ChatApp, realm: RealmRecord): Promise<PermissionContext> {
  for (;;) {
    const version = await app.reads.read<number>(groupKeys.version(realm.id)) ?? 0;
    try {
      return { realm, groups: await readGroups(app, realm.id, version), now: app.clock.now() };
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
    }
  }
}

function readGroups(
  app: ChatApp,
  realmId: number,
  version: number,
): Promise<ReadonlyMap<number, GroupRecord>> {
  return app.caches.get(`groups ${realmId}`, version, async () => {
    const { kv } = app.store;
    const groups = new Map<number, GroupRecord>();
    for await (const entry of kv.list({ prefix: [...groupKeys.groups(realmId)] }, { batchSize: 500 })) {
      const { value } = toEntry<GroupRecord>(entry);
      groups.set(value.id, value);
    }
    const after = await readRecord<number>(kv, groupKeys.version(realmId)) ?? 0;
    if (after !== version) throw new StaleRead("The groups changed while they were read");
    return groups;
  });
}

/** Lets everybody who read the groups read them anew; part of every change of a group or of what uses one. */
export async function bumpGroupsVersion(tx: Tx, realmId: number): Promise<void> {
  const key = groupKeys.version(realmId);
  tx.set(key, (await tx.get<number>(key) ?? 0) + 1);
}

/** The line in which changes of an organization's groups wait for each other within this process. */
export function groupQueue(realmId: number): string {
  return `groups ${realmId}`;
}
