import { AppError } from "@/lib/core/errors.ts";
import { NoLongerDue } from "@/lib/kv/due_worker.ts";
import type { Key } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import { sendNotice } from "../announcements/send_notice.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys, type ChannelRecord } from "../channels/model/channel.ts";
import { resolveRecipients } from "../messages/send/resolve_recipients.ts";
import { sendMessage } from "../messages/send/send_message.ts";
import { prepareUserContent } from "../messages/render/render_content.ts";
import { realmKeys, type RealmRecord } from "../organizations/model.ts";
import { getRealm } from "../organizations/store.ts";
import { getActingUser, readUser } from "../users/store.ts";
import { sendScheduledMessageEvent, sendScheduledMessageRemoval } from "./events.ts";
import {
  isRefusal,
  MAX_LATENESS_MS,
  parseDueKey,
  scheduledMessageKeys,
  scheduledMessageLock,
  type ScheduledMessageOwner,
  type ScheduledMessageRecord,
} from "./model.ts";
import { putScheduledMessage, removeScheduledMessage } from "./store.ts";

/** A scheduled message as it was read, with its author. */
interface DueMessage {
  readonly owner: ScheduledMessageOwner;
  readonly record: ScheduledMessageRecord;
}

/**
 * Sends the scheduled message of a due row and removes it in the commit of the sent message, so that it is
 * sent once. A message that its author may not send any more is kept as failed, and its author receives a
 * notice in the same commit.
 * @throws NoLongerDue when it was sent, changed or deleted meanwhile; other errors leave it due.
 */
export async function deliverScheduledMessage(app: ChatApp, key: Key): Promise<void> {
  const due = await readDue(app, key);
  try {
    await send(app, due);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await fail(app, due, error.message);
  }
}

async function readDue(app: ChatApp, key: Key): Promise<DueMessage> {
  const { realmId, userId, id } = parseDueKey(key);
  const [realm, user, record] = await Promise.all([
    app.reads.read<RealmRecord>(realmKeys.realm(realmId)),
    readUser(app, realmId, userId),
    app.reads.read<ScheduledMessageRecord>(scheduledMessageKeys.message(realmId, userId, id)),
  ]);
  if (realm === null || user === null || record === null) throw new NoLongerDue();
  return { owner: { realm, user }, record };
}

async function send(app: ChatApp, due: DueMessage): Promise<void> {
  const { owner: { realm, user }, record } = due;
  const { target, client } = record;
  if (app.clock.now() - record.due_at > MAX_LATENESS_MS) {
    throw new AppError("BAD_REQUEST", "Message could not be sent at the scheduled time.");
  }
  if (target.kind === "direct") await resolveRecipients(app, { realm, actingUser: user }, target.userIds);
  const prepared = await prepareUserContent(app, { realm, author: user }, record.content);
  const claim = async (tx: Tx) => {
    await requireUnchanged(tx, due);
    const { is_deactivated } = await getRealm(tx, realm.id);
    if (is_deactivated) throw new AppError("REALM_DEACTIVATED", "This organization has been deactivated");
    await getActingUser(tx, realm.id, user);
    await removeScheduledMessage(tx, due.owner, record);
    sendScheduledMessageRemoval(tx, app.clock.now(), { owner: due.owner, id: record.id });
  };
  await sendMessage(app, { realm, sender: user, target, prepared, client, claim });
}

/** Marks a message as failed, in one commit with the notice to its author where they can receive one. */
async function fail(app: ChatApp, due: DueMessage, failure: string): Promise<void> {
  const { owner, record } = due;
  const { realm, user } = owner;
  const claim = async (tx: Tx) => {
    await requireUnchanged(tx, due);
    const failed: ScheduledMessageRecord = { ...record, revision: record.revision + 1, failure };
    putScheduledMessage(tx, owner, { before: record, record: failed });
    sendScheduledMessageEvent(tx, app.clock.now(), { owner, op: "update", record: failed });
  };
  const text = await describeFailure(app, due, failure);
  const target = { kind: "direct", userIds: [user.id] } as const;
  const sent = user.is_active && !realm.is_deactivated
    ? await sendNotice(app, realm, { target, text, claim })
    : null;
  if (sent === null) await transact(app.store, claim, scheduledMessageLock(owner));
}

/** @throws NoLongerDue when a message was sent, changed or deleted since it was read. */
async function requireUnchanged(tx: Tx, { owner: { realm, user }, record }: DueMessage): Promise<void> {
  const key = scheduledMessageKeys.message(realm.id, user.id, record.id);
  const current = await tx.get<ScheduledMessageRecord>(key);
  if (current?.revision !== record.revision) throw new NoLongerDue();
}

/** Returns the text of the notice about a failed message, which names its channel if that still exists. */
async function describeFailure(
  app: ChatApp,
  { owner: { realm }, record: { target } }: DueMessage,
  failure: string,
): Promise<string> {
  const channel = target.kind === "direct"
    ? null
    : await app.reads.read<ChannelRecord>(channelKeys.channel(realm.id, target.channel));
  const destination = target.kind === "direct"
    ? "in a direct conversation"
    : channel === null
    ? "in a channel"
    : `in **#${channel.name}**`;
  return `A message that you scheduled ${destination} was not sent: ${failure}\n\n` +
    "It is kept with your scheduled messages. You can choose a new time or delete it.";
}
