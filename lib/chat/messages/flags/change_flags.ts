import { chunk } from "es-toolkit/array/chunk";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { getVisibleMessage } from "../access.ts";
import { messageKeys, type MessageReader } from "../model.ts";
import type { FlagChange } from "./model.ts";
import { enqueueReadRetraction } from "../push_jobs.ts";
import { type ReadTarget, toReadTarget, writeReadMarks } from "../read/store.ts";
import { sendFlagsEvent } from "../events.ts";

/** Number of messages whose flag one commit changes. */
const MESSAGES_PER_COMMIT = 400;
/** Number of messages that are read concurrently. */
const PORTION = 100;

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
  const targets = await getTargets(app, owner, { ids: [...new Set(ids)], isUnreading });
  for (const messages of chunk(targets, MESSAGES_PER_COMMIT)) {
    await changeBatch(app, owner, { messages, change });
  }
}

/** Returns what the change needs of the messages, in portions, as messages can be large. */
async function getTargets(
  app: ChatApp,
  { realm, user }: MessageReader,
  { ids, isUnreading }: { ids: readonly number[]; isUnreading: boolean },
): Promise<ReadTarget[]> {
  const permissions = await peekPermissionContext(app, realm);
  const targets: ReadTarget[] = [];
  for (let at = 0; at < ids.length; at += PORTION) {
    const visible = await Promise.all(
      ids.slice(at, at + PORTION).map((id) => getVisibleMessage(app, permissions, { id, user })),
    );
    const changed = visible.filter(({ isReceived }) => isReceived || !isUnreading);
    targets.push(...changed.map(({ message }) => toReadTarget(message)));
  }
  return targets;
}

async function changeBatch(
  app: ChatApp,
  { realm, user }: MessageReader,
  { messages, change }: { messages: readonly ReadTarget[]; change: FlagChange },
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
