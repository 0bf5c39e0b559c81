import { listIds } from "@/lib/store/reads.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import { type Key, readRecord, toValue } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { channelKeys, type ChannelRecord } from "../organization/channels/model/channel.ts";
import { type ErasureRecord, type ErasureScope, isErasingMessages } from "../people/erasures.ts";
import { dropPending } from "../organization/pending_blobs.ts";
import { removeMessage } from "../messages/delete_messages.ts";
import { type ConversationRecord, messageKeys, type MessageRecord } from "../messages/model.ts";
import { getRealm } from "../organization/organizations/model.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import { setAvatar } from "../people/users/avatar.ts";
import { setUserFullName } from "../people/users/change_user.ts";
import { getUser } from "../organization/users/store.ts";

/** Returns whether a message is to be deleted; `isPrivate` is null for direct messages. */
function includesMessage(scope: ErasureScope, isPrivate: boolean | null): boolean {
  if (isPrivate === null) return scope.delete_direct_messages;
  return isPrivate ? scope.delete_private_channel_messages : scope.delete_public_channel_messages;
}

/** Number of messages that are examined at once; the worker continues with the next ones. */
const BATCH = 200;

interface DueErasure {
  readonly key: Key;
  readonly realmId: number;
  readonly userId: number;
  readonly record: ErasureRecord;
}

/**
 * Deletes the profile and the next messages of an erasure, each message in a commit of its own. The erasure
 * ends with the last message; until then it stays due.
 * @throws NoLongerDue when it has ended meanwhile.
 */
export async function eraseAccount(app: ChatApp, key: Key): Promise<void> {
  const record = await readRecord<ErasureRecord>(app.store.kv, key);
  if (record === null) throw new NoLongerDue();
  const [, , realmId, userId] = toValue<readonly [string, number, number, number]>(key);
  const due = { key, record, realmId, userId };
  if (record.delete_profile) await eraseProfile(app, due);
  const prefix = [...messageKeys.sentBy(realmId, userId)];
  const next = { prefix, start: [...prefix, record.after + 1] };
  const ids = isErasingMessages(record) ? await listIds(app, next, { limit: BATCH }) : [];
  for (const id of ids) await eraseMessage(app, due, id);
  await transact(app.store, async (tx) => {
    const current = await tx.get<ErasureRecord>(key);
    if (current === null) return;
    const last = ids.length < BATCH ? undefined : ids.at(-1);
    if (last === undefined) tx.delete(key);
    else tx.set(key, { ...current, after: last });
  });
}

/** Replaces the name of an account and removes its avatar. */
async function eraseProfile(app: ChatApp, { key, realmId, userId }: DueErasure): Promise<void> {
  const old = await transact(app.store, async (tx) => {
    const current = await tx.get<ErasureRecord>(key);
    if (current === null || !current.delete_profile) return null;
    tx.set(key, { ...current, delete_profile: false });
    const context = { app, tx, realm: await getRealm(tx, realmId) };
    const renamed = await setUserFullName(context, await getUser(tx, realmId, userId), "Deleted user");
    return (await setAvatar(context, renamed, null)).old;
  });
  if (old !== null) await afterCommit(() => dropPending(app.store, old));
}

async function eraseMessage(app: ChatApp, { realmId, record }: DueErasure, id: number): Promise<void> {
  await transact(app.store, async (tx) => {
    const message = await tx.get<MessageRecord>(messageKeys.message(realmId, id));
    if (message === null || message.sent_at > record.sent_until) return;
    const permissions = permissionsOf(await tx.organization(realmId), app.clock);
    if (message.channel_id === null) {
      const key = messageKeys.conversation(realmId, message.conversation_id ?? 0);
      const conversation = await tx.get<ConversationRecord>(key);
      if (conversation === null || !includesMessage(record, null)) return;
      const editable = { message, location: { kind: "direct", conversation } } as const;
      return await removeMessage(app, tx, { permissions, editable });
    }
    const channel = await tx.get<ChannelRecord>(channelKeys.channel(realmId, message.channel_id));
    if (channel === null || !includesMessage(record, channel.invite_only)) return;
    const editable = { message, location: { kind: "channel", channel, isVisible: () => true } } as const;
    await removeMessage(app, tx, { permissions, editable });
  }, `message ${realmId} ${id}`);
  app.wordIndexer.contentChanged(realmId);
}
