import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { PreparedContent } from "../messages/prepare_content.ts";
import { requireRecipient } from "../messages/recipient.ts";
import { toInlineHtml } from "../messages/store.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { getActingUser } from "../users/store.ts";
import type { RequestedChanges } from "./api.ts";
import { sendScheduledMessageEvent } from "./events.ts";
import {
  scheduledMessageKeys,
  scheduledMessageLock,
  type ScheduledMessageOwner,
  type ScheduledMessageRecord,
  type ScheduledTarget,
  toDueTime,
} from "./model.ts";
import { prepareScheduledContent, resolveScheduledTarget } from "./prepare_scheduled_message.ts";
import { getScheduledMessage, putScheduledMessage } from "./store.ts";

/**
 * Changes a scheduled message; one that failed waits again for its new time.
 * @throws AppError BAD_REQUEST, with status 404 for an unknown id; also when the user could not send the
 * changed message now. CONFLICT when another request changed it at the same time.
 */
export async function updateScheduledMessage(
  app: ChatApp,
  owner: ScheduledMessageOwner,
  { id, client, ...requested }: RequestedChanges & { readonly id: number; readonly client: string },
): Promise<void> {
  requireChange(requested);
  const { realm, user } = owner;
  const read = await readOwn(app, owner, id);
  const target = read === null
    ? null
    : await resolveNewTarget(app, owner, { before: read.target, requested });
  const prepared = await prepareNewContent(app, owner, requested);
  await transact(app.store, async (tx) => {
    const before = await getScheduledMessage(tx, owner, id);
    if (target === null || before.revision !== read?.revision) {
      throw new AppError("CONFLICT", "Another request changed the same data. Please try again.");
    }
    const permissions = await readPermissionContext(app, tx, realm.id);
    const sender = await getActingUser(tx, realm.id, user);
    const record: ScheduledMessageRecord = {
      ...before,
      ...(prepared === undefined ? {} : toContentFields(prepared)),
      target,
      due_at: toNewDueTime(before, requested, permissions.now),
      client,
      revision: before.revision + 1,
      failure: null,
    };
    await requireRecipient(tx, permissions, { sender, target });
    putScheduledMessage(tx, owner, { before, record, html: prepared?.html });
    sendScheduledMessageEvent(tx, permissions.now, { owner, op: "update", record });
  }, scheduledMessageLock(owner));
}

function readOwn({ reads }: ChatApp, { realm, user }: ScheduledMessageOwner, id: number) {
  return Number.isSafeInteger(id)
    ? reads.read<ScheduledMessageRecord>(scheduledMessageKeys.message(realm.id, user.id, id))
    : Promise.resolve(null);
}

async function prepareNewContent(app: ChatApp, owner: ScheduledMessageOwner, { content }: RequestedChanges) {
  return content === undefined ? undefined : await prepareScheduledContent(app, owner, content);
}

function toContentFields(prepared: PreparedContent) {
  return { content: prepared.content, rendered: toInlineHtml(prepared) };
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

/** Returns the destination with the requested changes. */
async function resolveNewTarget(
  app: ChatApp,
  owner: ScheduledMessageOwner,
  { before, requested: { type, to, topic } }: { before: ScheduledTarget; requested: RequestedChanges },
): Promise<ScheduledTarget> {
  if (to === undefined && (topic === undefined || before.kind === "direct")) return before;
  const isChannel = before.kind === "channel";
  return await resolveScheduledTarget(app, owner, {
    type: type ?? (isChannel ? "channel" : "direct"),
    to: to ?? (isChannel ? before.channel : [...before.userIds]),
    topic: topic ?? (isChannel ? before.topic : undefined),
  });
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
