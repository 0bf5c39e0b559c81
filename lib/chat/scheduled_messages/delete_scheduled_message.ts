import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendScheduledMessageRemoval } from "./events.ts";
import { scheduledMessageLock, type ScheduledMessageOwner } from "./model.ts";
import { getScheduledMessage, removeScheduledMessage } from "./store.ts";

/**
 * Deletes a scheduled message, which is then not sent.
 * @throws AppError BAD_REQUEST with status 404 when the owner has no such message.
 */
export async function deleteScheduledMessage(
  app: ChatApp,
  owner: ScheduledMessageOwner,
  id: number,
): Promise<void> {
  await transact(app.store, async (tx) => {
    await removeScheduledMessage(tx, owner, await getScheduledMessage(tx, owner, id));
    sendScheduledMessageRemoval(tx, app.clock.now(), { owner, id });
  }, scheduledMessageLock(owner));
}
