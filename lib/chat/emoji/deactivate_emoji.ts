import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { type Caller, isAdmin } from "../users/model.ts";
import { auditEmoji, sendEmojiDeactivationEvent } from "./events.ts";
import { emojiKeys, MAX_EMOJI_NAME, type RealmEmojiRecord } from "./model.ts";

/**
 * Deactivates a custom emoji; existing uses still show it.
 * @throws AppError BAD_REQUEST, or UNAUTHORIZED_PRINCIPAL for callers who are neither administrators nor its
 * author.
 */
export async function deactivateEmoji(
  app: ChatApp,
  { realm, actingUser }: Caller,
  name: string,
): Promise<void> {
  const notFound = new AppError("BAD_REQUEST", `Emoji '${name}' does not exist`, { status: 404 });
  if (name.length > MAX_EMOJI_NAME) throw notFound;
  await transact(app.store, async (tx) => {
    const byName = emojiKeys.byName(realm.id, name);
    const id = await tx.get<number>(byName);
    const emoji = id === null ? null : await tx.get<RealmEmojiRecord>(emojiKeys.emoji(realm.id, id));
    if (emoji === null) throw notFound;
    if (!isAdmin(actingUser) && emoji.author_id !== actingUser.id) {
      throw new AppError("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator or emoji author");
    }
    tx.set(emojiKeys.emoji(realm.id, emoji.id), { ...emoji, deactivated: true } satisfies RealmEmojiRecord);
    tx.delete(byName);
    const at = { realmId: realm.id, now: app.clock.now() };
    auditEmoji(tx, at, { actor: actingUser, action: "emoji_removed", emoji });
    sendEmojiDeactivationEvent(tx, at, emoji);
  });
}
