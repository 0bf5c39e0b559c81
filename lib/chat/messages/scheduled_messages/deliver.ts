import { type OutgoingMessage, sendMessage } from "../send_message.ts";
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

/** Delivery of the records of a collection. */
interface Delivery<Due> {
  readonly collection: Collection<Due & { readonly id: number }>;
  /** Returns whether a record still waits as it was read. */
  readonly isUnchanged: (current: Due, read: Due) => boolean;
  readonly prepare: (app: ChatApp, due: DueDelivery<Due>) => Promise<Omit<OutgoingMessage, "claim">>;
  /** Removes a record in the commit of its message. */
  readonly remove: (app: ChatApp, tx: Tx, due: DueDelivery<Due>) => Promise<void>;
  /** Marks a record as failed for a reason. */
  readonly fail: (app: ChatApp, tx: Tx, due: DueDelivery<Due> & { readonly failure: string }) => void;
  /** Returns the notice to the user. */
  readonly toNotice: (app: ChatApp, due: DueDelivery<Due>, failure: string) => string | Promise<string>;
}

/**
 * Sends the record of a due row and removes it in the commit of the message, so that it is sent once. One that is
 * refused for good is marked as failed, in one commit with a notice to its user where they can receive one.
 * @throws NoLongerDue when it was sent, changed or deleted meanwhile; other errors leave it due.
 */
export async function deliverDue<Due extends { readonly id: number }>(
  app: ChatApp,
  key: Key,
  { collection, isUnchanged, prepare, remove, fail, toNotice }: Delivery<Due>,
): Promise<void> {
  const { realmId, userId, id } = parseDueKey(key);
  const [realm, actingUser, record] = await Promise.all([
    readRealm(app, realmId),
    readUser(app, realmId, userId),
    app.reads.read<Due>(collection.key({ realm: { id: realmId }, actingUser: { id: userId } }, id)),
  ]);
  if (realm === null || actingUser === null || record === null) throw new NoLongerDue();
  const owner = { realm, actingUser };
  const due = { owner, record };
  const requireUnchanged = async (tx: Tx) => {
    const current = await tx.get<Due>(collection.key(owner, id));
    if (current === null || !isUnchanged(current, record)) throw new NoLongerDue();
  };
  try {
    const message = await prepare(app, due);
    const claim = async (tx: Tx) => {
      await requireUnchanged(tx);
      await requireActiveOwner(tx, owner);
      await remove(app, tx, due);
    };
    await sendMessage(app, { ...message, claim });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message: failure } = error;
    const claim = async (tx: Tx) => {
      await requireUnchanged(tx);
      fail(app, tx, { ...due, failure });
    };
    const target = { kind: "direct", userIds: [userId] } as const;
    const sent = actingUser.is_active && !realm.is_deactivated
      ? await sendNotice(app, realm, { target, text: await toNotice(app, due, failure), claim })
      : null;
    if (sent === null) await transact(app.store, claim, collection.lock(owner));
  }
}

/** @throws AppError when the organization or the user was deactivated since the record was read. */
async function requireActiveOwner(tx: Tx, { realm, actingUser }: Caller): Promise<void> {
  const { is_deactivated } = await getRealm(tx, realm.id);
  if (is_deactivated) throw new AppError("REALM_DEACTIVATED", "This organization has been deactivated");
  await getActingUser(tx, realm.id, actingUser);
}

/** Sends the scheduled message of a due row as `deliverDue` does. */
export async function deliverScheduledMessage(app: ChatApp, key: Key): Promise<void> {
  await deliverDue<ScheduledMessageRecord>(app, key, {
    collection: scheduledMessages,
    isUnchanged: (current, { revision }) => current.revision === revision,
    prepare: prepareScheduled,
    remove: removeScheduledMessage,
    fail: (app, tx, { owner, record, failure }) => {
      const failed: ScheduledMessageRecord = { ...record, revision: record.revision + 1, failure };
      scheduledMessages.replace(tx, owner, { before: record, after: failed });
      sendScheduledMessageEvent(tx, app.clock.now(), { owner, op: "update", record: failed });
    },
    toNotice: async (app, due, failure) =>
      `A message that you scheduled ${await describeTarget(app, due)} was not sent: ${failure}\n\n` +
      "It is kept with your scheduled messages. You can choose a new time or delete it.",
  });
}

async function prepareScheduled(
  app: ChatApp,
  { owner, record: { due_at, target, content, client } }: DueDelivery<ScheduledMessageRecord>,
): Promise<Omit<OutgoingMessage, "claim">> {
  if (app.clock.now() - due_at > MAX_LATENESS_MS) {
    throw new AppError("BAD_REQUEST", "Message could not be sent at the scheduled time.");
  }
  if (target.kind === "direct") await resolveRecipients(app, owner, target.userIds);
  const { realm, actingUser: sender } = owner;
  const prepared = await prepareUserContent(app, { realm, author: sender }, content);
  return { realm, sender, target, prepared, client };
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
