import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { toVisibleMessage } from "../access.ts";
import { messageKeys, type MessageReader, type MessageRecord, type VisibleMessage } from "../model.ts";
import type { FlagChange } from "./model.ts";
import { enqueueReadRetraction } from "../push_jobs.ts";
import { writeReadMarks } from "../read/store.ts";
import { sendFlagsEvent } from "../events.ts";

/** Number of messages whose flag one commit changes. */
const MESSAGES_PER_COMMIT = 400;

/**
 * Adds or removes a flag of messages. One inaccessible message rejects the whole request. Large requests take
 * several commits; repeating the request completes an interrupted one. Messages that were not sent to the
 * user stay read.
 * @throws AppError BAD_REQUEST.
 */
export async function changeFlags(
  app: ChatApp,
  owner: MessageReader,
  { ids, change }: { ids: readonly number[]; change: FlagChange },
): Promise<void> {
  const isUnreading = change.flag === "read" && change.op === "remove";
  const messages = (await getVisibleMessages(app, owner, ids)).filter(({ isReceived }) =>
    isReceived || !isUnreading
  )
    .map(({ message }) => message);
  for (const batch of chunk(messages, MESSAGES_PER_COMMIT)) {
    await changeBatch(app, owner, { messages: batch, change });
  }
}

async function getVisibleMessages(
  app: ChatApp,
  { realm, user }: MessageReader,
  ids: readonly number[],
): Promise<VisibleMessage[]> {
  const permissions = await peekPermissionContext(app, realm);
  return await Promise.all([...new Set(ids)].map(async (id) => {
    const message = Number.isSafeInteger(id)
      ? await app.reads.read<MessageRecord>(messageKeys.message(realm.id, id))
      : null;
    const visible = message === null ? null : await toVisibleMessage(app, permissions, { message, user });
    if (visible === null) throw new AppError("BAD_REQUEST", "Invalid message(s)");
    return visible;
  }));
}

async function changeBatch(
  app: ChatApp,
  { realm, user }: MessageReader,
  { messages, change }: { messages: readonly MessageRecord[]; change: FlagChange },
): Promise<void> {
  const { flag, op } = change;
  await transact(app.store, async (tx) => {
    if (flag === "read") {
      await writeReadMarks(tx, { realmId: realm.id, userId: user.id }, { messages, isRead: op === "add" });
      if (op === "add") enqueueReadRetraction(tx, { realmId: realm.id, user, now: app.clock.now() });
    } else {
      const prefix = flag === "starred"
        ? messageKeys.starred(realm.id, user.id)
        : messageKeys.collapsed(realm.id, user.id);
      for (const { id } of messages) {
        if (op === "add") tx.set([...prefix, id], true);
        else tx.delete([...prefix, id]);
      }
    }
    const ids = messages.map(({ id }) => id);
    const at = { realmId: realm.id, now: app.clock.now() };
    sendFlagsEvent(tx, at, { userId: user.id, change, ids });
  }, `flags ${realm.id} ${user.id}`);
}
