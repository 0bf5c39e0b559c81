import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { requirePicture, storePicture } from "../pictures.ts";
import { findEmojiByName } from "../rendering/emoji.ts";
import { type Caller, isAdmin, type UserRecord } from "../users/model.ts";
import { auditEmoji, sendEmojiAddEvent } from "./events.ts";
import { EMOJI_PLACE, emojiKeys, MAX_EMOJI_NAME, type RealmEmojiRecord } from "./model.ts";
import { toEmojiPicture } from "./to_emoji_picture.ts";

const UPLOAD_MESSAGES = {
  exactlyOne: "You must upload exactly one file.",
  noPicture: "Invalid image format",
};
/** Maximum number of custom emoji of one organization, including deactivated ones. */
const MAX_EMOJI = 2000;

/**
 * Adds a picture as a custom emoji.
 * @throws AppError BAD_REQUEST for a name that is invalid or taken, and for a file that is not a picture or
 * cannot be decoded; RATE_LIMIT_HIT or UNAVAILABLE while too many pictures are worked on.
 */
export async function createEmoji(
  app: ChatApp,
  caller: Caller,
  { name: sentName, files }: { name: string; files: readonly Uint8Array[] },
): Promise<void> {
  const name = parseEmojiName(sentName, caller.actingUser);
  const sent = requirePicture(files, UPLOAD_MESSAGES);
  const { id: realmId } = caller.realm;
  if (await app.reads.read(emojiKeys.byName(realmId, name)) !== null) throw emojiNameTaken();
  const { picture, fields } = await toEmojiPicture(app, caller, sent);
  await storePicture(app, picture, {
    realmId,
    place: EMOJI_PLACE,
    write: (tx, blob) => writeEmoji(app, tx, { caller, fields: { name, ...fields, picture: blob } }),
  });
}

async function writeEmoji(
  { clock }: ChatApp,
  tx: Tx,
  { caller, fields }: {
    caller: Caller;
    fields: Pick<RealmEmojiRecord, "name" | "picture" | "size" | "still_size" | "content_type">;
  },
): Promise<void> {
  const { id: realmId } = caller.realm;
  const byName = emojiKeys.byName(realmId, fields.name);
  if (await tx.get(byName) !== null) throw emojiNameTaken();
  const count = await tx.get<number>(emojiKeys.count(realmId)) ?? 0;
  if (count >= MAX_EMOJI) {
    throw new AppError("BAD_REQUEST", `An organization has ${MAX_EMOJI} custom emoji at most.`);
  }
  const id = await tx.nextId("emoji");
  const record = { id, author_id: caller.actingUser.id, deactivated: false, ...fields };
  tx.set(emojiKeys.emoji(realmId, id), record satisfies RealmEmojiRecord);
  tx.set(byName, id);
  tx.set(emojiKeys.count(realmId), count + 1);
  const at = { realmId, now: clock.now() };
  auditEmoji(tx, at, { actor: caller.actingUser, action: "emoji_added", emoji: record });
  sendEmojiAddEvent(tx, at, record);
}

/** Returns the name with underscores for spaces; throws BAD_REQUEST for an invalid one. */
function parseEmojiName(text: string, actingUser: UserRecord): string {
  const name = text.trim().replaceAll(" ", "_");
  if (!/^[0-9a-z._-]+$/.test(name)) {
    throw new AppError(
      "BAD_REQUEST",
      "Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, and periods.",
      { field: "emoji_name" },
    );
  }
  if (/[._-]$/.test(name)) {
    throw new AppError("BAD_REQUEST", "Emoji names must end with either a letter or digit.", {
      field: "emoji_name",
    });
  }
  if (name.length > MAX_EMOJI_NAME) {
    throw new AppError("BAD_REQUEST", `emoji_name is too long (limit: ${MAX_EMOJI_NAME} characters)`, {
      field: "emoji_name",
    });
  }
  if (findEmojiByName(name) !== null && !isAdmin(actingUser)) {
    throw new AppError("BAD_REQUEST", "Only administrators can override default emoji.");
  }
  return name;
}

function emojiNameTaken(): AppError {
  return new AppError("BAD_REQUEST", "A custom emoji with this name already exists.", {
    field: "emoji_name",
  });
}
