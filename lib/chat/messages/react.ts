import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { completeEmoji, type NamedEmoji, requireEmoji, type SentEmoji } from "../emoji/resolve_emoji.ts";
import { sendEvent } from "../events/emit.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { UserRecord } from "../users/user.ts";
import { accessMessage, type SeenMessage } from "./access.ts";
import type { Reader } from "./mark_read.ts";
import { messageKeys } from "./message.ts";
import {
  isSameEmoji,
  MAX_REACTION_EMOJI,
  MAX_REACTIONS,
  type Reaction,
  reactionsKey,
  type ReactionsRecord,
  toReactions,
  toReactionsRecord,
} from "./reactions.ts";

/** A reaction that is taken back: by its emoji's name or its code. */
export type SentRemoval = Omit<SentEmoji, "emoji_name"> & { readonly emoji_name: string | undefined };

/**
 * Reacts to a message that the reader may see.
 * @throws AppError BAD_REQUEST for an emoji that is not there, a reaction that is, and more than a message may have.
 */
export function addReaction(
  app: ChatApp,
  { realm, user }: Reader,
  { messageId, sent }: { messageId: number; sent: SentEmoji },
): Promise<void> {
  return transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const { seen, reactions } = await accessReactions(app, tx, { permissions, user, messageId });
    const asked = await completeEmoji(app, realm.id, sent);
    if (isGivenBy(reactions, user, asked)) throw new AppError("BAD_REQUEST", "Reaction already exists.");
    // Whoever joins in a reaction takes its name; so a custom emoji that is out of use can still be joined in.
    const known = reactions.find((reaction) => isSameEmoji(reaction, asked));
    if (known === undefined) await requireEmoji(app, realm.id, asked);
    const emoji = { ...asked, emoji_name: known?.emoji_name ?? asked.emoji_name };
    const record = toReactionsRecord([...reactions, { ...emoji, user_id: user.id }]);
    requireRoom(record);
    tx.set(reactionsKey(realm.id, messageId), record);
    tell(tx, permissions, { seen, user, op: "add", emoji });
  }, queueOf(realm.id, messageId));
}

/**
 * Takes the reader's own reaction back.
 * @throws AppError BAD_REQUEST where there is no such reaction.
 */
export function removeReaction(
  app: ChatApp,
  { realm, user }: Reader,
  { messageId, sent }: { messageId: number; sent: SentRemoval },
): Promise<void> {
  return transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const { seen, reactions } = await accessReactions(app, tx, { permissions, user, messageId });
    const asked = await readRemoval(app, realm.id, sent);
    const given = reactions.find((reaction) => reaction.user_id === user.id && isSameEmoji(reaction, asked));
    if (given === undefined) throw new AppError("BAD_REQUEST", "Reaction doesn't exist.");
    const { user_id: _user, ...emoji } = given;
    const record = toReactionsRecord(reactions.filter((reaction) => reaction !== given));
    if (record === null) tx.delete(reactionsKey(realm.id, messageId));
    else tx.set(reactionsKey(realm.id, messageId), record);
    tell(tx, permissions, { seen, user, op: "remove", emoji });
  }, queueOf(realm.id, messageId));
}

function queueOf(realmId: number, messageId: number): string {
  return `reactions ${realmId} ${messageId}`;
}

async function accessReactions(
  app: ChatApp,
  tx: Tx,
  { permissions, user, messageId }: { permissions: PermissionContext; user: UserRecord; messageId: number },
): Promise<{ seen: SeenMessage; reactions: Reaction[] }> {
  const { id: realmId } = permissions.realm;
  const seen = await accessMessage(app, permissions, { id: messageId, user });
  // Checked at the commit, so that nobody reacts to a message that is just deleted or moved away.
  if (await tx.get(messageKeys.message(realmId, messageId)) === null) {
    throw new AppError("BAD_REQUEST", "Invalid message(s)");
  }
  return { seen, reactions: toReactions(await tx.get<ReactionsRecord>(reactionsKey(realmId, messageId))) };
}

function isGivenBy(reactions: readonly Reaction[], { id }: UserRecord, emoji: NamedEmoji): boolean {
  return reactions.some((reaction) => reaction.user_id === id && isSameEmoji(reaction, emoji));
}

function requireRoom(record: ReactionsRecord | null): void {
  if (record === null) return;
  if (record.emoji.length > MAX_REACTION_EMOJI || record.given.length > MAX_REACTIONS) {
    throw new AppError(
      "BAD_REQUEST",
      `A message has at most ${MAX_REACTIONS} reactions, of at most ${MAX_REACTION_EMOJI} emoji.`,
    );
  }
}

/** A code says enough by itself; it is a standard emoji's where nothing else is said. */
async function readRemoval(
  app: ChatApp,
  realmId: number,
  { emoji_name, emoji_code, reaction_type }: SentRemoval,
): Promise<Pick<NamedEmoji, "emoji_code" | "reaction_type">> {
  if (emoji_code !== undefined) return { emoji_code, reaction_type: reaction_type ?? "unicode_emoji" };
  if (emoji_name === undefined) {
    throw new AppError(
      "BAD_REQUEST",
      "At least one of the following arguments must be present: emoji_name, emoji_code",
    );
  }
  return await completeEmoji(app, realmId, { emoji_name, emoji_code, reaction_type });
}

function tell(
  tx: Tx,
  { realm, now }: PermissionContext,
  { seen, user, op, emoji }: { seen: SeenMessage; user: UserRecord; op: "add" | "remove"; emoji: NamedEmoji },
): void {
  const { message, conversation } = seen;
  const audience = message.channel_id === null
    ? conversation?.user_ids ?? []
    : { channel: message.channel_id };
  sendEvent(tx, { realmId: realm.id, now }, {
    event: { type: "reaction", op, user_id: user.id, message_id: message.id, ...emoji },
    audience,
  });
}
