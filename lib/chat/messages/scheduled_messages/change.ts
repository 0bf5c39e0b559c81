import { act, getActingUser } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type PreparedContent, prepareUserContent } from "../prepare_content.ts";
import { requireRecipient, resolveTarget } from "../recipient.ts";
import { requireMessageContent } from "../send_message.ts";
import { deleteHtmlPieces, toInlineHtml, writeHtmlPieces } from "../store.ts";
import type { ParamValues } from "@/lib/chat/organization/params/param.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import {
  type createScheduledMessageParams,
  piecesKey,
  toScheduledMessage,
  type updateScheduledMessageParams,
} from "./api.ts";
import { type ScheduledMessageRecord, scheduledMessages, type ScheduledTarget, toDueTime } from "./model.ts";
import { queueEndEvent } from "@/lib/chat/organization/events/model.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";

/** A message to schedule, as a request describes it. */
type RequestedMessage = Omit<ParamValues<typeof createScheduledMessageParams>, "read_by_sender">;
/** Changes of a scheduled message, as a request describes them. */
type RequestedChanges = ParamValues<typeof updateScheduledMessageParams>;

/** @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST; also when the user could not send the message now. */
export async function createScheduledMessage(
  app: ChatApp,
  caller: Caller,
  { client, ...requested }: RequestedMessage & { readonly client: string },
): Promise<number> {
  toDueTime(requested.scheduled_delivery_timestamp, app.clock.now());
  const target = await resolveScheduledTarget(app, caller, requested);
  const prepared = await prepareScheduledContent(app, caller, requested.content);
  return await act(app, caller, async ({ tx, realm, actingUser: sender }) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const due_at = toDueTime(requested.scheduled_delivery_timestamp, permissions.now);
    await requireRecipient(tx, permissions, { sender, target });
    const record: ScheduledMessageRecord = {
      id: await tx.nextId("scheduled_message"),
      target,
      content: prepared.content,
      rendered: toInlineHtml(prepared),
      client,
      due_at,
      revision: 0,
      failure: null,
    };
    await scheduledMessages.add(tx, caller, record);
    putHtml(tx, caller, { before: null, record, html: prepared.html });
    sendScheduledMessageEvent(tx, permissions.now, { owner: caller, op: "add", record });
    return record.id;
  }, scheduledMessages.lock(caller));
}

/**
 * Changes a scheduled message; one that failed waits again for its new time.
 * @throws AppError BAD_REQUEST, with status 404 for an unknown id; also when the user could not send the
 * changed message now. CONFLICT when another request changed it at the same time.
 */
export async function updateScheduledMessage(
  app: ChatApp,
  caller: Caller,
  { id, client, ...requested }: RequestedChanges & { readonly id: number; readonly client: string },
): Promise<void> {
  requireChange(requested);
  const { realm, actingUser } = caller;
  const read = Number.isSafeInteger(id)
    ? await app.reads.read<ScheduledMessageRecord>(scheduledMessages.key(caller, id))
    : null;
  const target = read === null
    ? null
    : await resolveNewTarget(app, caller, { before: read.target, requested });
  const prepared = requested.content === undefined
    ? undefined
    : await prepareScheduledContent(app, caller, requested.content);
  await transact(app.store, async (tx) => {
    const before = await scheduledMessages.get(tx, caller, id);
    if (target === null || before.revision !== read?.revision) {
      throw new AppError("CONFLICT", "Another request changed the same data. Please try again.");
    }
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const sender = await getActingUser(tx, realm.id, actingUser);
    const record: ScheduledMessageRecord = {
      ...before,
      ...(prepared === undefined ? {} : { content: prepared.content, rendered: toInlineHtml(prepared) }),
      target,
      due_at: toNewDueTime(before, requested, permissions.now),
      client,
      revision: before.revision + 1,
      failure: null,
    };
    await requireRecipient(tx, permissions, { sender, target });
    scheduledMessages.replace(tx, caller, { before, after: record });
    if (prepared !== undefined) putHtml(tx, caller, { before, record, html: prepared.html });
    sendScheduledMessageEvent(tx, permissions.now, { owner: caller, op: "update", record });
  }, scheduledMessages.lock(caller));
}

/**
 * Deletes a scheduled message, which is then not sent.
 * @throws AppError BAD_REQUEST with status 404 when the owner has no such message.
 */
export async function deleteScheduledMessage(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await transact(app.store, async (tx) => {
    await removeScheduledMessage(app, tx, {
      owner: caller,
      record: await scheduledMessages.get(tx, caller, id),
    });
  }, scheduledMessages.lock(caller));
}

/** Removes a scheduled message within a transaction, with the event. */
export async function removeScheduledMessage(
  { clock }: Pick<ChatApp, "clock">,
  tx: Tx,
  { owner, record }: { owner: Caller; record: ScheduledMessageRecord },
): Promise<void> {
  await scheduledMessages.delete(tx, owner, record);
  if (record.rendered === null) deleteHtmlPieces(tx, piecesKey(owner.realm.id, record.id), 0);
  const event = { type: TYPE, op: "remove", scheduled_message_id: record.id };
  sendEvent(tx, { realmId: owner.realm.id, now: clock.now() }, { event, audience: [owner.actingUser.id] });
}

/** Writes the HTML of a new or changed message that is too large for its record, and deletes previous pieces. */
function putHtml(
  tx: Tx,
  { realm }: Caller,
  { before, record, html }: {
    before: ScheduledMessageRecord | null;
    record: ScheduledMessageRecord;
    html: string;
  },
): void {
  const pieces = piecesKey(realm.id, record.id);
  const count = record.rendered === null ? writeHtmlPieces(tx, pieces, html) : 0;
  if (before !== null && before.rendered === null) deleteHtmlPieces(tx, pieces, count);
}

function requireChange(requested: RequestedChanges): void {
  const { type, to, topic } = requested;
  if (Object.values(requested).every((value) => value === undefined)) {
    throw new AppError("BAD_REQUEST", "Nothing to change");
  }
  if (type === undefined) return;
  if (to === undefined) {
    throw new AppError("BAD_REQUEST", "Recipient required when updating type of scheduled message.");
  }
  if ((type === "stream" || type === "channel") && topic === undefined) {
    throw new AppError("BAD_REQUEST", "Topic required when updating scheduled message to channel type.");
  }
}

/** Resolves the destination of a message to schedule. */
async function resolveScheduledTarget(
  app: ChatApp,
  caller: Caller,
  requested: Pick<RequestedMessage, "type" | "to" | "topic">,
): Promise<ScheduledTarget> {
  const target = await resolveTarget(app, caller, requested);
  if (target.kind === "direct") return { kind: "direct", userIds: [...new Set(target.userIds)] };
  const { channel, topic } = target;
  if (typeof channel !== "number") throw new AppError("BAD_REQUEST", "Invalid data type for channel ID");
  return { kind: "channel", channel, topic };
}

/** Returns the destination with the requested changes. */
async function resolveNewTarget(
  app: ChatApp,
  caller: Caller,
  { before, requested: { type, to, topic } }: { before: ScheduledTarget; requested: RequestedChanges },
): Promise<ScheduledTarget> {
  if (to === undefined && (topic === undefined || before.kind === "direct")) return before;
  const isChannel = before.kind === "channel";
  return await resolveScheduledTarget(app, caller, {
    type: type ?? (isChannel ? "channel" : "direct"),
    to: to ?? (isChannel ? before.channel : [...before.userIds]),
    topic: topic ?? (isChannel ? before.topic : undefined),
  });
}

/** @throws AppError BAD_REQUEST for empty content, and for groups that the author cannot mention. */
async function prepareScheduledContent(
  app: ChatApp,
  { realm, actingUser }: Caller,
  text: string,
): Promise<PreparedContent> {
  return await prepareUserContent(app, { realm, author: actingUser }, requireMessageContent(text));
}

/** Returns the time of delivery in milliseconds since 1970 UTC; a failed message needs a new one. */
function toNewDueTime(
  { due_at, failure }: ScheduledMessageRecord,
  { scheduled_delivery_timestamp: seconds }: RequestedChanges,
  now: number,
): number {
  if (seconds !== undefined) return toDueTime(seconds, now);
  return failure === null ? due_at : toDueTime(due_at / 1000, now);
}

const TYPE = "scheduled_messages";

/**
 * Sends the owner an event about a new or changed scheduled message; `now` in milliseconds since 1970 UTC. A
 * message that is too large for an event ends the owner's queues, whose clients register again.
 */
export function sendScheduledMessageEvent(
  tx: Tx,
  now: number,
  { owner: { realm, actingUser }, op, record }: {
    owner: Caller;
    op: "add" | "update";
    record: ScheduledMessageRecord;
  },
): void {
  const audience = [actingUser.id];
  const at = { realmId: realm.id, now };
  if (record.rendered === null) {
    sendEvent(tx, at, queueEndEvent([TYPE], audience));
    return;
  }
  const shown = toScheduledMessage(record, record.rendered);
  const content = op === "add" ? { scheduled_messages: [shown] } : { scheduled_message: shown };
  sendEvent(tx, at, { event: { type: TYPE, op, ...content }, audience });
}
