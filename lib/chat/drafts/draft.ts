import { AppError } from "@/lib/core/errors.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { DraftBox } from "../users/draft_box.ts";
import type { UserRecord } from "../users/user.ts";

/** A message that somebody began to write. */
export interface DraftRecord {
  readonly id: number;
  /** Empty where it is not decided to whom it goes. */
  readonly type: "" | "stream" | "private";
  /** A channel's id, or people's. */
  readonly to: readonly number[];
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  /** Seconds since 1970 UTC, when it was last edited. */
  readonly timestamp: number;
}

/** Whose drafts, and in which organization. */
export interface DraftWriter {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** What is in an account's box before anything was put into it. */
const EMPTY_BOX: DraftBox = { is_off: false, ids: [] };

/**
 * Lets those through who keep their drafts on the server.
 * @throws AppError BAD_REQUEST.
 */
export function requireOpen(box: DraftBox | null): DraftBox {
  if (box?.is_off !== true) return box ?? EMPTY_BOX;
  throw new AppError("BAD_REQUEST", "User has disabled synchronizing drafts.");
}
