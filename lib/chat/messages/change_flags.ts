import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import { look, type SeenMessage } from "./access.ts";
import type { Reader } from "./mark_read.ts";
import { messageKeys, type MessageRecord } from "./message.ts";
import type { FlagChange } from "./message_flags.ts";
import { noteRead } from "./push_job.ts";
import { markMessages } from "./read_state.ts";

/** Messages whose flag one commit changes. */
const AT_ONCE = 400;

/**
 * Sets a flag of some messages, or takes it away. Messages that the reader may not see make all of it refused; of very
 * many, each part is stored by itself, and sending the request again finishes what was cut off. Messages that were not sent
 * to the reader count as read, and stay so.
 * @throws AppError BAD_REQUEST.
 */
export async function changeFlags(
  app: ChatApp,
  reader: Reader,
  { ids, change }: { ids: readonly number[]; change: FlagChange },
): Promise<void> {
  const isUnreading = change.flag === "read" && change.op === "remove";
  const messages = (await seenMessages(app, reader, ids)).filter(({ isReceived }) =>
    isReceived || !isUnreading
  )
    .map(({ message }) => message);
  for (let at = 0; at < messages.length; at += AT_ONCE) {
    await changeSome(app, reader, { messages: messages.slice(at, at + AT_ONCE), change });
  }
}

async function seenMessages(
  app: ChatApp,
  { realm, user }: Reader,
  ids: readonly number[],
): Promise<SeenMessage[]> {
  const permissions = await peekPermissionContext(app, realm);
  return await Promise.all([...new Set(ids)].map(async (id) => {
    const message = Number.isSafeInteger(id)
      ? await app.reads.read<MessageRecord>(messageKeys.message(realm.id, id))
      : null;
    const seen = message === null ? null : await look(app, permissions, { message, user });
    if (seen === null) throw new AppError("BAD_REQUEST", "Invalid message(s)");
    return seen;
  }));
}

async function changeSome(
  app: ChatApp,
  { realm, user }: Reader,
  { messages, change }: { messages: readonly MessageRecord[]; change: FlagChange },
): Promise<void> {
  const { flag, op } = change;
  await transact(app.store, async (tx) => {
    if (flag === "read") {
      await markMessages(tx, { realmId: realm.id, userId: user.id }, { messages, isRead: op === "add" });
      if (op === "add") noteRead(tx, { realmId: realm.id, user, now: app.clock.now() });
    } else {
      const prefix = flag === "starred"
        ? messageKeys.starred(realm.id, user.id)
        : messageKeys.collapsed(realm.id, user.id);
      for (const { id } of messages) {
        if (op === "add") tx.set([...prefix, id], true);
        else tx.delete([...prefix, id]);
      }
    }
    const told = messages.map(({ id }) => id);
    sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, {
      event: { type: "update_message_flags", op, flag, messages: told, all: false },
      audience: [user.id],
    });
  }, `flags ${realm.id} ${user.id}`);
}
