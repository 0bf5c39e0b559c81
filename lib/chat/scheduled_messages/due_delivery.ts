import { AppError, isRefusal } from "@/lib/core/errors.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import { type Key, toValue } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { sendNotice } from "../announcements/send_notice.ts";
import type { ChatApp } from "../app.ts";
import { getRealm, readRealm } from "../organizations/model.ts";
import { getActingUser, readUser } from "../users/store.ts";
import { type DueRecord, parseDueKey, type ScheduledMessageOwner } from "./model.ts";

/** A scheduled message or a reminder as it was read, with its user. */
export interface DueDelivery<Due> {
  readonly owner: ScheduledMessageOwner;
  readonly record: Due;
}

/** Functions that find and send the records of one kind. */
export interface DeliveryKind<Due> {
  readonly toKey: (due: DueRecord) => Key;
  readonly send: (app: ChatApp, due: DueDelivery<Due>) => Promise<void>;
  /** Keeps a record that cannot be sent, with the reason. */
  readonly fail: (app: ChatApp, due: DueDelivery<Due>, failure: string) => Promise<void>;
}

/**
 * Sends the record of a due row, or marks it as failed when it is refused for good.
 * @throws NoLongerDue when it was sent, changed or deleted meanwhile; other errors leave it due.
 */
export async function deliverDue<Due>(
  app: ChatApp,
  key: Key,
  { toKey, send, fail }: DeliveryKind<Due>,
): Promise<void> {
  const due = parseDueKey(key);
  const [realm, user, record] = await Promise.all([
    readRealm(app, due.realmId),
    readUser(app, due.realmId, due.userId),
    app.reads.read(toKey(due)),
  ]);
  if (realm === null || user === null || record === null) throw new NoLongerDue();
  const delivery = { owner: { realm, user }, record: toValue<Due>(record) };
  try {
    await send(app, delivery);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await fail(app, delivery, error.message);
  }
}

/** @throws AppError when the organization or the user was deactivated since the record was read. */
export async function requireActiveOwner(tx: Tx, { realm, user }: ScheduledMessageOwner): Promise<void> {
  const { is_deactivated } = await getRealm(tx, realm.id);
  if (is_deactivated) throw new AppError("REALM_DEACTIVATED", "This organization has been deactivated");
  await getActingUser(tx, realm.id, user);
}

/** Marks a record as failed by `claim`, in one commit with a notice to its user where they can receive one. */
export async function failWithNotice(
  app: ChatApp,
  { realm, user }: ScheduledMessageOwner,
  { text, claim, lock }: { text: string; claim: (tx: Tx) => Promise<void>; lock: string },
): Promise<void> {
  const target = { kind: "direct", userIds: [user.id] } as const;
  const sent = user.is_active && !realm.is_deactivated
    ? await sendNotice(app, realm, { target, text, claim })
    : null;
  if (sent === null) await transact(app.store, claim, lock);
}
