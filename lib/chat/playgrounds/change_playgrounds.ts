import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { ActionContext, Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { auditPlayground, sendPlaygroundsEvent } from "./events.ts";
import {
  addPlayground,
  type PlaygroundFields,
  type PlaygroundRecord,
  playgroundsKey,
  removePlayground,
} from "./model.ts";

/** An organization's playgrounds after a change, and the one that was added or removed. */
interface ChangedPlaygrounds {
  readonly after: readonly PlaygroundRecord[];
  readonly action: "playground_added" | "playground_removed";
  readonly playground: PlaygroundRecord;
}

/**
 * Adds a code playground after all others and returns its id.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for invalid fields, for a name that another
 * playground of the language has, and when there are too many playgrounds.
 */
export async function createPlayground(
  app: ChatApp,
  caller: Caller,
  fields: PlaygroundFields,
): Promise<number> {
  return await changePlaygrounds(app, caller, async (before, tx) => {
    const playground = { id: await tx.nextId("playground"), ...fields };
    return { after: addPlayground(before, playground), action: "playground_added", playground };
  });
}

/**
 * Removes a code playground.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an unknown id.
 */
export async function deletePlayground(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await changePlaygrounds(app, caller, (before) => {
    const { removed, remaining } = removePlayground(before, id);
    return Promise.resolve({ after: remaining, action: "playground_removed", playground: removed });
  });
}

/** Changes an organization's playgrounds as an administrator and returns the id of the changed one. */
async function changePlaygrounds(
  app: ChatApp,
  caller: Caller,
  change: PlaygroundsChange,
): Promise<number> {
  const work = (tx: Tx) => applyPlaygroundsChange({ app, tx, ...caller }, change);
  return await transact(app.store, work);
}

/** Decides on the playgrounds of an organization after a change. */
export type PlaygroundsChange = (
  before: readonly PlaygroundRecord[],
  tx: Tx,
) => Promise<ChangedPlaygrounds>;

/**
 * Changes an organization's playgrounds within a transaction, with the event and the audit entry, and returns the
 * id of the changed one.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, and anything `change` throws.
 */
export async function applyPlaygroundsChange(
  { app, tx, realm, actingUser }: ActionContext,
  change: PlaygroundsChange,
): Promise<number> {
  const key = playgroundsKey(realm.id);
  const actor = await getActingAdmin(tx, { realm, actingUser });
  const before = await tx.get<readonly PlaygroundRecord[]>(key) ?? [];
  const { after, action, playground } = await change(before, tx);
  if (after.length === 0) tx.delete(key);
  else tx.set(key, after);
  const at = { realmId: realm.id, now: app.clock.now() };
  auditPlayground(tx, at, { actor, action, playground });
  sendPlaygroundsEvent(tx, at, after);
  return playground.id;
}
