import { AppError } from "@/lib/core/errors.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { escapeMarkdown } from "../announcements/model.ts";
import { hasMetadataAccess } from "../channels/model/access.ts";
import { readChannelViewer } from "../channels/store.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { resolveRecipients } from "../messages/recipient.ts";
import { sendMessage } from "../messages/send_message.ts";
import { prepareUserContent } from "../messages/prepare_content.ts";
import { deliverDue, type DueDelivery, failWithNotice, requireActiveOwner } from "./due_delivery.ts";
import { sendScheduledMessageEvent, sendScheduledMessageRemoval } from "./events.ts";
import {
  MAX_LATENESS_MS,
  scheduledMessageKeys,
  scheduledMessageLock,
  type ScheduledMessageRecord,
} from "./model.ts";
import { putScheduledMessage, removeScheduledMessage } from "./store.ts";

/** A scheduled message as it was read, with its author. */
type DueMessage = DueDelivery<ScheduledMessageRecord>;

/**
 * Sends the scheduled message of a due row and removes it in the commit of the sent message, so that it is
 * sent once. A message that its author may not send any more is kept as failed, and its author receives a
 * notice in the same commit.
 * @throws NoLongerDue when it was sent, changed or deleted meanwhile; other errors leave it due.
 */
export async function deliverScheduledMessage(app: ChatApp, key: Key): Promise<void> {
  await deliverDue<ScheduledMessageRecord>(app, key, {
    toKey: ({ realmId, userId, id }) => scheduledMessageKeys.message(realmId, userId, id),
    send,
    fail,
  });
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
    await requireActiveOwner(tx, due.owner);
    await removeScheduledMessage(tx, due.owner, record);
    sendScheduledMessageRemoval(tx, app.clock.now(), { owner: due.owner, id: record.id });
  };
  await sendMessage(app, { realm, sender: user, target, prepared, client, claim });
}

/** Marks a message as failed, in one commit with the notice to its author where they can receive one. */
async function fail(app: ChatApp, due: DueMessage, failure: string): Promise<void> {
  const { owner, record } = due;
  const claim = async (tx: Tx) => {
    await requireUnchanged(tx, due);
    const failed: ScheduledMessageRecord = { ...record, revision: record.revision + 1, failure };
    putScheduledMessage(tx, owner, { before: record, record: failed });
    sendScheduledMessageEvent(tx, app.clock.now(), { owner, op: "update", record: failed });
  };
  const text = await describeFailure(app, due, failure);
  await failWithNotice(app, owner, { text, claim, lock: scheduledMessageLock(owner) });
}

/** @throws NoLongerDue when a message was sent, changed or deleted since it was read. */
async function requireUnchanged(tx: Tx, { owner: { realm, user }, record }: DueMessage): Promise<void> {
  const key = scheduledMessageKeys.message(realm.id, user.id, record.id);
  const current = await tx.get<ScheduledMessageRecord>(key);
  if (current?.revision !== record.revision) throw new NoLongerDue();
}

/** Returns the text of the notice about a failed message, which names a channel that its author may know. */
async function describeFailure(app: ChatApp, due: DueMessage, failure: string): Promise<string> {
  return `A message that you scheduled ${await describeTarget(app, due)} was not sent: ${failure}\n\n` +
    "It is kept with your scheduled messages. You can choose a new time or delete it.";
}

async function describeTarget(
  app: ChatApp,
  { owner: { realm, user }, record: { target } }: DueMessage,
): Promise<string> {
  if (target.kind === "direct") return "in a direct conversation";
  const permissions = await peekPermissionContext(app, realm);
  const viewer = await readChannelViewer({ get: app.reads.read }, {
    ...{ realmId: realm.id, channelId: target.channel },
    user,
  });
  return viewer !== null && hasMetadataAccess(permissions, viewer)
    ? `in **#${escapeMarkdown(viewer.channel.name)}**`
    : "in a channel";
}
