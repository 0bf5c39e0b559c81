import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type NamedEmoji } from "@/lib/chat/organization/emoji/model.ts";
import { requireEmoji, resolveEmoji, type SentEmoji } from "@/lib/chat/organization/emoji/store.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { applyParticipationPolicy } from "@/lib/chat/channels/topics/automatic_policy.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { getVisibleMessage } from "./access.ts";
import { sendReactionEvent } from "./events.ts";
import { messageKeys, type MessageReader, type MessageRecord, type VisibleMessage } from "./model.ts";
import {
  isSameEmoji,
  MAX_REACTION_EMOJI,
  MAX_REACTIONS,
  type Reaction,
  reactionsKey,
  type ReactionsRecord,
  toReactions,
  toReactionsRecord,
  writeReactions,
} from "./reactions.ts";

/** A reaction to remove, identified by the name or the code of its emoji. */
type ReactionRemoval = Omit<SentEmoji, "emoji_name"> & { readonly emoji_name: string | undefined };

/** @throws AppError REACTION_ALREADY_EXISTS, and BAD_REQUEST for an unknown emoji and too many reactions. */
export function addReaction(
  app: ChatApp,
  { realm, user }: MessageReader,
  { messageId, sent }: { messageId: number; sent: SentEmoji },
): Promise<void> {
  return transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const { visible, message, reactions } = await getReactions(app, tx, { permissions, user, messageId });
    const requested = await resolveEmoji(app, realm.id, sent);
    const same = reactions.filter((reaction) => isSameEmoji(reaction, requested));
    if (same.some(({ user_id }) => user_id === user.id)) {
      throw new AppError("REACTION_ALREADY_EXISTS", "Reaction already exists.");
    }
    // A repeated reaction takes the name of the first, so a deactivated custom emoji can still be added.
    const [existing] = same;
    if (existing === undefined) await requireEmoji(app, realm.id, requested);
    const emoji = { ...requested, emoji_name: existing?.emoji_name ?? requested.emoji_name };
    const record = toReactionsRecord([...reactions, { ...emoji, user_id: user.id }]);
    if (
      record !== null && (record.emoji.length > MAX_REACTION_EMOJI || record.given.length > MAX_REACTIONS)
    ) {
      throw new AppError(
        "BAD_REQUEST",
        `A message has at most ${MAX_REACTIONS} reactions, of at most ${MAX_REACTION_EMOJI} emoji.`,
      );
    }
    writeReactions(tx, { realmId: realm.id, messageId }, record);
    sendReactionEvent(tx, permissions, { visible, user, op: "add", emoji });
    await applyParticipationPolicy(app, tx, { permissions, user, message });
  }, toReactionsLock(realm.id, messageId));
}

/** @throws AppError REACTION_DOES_NOT_EXIST; BAD_REQUEST for an unknown emoji or message. */
export function removeReaction(
  app: ChatApp,
  { realm, user }: MessageReader,
  { messageId, sent }: { messageId: number; sent: ReactionRemoval },
): Promise<void> {
  return transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const { visible, reactions } = await getReactions(app, tx, { permissions, user, messageId });
    const requested = await parseRemoval(app, realm.id, sent);
    const own = reactions.find((reaction) =>
      reaction.user_id === user.id && isSameEmoji(reaction, requested)
    );
    if (own === undefined) throw new AppError("REACTION_DOES_NOT_EXIST", "Reaction doesn't exist.");
    const { user_id: _user, ...emoji } = own;
    const record = toReactionsRecord(reactions.filter((reaction) => reaction !== own));
    writeReactions(tx, { realmId: realm.id, messageId }, record);
    sendReactionEvent(tx, permissions, { visible, user, op: "remove", emoji });
  }, toReactionsLock(realm.id, messageId));
}

function toReactionsLock(realmId: number, messageId: number): string {
  return `reactions ${realmId} ${messageId}`;
}

async function getReactions(
  app: ChatApp,
  tx: Tx,
  { permissions, user, messageId }: { permissions: PermissionContext; user: UserRecord; messageId: number },
): Promise<{ visible: VisibleMessage; message: MessageRecord; reactions: Reaction[] }> {
  const { id: realmId } = permissions.realm;
  const visible = await getVisibleMessage(app, permissions, { id: messageId, user });
  // Checked at the commit, in case the message is deleted or moved concurrently.
  const message = await tx.get<MessageRecord>(messageKeys.message(realmId, messageId));
  if (message === null) throw new AppError("BAD_REQUEST", "Invalid message(s)");
  const record = await tx.get<ReactionsRecord>(reactionsKey(realmId, messageId));
  return { visible, message, reactions: toReactions(record) };
}

/** Resolves the emoji of a removal. The code suffices; its type defaults to standard emoji. */
async function parseRemoval(
  app: ChatApp,
  realmId: number,
  { emoji_name, emoji_code, reaction_type }: ReactionRemoval,
): Promise<Pick<NamedEmoji, "emoji_code" | "reaction_type">> {
  if (emoji_code !== undefined) return { emoji_code, reaction_type: reaction_type ?? "unicode_emoji" };
  if (emoji_name === undefined) {
    throw new AppError(
      "BAD_REQUEST",
      "At least one of the following arguments must be present: emoji_name, emoji_code",
    );
  }
  return await resolveEmoji(app, realmId, { emoji_name, emoji_code, reaction_type });
}
