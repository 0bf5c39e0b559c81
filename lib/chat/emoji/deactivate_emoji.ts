import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/note_change.ts";
import type { Caller } from "../users/caller.ts";
import { isAdmin } from "../users/user.ts";
import { tellOfEmoji } from "./add_emoji.ts";
import { emojiKeys, MAX_EMOJI_NAME, type RealmEmojiRecord } from "./realm_emoji.ts";

/**
 * Takes a custom emoji out of use; where it was used, it still shows.
 * @throws AppError BAD_REQUEST, for others than administrators and who added it UNAUTHORIZED_PRINCIPAL.
 */
export async function deactivateEmoji(
  app: ChatApp,
  { realm, actingUser }: Caller,
  name: string,
): Promise<void> {
  const missing = new AppError("BAD_REQUEST", `Emoji '${name}' does not exist`);
  if (name.length > MAX_EMOJI_NAME) throw missing;
  await transact(app.store, async (tx) => {
    const byName = emojiKeys.byName(realm.id, name);
    const id = await tx.get<number>(byName);
    const emoji = id === null ? null : await tx.get<RealmEmojiRecord>(emojiKeys.emoji(realm.id, id));
    if (emoji === null) throw missing;
    if (!isAdmin(actingUser) && emoji.author_id !== actingUser.id) {
      throw new AppError("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator or emoji author");
    }
    tx.set(emojiKeys.emoji(realm.id, emoji.id), { ...emoji, deactivated: true } satisfies RealmEmojiRecord);
    tx.delete(byName);
    recordAudit(tx, { realmId: realm.id, now: app.clock.now() }, {
      acting_user_id: actingUser.id,
      action: "emoji_removed",
      target: { kind: "emoji", id: emoji.id, name },
    });
    tellOfEmoji(tx, realm.id, app.clock.now());
  }, `emoji ${realm.id}`);
}
