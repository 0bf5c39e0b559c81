import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { Caller, Role } from "@/lib/chat/organization/users/model.ts";
import { actAsAdmin } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Key, toValue } from "@/lib/store/key.ts";
import { listPage } from "@/lib/store/reads.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";

export type BulkChange =
  | { readonly kind: "set_role"; readonly role: Role }
  | { readonly kind: "deactivate" }
  | { readonly kind: "reactivate" }
  | { readonly kind: "add_to_group"; readonly group_id: number }
  | { readonly kind: "subscribe"; readonly channel_id: number }
  | { readonly kind: "unsubscribe"; readonly channel_id: number }
  | { readonly kind: "import" };

/** An account to create: name, address and role. */
export type ImportedUser = readonly [fullName: string, email: string, role: Role];

/** An item of a bulk action: the id of an account, or an account to create. */
export type BulkItem = number | ImportedUser;

/** A row of an imported file that is left out. */
export interface RefusedRow {
  /** Number of the row, as spreadsheets count. */
  readonly number: number;
  readonly cells: readonly [email: string, name: string, role: string];
  readonly reason: string;
}

export interface BulkFailure {
  /** Id of the account; null for an account to create. */
  readonly user_id: number | null;
  /** Name of the account, or address of an account to create. */
  readonly name: string;
  readonly reason: string;
}

/** A change of many accounts that the background worker applies. */
export interface BulkActionRecord {
  readonly id: number;
  readonly change: BulkChange;
  readonly acting_user_id: number;
  /** Time of the start, before it that of the draft, in milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** A draft waits for its confirmation; a stopped one leaves its remaining items as they are. */
  readonly state: "draft" | "running" | "finished" | "stopped";
  /** Number of items. */
  readonly total: number;
  /** Number of items that were processed, refused ones included. */
  readonly done: number;
  readonly failed: number;
  /** Number of rows of the file that are left out; absent for none. */
  readonly refused?: number;
  /** The first refused items. */
  readonly failures: readonly BulkFailure[];
}

/** Maximum number of items of an action. */
export const MAX_BULK_ITEMS = 10_000;
/** Maximum number of refused items that are named. */
export const MAX_FAILURES = 50;
/** Time that an action is kept after its last change, in milliseconds. */
export const BULK_ACTION_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Number of items in a stored record, which holds 64 KiB. */
export const CHUNK_ITEMS = 50;
const CHUNK_REFUSED = 25;

/** Number of items in one commit; where the commit of several is refused, each gets its own. */
const ITEMS_PER_COMMIT: Readonly<Record<BulkChange["kind"], number>> = {
  // Every change lists all users, which a commit does once.
  set_role: 20,
  deactivate: 1,
  reactivate: 1,
  // Every user costs a version check, of which a commit holds a hundred.
  import: 10,
  subscribe: CHUNK_ITEMS,
  unsubscribe: CHUNK_ITEMS,
  add_to_group: CHUNK_ITEMS,
};

/** Returns how many of the next items one commit takes: at most those of one stored record. */
export function getStepSize({ change, done, total }: BulkActionRecord): number {
  const leftInChunk = CHUNK_ITEMS - done % CHUNK_ITEMS;
  return Math.min(ITEMS_PER_COMMIT[change.kind], leftInChunk, total - done);
}

export const bulkActionKeys = {
  actions: (realmId: number): Key => [realmId, "bulk_action"],
  action: (realmId: number, id: number): Key => [realmId, "bulk_action", id],
  /** Items of an action, in records of CHUNK_ITEMS. */
  items: (realmId: number, id: number, chunk: number): Key => [realmId, "bulk_action_items", id, chunk],
  /** Refused rows of an import, in records of CHUNK_REFUSED. */
  refused: (realmId: number, id: number, chunk: number): Key => [
    realmId,
    "bulk_action_items",
    id,
    "refused",
    chunk,
  ],
  /** Running actions of all organizations, ordered by the time of their start in milliseconds since 1970 UTC. */
  dueRows: ["bulk_action_due"],
  due: (time: number, realmId: number, id: number): Key => ["bulk_action_due", time, realmId, id],
} as const;

/** Returns the ids of the organization and of the action in the key of a running action. */
export function parseDueKey(key: Key): { realmId: number; id: number } {
  const [, , realmId, id] = toValue<readonly [string, number, number, number]>(key);
  return { realmId, id };
}

export function readBulkAction(
  { reads }: ChatApp,
  realmId: number,
  id: number,
): Promise<BulkActionRecord | null> {
  if (!Number.isSafeInteger(id)) return Promise.resolve(null);
  return reads.read<BulkActionRecord>(bulkActionKeys.action(realmId, id));
}

/** Lists the newest actions of an organization, newest first. */
export async function listBulkActions(
  { store }: ChatApp,
  realmId: number,
  limit: number,
): Promise<readonly BulkActionRecord[]> {
  const request = { limit, cursor: null, reverse: true };
  const { entries } = await listPage<BulkActionRecord>(store.kv, bulkActionKeys.actions(realmId), request);
  return entries.map(({ value }) => value);
}

/** Returns an action within a transaction.
 * @throws AppError NOT_FOUND. */
async function getBulkAction(tx: Tx, realmId: number, id: number): Promise<BulkActionRecord> {
  const key = bulkActionKeys.action(realmId, id);
  const action = Number.isSafeInteger(id) ? await tx.get<BulkActionRecord>(key) : null;
  if (action === null) throw new AppError("NOT_FOUND", "No such bulk action.");
  return action;
}

/** Writes an action, which expires some time after its last change. */
export function putBulkAction(tx: Tx, realmId: number, action: BulkActionRecord): void {
  tx.set(bulkActionKeys.action(realmId, action.id), action, { expireIn: BULK_ACTION_KEPT_MS });
}

/** Returns items of an action, all in one stored record. */
export async function getBulkItems(
  tx: Tx,
  realmId: number,
  { id, from, count }: { id: number; from: number; count: number },
): Promise<readonly BulkItem[]> {
  const key = bulkActionKeys.items(realmId, id, Math.floor(from / CHUNK_ITEMS));
  const items = await tx.peek<readonly BulkItem[]>(key) ?? [];
  return items.slice(from % CHUNK_ITEMS, from % CHUNK_ITEMS + count);
}

/** Number of records with items that are written in one commit, which holds some 800 KB. */
const CHUNKS_PER_COMMIT = 10;

interface NewBulkAction {
  readonly change: BulkChange;
  readonly items: readonly BulkItem[];
  readonly refused?: readonly RefusedRow[];
  /** Whether the action waits for `startBulkAction`. */
  readonly isDraft?: boolean;
}

/**
 * Creates a change of many accounts, which the background worker applies in the name of the caller, with their
 * permissions at that time. The record follows its items, so that an interrupted creation has no effect.
 * @throws AppError BAD_REQUEST for no or too many items; UNAUTHORIZED_PRINCIPAL.
 */
export async function createBulkAction(
  app: ChatApp,
  caller: Caller,
  { change, items, refused = [], isDraft = false }: NewBulkAction,
): Promise<BulkActionRecord> {
  if (items.length === 0 || items.length > MAX_BULK_ITEMS) {
    throw new AppError("BAD_REQUEST", `Choose from 1 to ${MAX_BULK_ITEMS} accounts.`);
  }
  const { id: realmId } = caller.realm;
  const id = await actAsAdmin(app, caller, ({ tx }) => tx.nextId("bulk_action"));
  await writeChunks(app, (chunk) => bulkActionKeys.items(realmId, id, chunk), chunk(items, CHUNK_ITEMS));
  await writeChunks(
    app,
    (chunk) => bulkActionKeys.refused(realmId, id, chunk),
    chunk(refused, CHUNK_REFUSED),
  );
  const action = await actAsAdmin(app, caller, ({ tx, actingUser: actor }) => {
    const now = app.clock.now();
    const created: BulkActionRecord = {
      id,
      change,
      acting_user_id: actor.id,
      created_at: now,
      total: items.length,
      done: 0,
      failed: 0,
      failures: [],
      ...(refused.length === 0 ? {} : { refused: refused.length }),
      state: isDraft ? "draft" : "running",
    };
    putBulkAction(tx, realmId, created);
    if (!isDraft) tx.set(bulkActionKeys.due(now, realmId, id), true);
    return Promise.resolve(created);
  });
  if (!isDraft) app.wakeBulkActions();
  return action;
}

async function writeChunks(
  app: ChatApp,
  toKey: (at: number) => Key,
  chunks: readonly (readonly unknown[])[],
): Promise<void> {
  for (const [batch, part] of chunk(chunks, CHUNKS_PER_COMMIT).entries()) {
    await transact(app.store, (tx) => {
      for (const [at, items] of part.entries()) {
        tx.set(toKey(batch * CHUNKS_PER_COMMIT + at), items, { expireIn: BULK_ACTION_KEPT_MS });
      }
      return Promise.resolve();
    });
  }
}

/** Reads the first users of an import. */
export async function readImported(
  app: Pick<ChatApp, "reads">,
  realmId: number,
  { id, count }: { id: number; count: number },
): Promise<readonly ImportedUser[]> {
  const toKey = (at: number) => bulkActionKeys.items(realmId, id, at);
  const items = await readChunks<BulkItem>(app, toKey, { count, size: CHUNK_ITEMS });
  return items.filter((item) => typeof item !== "number");
}

/** Reads the first rows that an import left out. */
export async function readRefused(
  app: Pick<ChatApp, "reads">,
  realmId: number,
  { id, count }: { id: number; count: number },
): Promise<readonly RefusedRow[]> {
  const toKey = (at: number) => bulkActionKeys.refused(realmId, id, at);
  return await readChunks<RefusedRow>(app, toKey, { count, size: CHUNK_REFUSED });
}

async function readChunks<T>(
  { reads }: Pick<ChatApp, "reads">,
  toKey: (at: number) => Key,
  { count, size }: { count: number; size: number },
): Promise<readonly T[]> {
  const keys = Array.from({ length: Math.ceil(count / size) }, (_, at) => toKey(at));
  const chunks = await Promise.all(keys.map((key) => reads.read<readonly T[]>(key)));
  return chunks.flatMap((rows) => rows ?? []).slice(0, count);
}

/**
 * Starts the caller's own draft of a bulk action; does nothing for one that was started.
 * @throws AppError NOT_FOUND or UNAUTHORIZED_PRINCIPAL.
 */
export async function startBulkAction(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const { id: realmId } = caller.realm;
  await actAsAdmin(app, caller, async ({ tx, actingUser: actor }) => {
    const action = await getBulkAction(tx, realmId, id);
    if (action.acting_user_id !== actor.id) {
      throw new AppError("UNAUTHORIZED_PRINCIPAL", "Only the administrator who prepared this can start it.");
    }
    if (action.state !== "draft") return;
    const now = app.clock.now();
    putBulkAction(tx, realmId, { ...action, state: "running", created_at: now });
    tx.set(bulkActionKeys.due(now, realmId, id), true);
  });
  app.wakeBulkActions();
}

/**
 * Stops a bulk action: accounts that were not processed yet stay as they are. Does nothing for one that has ended.
 * @throws AppError NOT_FOUND or UNAUTHORIZED_PRINCIPAL.
 */
export async function stopBulkAction(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const { id: realmId } = caller.realm;
  await actAsAdmin(app, caller, async ({ tx }) => {
    const action = await getBulkAction(tx, realmId, id);
    if (action.state !== "draft" && action.state !== "running") return;
    putBulkAction(tx, realmId, { ...action, state: "stopped" });
  });
}
