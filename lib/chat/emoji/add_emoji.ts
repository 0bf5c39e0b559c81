import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/note_change.ts";
import { sendEvent } from "../events/emit.ts";
import { lookupEmoji } from "../rendering/emoji.ts";
import type { Caller } from "../users/caller.ts";
import { isAdmin, type UserRecord } from "../users/user.ts";
import { EMOJI_PLACE, emojiKeys, MAX_EMOJI_NAME, type RealmEmojiRecord } from "./realm_emoji.ts";
import { requirePicture, storePicture } from "./store_picture.ts";

const WORDS = { exactlyOne: "You must upload exactly one file.", noPicture: "Invalid image format" };
/** Custom emoji of one organization at most, those out of use among them. */
const MAX_EMOJI = 2000;

/**
 * Adds a picture as an emoji.
 * @throws AppError BAD_REQUEST for a name that cannot be or is taken, and for what is no picture.
 */
export async function addEmoji(
  app: ChatApp,
  author: Caller,
  { name: written, files }: { name: string; files: readonly Uint8Array[] },
): Promise<void> {
  const name = readName(written, author.actingUser);
  const sent = requirePicture(files, WORDS);
  const { id: realmId } = author.realm;
  if (await app.reads.read(emojiKeys.byName(realmId, name)) !== null) throw nameTaken();
  const about = { name, size: sent.content.length, content_type: sent.contentType };
  await storePicture(app, sent, {
    realmId,
    place: EMOJI_PLACE,
    keep: (tx, picture) => writeEmoji(app, tx, { author, about: { ...about, picture } }),
    queue: `emoji ${realmId}`,
  });
}

async function writeEmoji(
  { clock }: ChatApp,
  tx: Tx,
  { author, about }: {
    author: Caller;
    about: Pick<RealmEmojiRecord, "name" | "picture" | "size" | "content_type">;
  },
): Promise<void> {
  const { id: realmId } = author.realm;
  const byName = emojiKeys.byName(realmId, about.name);
  if (await tx.get(byName) !== null) throw nameTaken();
  const count = await tx.get<number>(emojiKeys.count(realmId)) ?? 0;
  if (count >= MAX_EMOJI) {
    throw new AppError("BAD_REQUEST", `An organization has ${MAX_EMOJI} custom emoji at most.`);
  }
  const id = await tx.nextId("emoji");
  const record = { id, author_id: author.actingUser.id, deactivated: false, ...about };
  tx.set(emojiKeys.emoji(realmId, id), record satisfies RealmEmojiRecord);
  tx.set(byName, id);
  tx.set(emojiKeys.count(realmId), count + 1);
  recordAudit(tx, { realmId, now: clock.now() }, {
    acting_user_id: author.actingUser.id,
    action: "emoji_added",
    target: { kind: "emoji", id, name: about.name },
  });
  tellOfEmoji(tx, realmId, clock.now());
}

/** All of them together are too large for an event: whoever is told reads them. `now` in milliseconds. */
export function tellOfEmoji(tx: Tx, realmId: number, now: number): void {
  sendEvent(tx, { realmId, now }, { event: { type: "realm_emoji", op: "update" }, audience: "everyone" });
}

function readName(written: string, actingUser: UserRecord): string {
  const name = written.trim().replaceAll(" ", "_");
  if (!/^[0-9a-z._-]+$/.test(name)) {
    throw new AppError(
      "BAD_REQUEST",
      "Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, and periods.",
    );
  }
  if (/[._-]$/.test(name)) {
    throw new AppError("BAD_REQUEST", "Emoji names must end with either a letter or digit.");
  }
  if (name.length > MAX_EMOJI_NAME) {
    throw new AppError("BAD_REQUEST", `emoji_name is too long (limit: ${MAX_EMOJI_NAME} characters)`);
  }
  if (lookupEmoji(name) !== null && !isAdmin(actingUser)) {
    throw new AppError("BAD_REQUEST", "Only administrators can override default emoji.");
  }
  return name;
}

function nameTaken(): AppError {
  return new AppError("BAD_REQUEST", "A custom emoji with this name already exists.");
}
