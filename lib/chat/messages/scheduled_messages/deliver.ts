import { AppError, isRefusal } from "@/lib/core/errors.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { sendNotice } from "../notices.ts";
import { escapeMarkdown } from "@/lib/chat/organization/rendering/format_markdown.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import { type Collection, parseDueKey } from "@/lib/chat/organization/collection.ts";
import { prepareUserContent } from "../prepare_content.ts";
import { resolveRecipients } from "../recipient.ts";
import { sendMessage } from "../send_message.ts";
import { getRealm, readRealm } from "@/lib/chat/organization/organizations/model.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { getActingUser, readUser } from "@/lib/chat/organization/users/store.ts";
import { removeScheduledMessage, sendScheduledMessageEvent } from "./change.ts";

import { type ScheduledMessageRecord, scheduledMessages } from "./model.ts";

/** Time after which a message that could not be sent in time is not sent any more, in milliseconds. */
const MAX_LATENESS_MS = 10 * 60 * 1000;

/** A scheduled message or a reminder as it was read, with its user. */
export interface DueDelivery<Due> {
  readonly owner: Caller;
  readonly record: Due;
}

/**
 * Sends the record of a due row, or marks it as failed with the reason when it is refused for good.
 * @throws NoLongerDue when it was sent, changed or deleted meanwhile; other errors leave it due.
 */
export async function deliverDue<Due extends { readonly id: number }>(
  app: ChatApp,
  key: Key,
  { collection, send, fail }: {
    readonly collection: Collection<Due>;
    readonly send: (app: ChatApp, due: DueDelivery<Due>) => Promise<void>;
    readonly fail: (app: ChatApp, due: DueDelivery<Due>, failure: string) => Promise<void>;
  },
): Promise<void> {
  const { realmId, userId, id } = parseDueKey(key);
  const [realm, actingUser, record] = await Promise.all([
    readRealm(app, realmId),
    readUser(app, realmId, userId),
    app.reads.read<Due>(collection.key({ realm: { id: realmId }, actingUser: { id: userId } }, id)),
  ]);
  if (realm === null || actingUser === null || record === null) throw new NoLongerDue();
  const due = { owner: { realm, actingUser }, record };
  try {
    await send(app, due);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await fail(app, due, error.message);
  }
}

/** @throws AppError when the organization or the user was deactivated since the record was read. */
export async function requireActiveOwner(tx: Tx, { realm, actingUser }: Caller): Promise<void> {
  const { is_deactivated } = await getRealm(tx, realm.id);
  if (is_deactivated) throw new AppError("REALM_DEACTIVATED", "This organization has been deactivated");
  await getActingUser(tx, realm.id, actingUser);
}

/** Marks a record as failed by `claim`, in one commit with a notice to its user where they can receive one. */
export async function failWithNotice(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { text, claim, lock }: { text: string; claim: (tx: Tx) => Promise<void>; lock: string },
): Promise<void> {
  const target = { kind: "direct", userIds: [actingUser.id] } as const;
  const sent = actingUser.is_active && !realm.is_deactivated
    ? await sendNotice(app, realm, { target, text, claim })
    : null;
  if (sent === null) await transact(app.store, claim, lock);
}

/**
 * Sends the scheduled message of a due row and removes it in the commit of the sent message, so that it is
 * sent once. A message that its author may not send any more is kept as failed, and its author receives a
 * notice in the same commit.
 * @throws NoLongerDue when it was sent, changed or deleted meanwhile; other errors leave it due.
 */
export async function deliverScheduledMessage(app: ChatApp, key: Key): Promise<void> {
  await deliverDue(app, key, { collection: scheduledMessages, send, fail });
}

async function send(app: ChatApp, due: DueDelivery<ScheduledMessageRecord>): Promise<void> {
  const { owner, record } = due;
  const { realm, actingUser } = owner;
  const { target, client } = record;
  if (app.clock.now() - record.due_at > MAX_LATENESS_MS) {
    throw new AppError("BAD_REQUEST", "Message could not be sent at the scheduled time.");
  }
  if (target.kind === "direct") await resolveRecipients(app, owner, target.userIds);
  const prepared = await prepareUserContent(app, { realm, author: actingUser }, record.content);
  const claim = async (tx: Tx) => {
    await requireUnchanged(tx, due);
    await requireActiveOwner(tx, owner);
    await removeScheduledMessage(app, tx, due);
  };
  await sendMessage(app, { realm, sender: actingUser, target, prepared, client, claim });
}

/** Marks a message as failed, in one commit with the notice to its author where they can receive one. */
async function fail(app: ChatApp, due: DueDelivery<ScheduledMessageRecord>, failure: string): Promise<void> {
  const { owner, record } = due;
  const claim = async (tx: Tx) => {
    await requireUnchanged(tx, due);
    const failed: ScheduledMessageRecord = { ...record, revision: record.revision + 1, failure };
    scheduledMessages.replace(tx, owner, { before: record, after: failed });
    sendScheduledMessageEvent(tx, app.clock.now(), { owner, op: "update", record: failed });
  };
  const text = `A message that you scheduled ${await describeTarget(app, due)} was not sent: ${failure}\n\n` +
    "It is kept with your scheduled messages. You can choose a new time or delete it.";
  await failWithNotice(app, owner, { text, claim, lock: scheduledMessages.lock(owner) });
}

/** @throws NoLongerDue when a message was sent, changed or deleted since it was read. */
async function requireUnchanged(
  tx: Tx,
  { owner, record }: DueDelivery<ScheduledMessageRecord>,
): Promise<void> {
  const current = await tx.get<ScheduledMessageRecord>(scheduledMessages.key(owner, record.id));
  if (current?.revision !== record.revision) throw new NoLongerDue();
}

/** Describes the destination of a message; names a channel that its author may know. */
async function describeTarget(
  app: ChatApp,
  { owner: { realm, actingUser: user }, record: { target } }: DueDelivery<ScheduledMessageRecord>,
): Promise<string> {
  if (target.kind === "direct") return "in a direct conversation";
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const viewer = await readChannelViewer(
    { get: app.reads.read },
    { realmId: realm.id, channelId: target.channel, user },
  );
  return viewer !== null && hasMetadataAccess(permissions, viewer)
    ? `in **#${escapeMarkdown(viewer.channel.name)}**`
    : "in a channel";
}
