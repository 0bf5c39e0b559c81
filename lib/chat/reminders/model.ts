import type { Key } from "@/lib/store/key.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { DueRecord } from "../scheduled_messages/model.ts";
import type { UserRecord } from "../users/model.ts";

/** A message of which the notification bot will remind a user. */
export interface ReminderRecord {
  readonly id: number;
  readonly message_id: number;
  /** Markdown: what the bot will write, without the quoted message. */
  readonly content: string;
  /** HTML of `content`. */
  readonly rendered: string;
  /** Time to send it, in milliseconds since 1970 UTC. */
  readonly due_at: number;
  /** Reason for which it was not sent; null while it waits. */
  readonly failure: string | null;
}

/** A user with reminders, and their organization. */
export interface ReminderOwner {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** Maximum number of reminders of one account, including those that failed. */
export const MAX_REMINDERS = 100;
/** Maximum length of a note in code points. */
export const MAX_REMINDER_NOTE = 500;

/** Keys of reminders. */
export const reminderKeys = {
  all: (realmId: number): Key => [realmId, "reminder"],
  reminders: (realmId: number, userId: number): Key => [realmId, "reminder", userId],
  reminder: (realmId: number, userId: number, id: number): Key => [realmId, "reminder", userId, id],
  counts: (realmId: number): Key => [realmId, "reminder_count"],
  /** Number of reminders of an account. */
  count: (realmId: number, userId: number): Key => [realmId, "reminder_count", userId],
  /** Prefix of the reminders that wait, ordered by due time in milliseconds since 1970 UTC. */
  dueRows: ["reminder_due"],
  due: (due: number, { realmId, userId, id }: DueRecord): Key => ["reminder_due", due, realmId, userId, id],
} as const;

/** Returns the name of the in-process lock for changes of a user's reminders. */
export function reminderLock({ realm, user }: ReminderOwner): string {
  return `reminders ${realm.id} ${user.id}`;
}
