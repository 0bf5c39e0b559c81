import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { UserRecord } from "../users/model.ts";

/** An unsent message. */
export interface DraftRecord {
  readonly id: number;
  /** Empty while the draft has no recipient. */
  readonly type: "" | "stream" | "private";
  /** The id of a channel, or the ids of users. */
  readonly to: readonly number[];
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  /** Time of the last edit, in seconds since 1970 UTC. */
  readonly timestamp: number;
}

/** The drafts that an account stores on the server; an account without this record stores none yet. */
export interface DraftList {
  /** Whether the user has turned draft synchronization off. */
  readonly is_off: boolean;
  readonly ids: readonly number[];
}

/** A user who stores drafts, and their organization. */
export interface DraftOwner {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** Maximum number of drafts of one account. */
export const MAX_DRAFTS = 500;

/** Keys of drafts. */
export const draftKeys = {
  list: (realmId: number, userId: number): Key => [realmId, "draft_box", userId],
  drafts: (realmId: number, userId: number): Key => [realmId, "draft", userId],
  draft: (realmId: number, userId: number, id: number): Key => [realmId, "draft", userId, id],
};

/** Draft list of an account that has stored no draft. */
const EMPTY_LIST: DraftList = { is_off: false, ids: [] };

/** Returns the name of the in-process lock for changes of a user's drafts. */
export function draftLock({ realm, user }: DraftOwner): string {
  return `drafts ${realm.id} ${user.id}`;
}

/**
 * Returns the draft list, or an empty one for null.
 * @throws AppError BAD_REQUEST when the user has turned draft synchronization off.
 */
export function requireDraftSync(list: DraftList | null): DraftList {
  if (list?.is_off !== true) return list ?? EMPTY_LIST;
  throw new AppError("BAD_REQUEST", "User has disabled synchronizing drafts.");
}

/**
 * Refuses an id that is not in the draft list.
 * @throws AppError BAD_REQUEST.
 */
export function requireListed({ ids }: DraftList, id: number): void {
  if (!ids.includes(id)) {
    throw new AppError("BAD_REQUEST", "Draft does not exist", { status: 404 });
  }
}
