import { type Key, toValue } from "@/lib/store/key.ts";
import type { Role } from "../users/model.ts";

/** A change of many accounts. */
export type BulkChange =
  | { readonly kind: "set_role"; readonly role: Role }
  | { readonly kind: "deactivate" }
  | { readonly kind: "add_to_group"; readonly group_id: number }
  | { readonly kind: "subscribe"; readonly channel_id: number }
  | { readonly kind: "unsubscribe"; readonly channel_id: number }
  | { readonly kind: "import" };

/** An account to create: name, address and role. */
export type ImportedUser = readonly [fullName: string, email: string, role: Role];

/** An item of a bulk action: the id of an account, or an account to create. */
export type BulkItem = number | ImportedUser;

/** An item that was refused. */
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
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** A draft waits for its confirmation; a stopped one leaves its remaining items as they are. */
  readonly state: "draft" | "running" | "finished" | "stopped";
  /** Number of items. */
  readonly total: number;
  /** Number of items that were processed, refused ones included. */
  readonly done: number;
  readonly failed: number;
  /** The first refused items. */
  readonly failures: readonly BulkFailure[];
}

/** Maximum number of items. */
export const MAX_BULK_ITEMS = 10_000;
/** Maximum number of refused items that are named. */
export const MAX_FAILURES = 50;
/** Time that an action is kept after its last change, in milliseconds. */
export const BULK_ACTION_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Number of items in a stored record, which holds 64 KiB. */
export const CHUNK_ITEMS = 50;

/** Number of items in one commit; where the commit of several is refused, each gets its own. */
const ITEMS_PER_COMMIT: Readonly<Record<BulkChange["kind"], number>> = {
  // Every change lists all users, which a commit does once.
  set_role: 20,
  deactivate: 1,
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

/** Keys of bulk actions. */
export const bulkActionKeys = {
  actions: (realmId: number): Key => [realmId, "bulk_action"],
  action: (realmId: number, id: number): Key => [realmId, "bulk_action", id],
  /** Items of an action, in records of CHUNK_ITEMS. */
  items: (realmId: number, id: number, chunk: number): Key => [realmId, "bulk_action_items", id, chunk],
  /** Running actions of all organizations, ordered by the time of their start in milliseconds since 1970 UTC. */
  dueRows: ["bulk_action_due"],
  due: (time: number, realmId: number, id: number): Key => ["bulk_action_due", time, realmId, id],
} as const;

/** Returns the ids of the organization and of the action in the key of a running action. */
export function parseDueKey(key: Key): { realmId: number; id: number } {
  const [, , realmId, id] = toValue<readonly [string, number, number, number]>(key);
  return { realmId, id };
}
