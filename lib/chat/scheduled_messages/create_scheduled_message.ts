import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { requireRecipient } from "../messages/recipient.ts";
import { toInlineHtml } from "../messages/store.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { getActingUser } from "../users/store.ts";
import type { RequestedMessage } from "./api.ts";
import { sendScheduledMessageEvent } from "./events.ts";
import {
  scheduledMessageLock,
  type ScheduledMessageOwner,
  type ScheduledMessageRecord,
  toDueTime,
} from "./model.ts";
import { prepareScheduledContent, resolveScheduledTarget } from "./prepare_scheduled_message.ts";
import { countNewMessage, putScheduledMessage } from "./store.ts";

/**
 * Schedules a message and returns its id.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST; also when the user could not send the message
 * now.
 */
export async function createScheduledMessage(
  app: ChatApp,
  owner: ScheduledMessageOwner,
  { client, ...requested }: RequestedMessage & { readonly client: string },
): Promise<number> {
  const { realm, user } = owner;
  toDueTime(requested.scheduled_delivery_timestamp, app.clock.now());
  const target = await resolveScheduledTarget(app, owner, requested);
  const prepared = await prepareScheduledContent(app, owner, requested.content);
  return await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const sender = await getActingUser(tx, realm.id, user);
    const due_at = toDueTime(requested.scheduled_delivery_timestamp, permissions.now);
    await requireRecipient(tx, permissions, { sender, target });
    await countNewMessage(tx, owner);
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
    putScheduledMessage(tx, owner, { before: null, record, html: prepared.html });
    sendScheduledMessageEvent(tx, permissions.now, { owner, op: "add", record });
    return record.id;
  }, scheduledMessageLock(owner));
}
