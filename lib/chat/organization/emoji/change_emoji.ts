import { AppError } from "@/lib/core/errors.ts";
import { isAnimated } from "@/lib/images/image_header.ts";
import type { ActionContext, ChatApp } from "../app.ts";
import { auditAction } from "../audit/store.ts";
import { sendChangeEvent } from "../events/send_events.ts";
import {
  hasRealmPermission,
  insufficientPermission,
  type PermissionContext,
} from "../permissions/model/membership.ts";
import { permissionsOf } from "../permissions/store.ts";
import { type Picture, requirePicture, storePicture } from "../pictures.ts";
import { findEmojiByName } from "../rendering/emoji.ts";
import { type Caller, isAdmin, type UserRecord } from "../users/model.ts";
import { act } from "../users/store.ts";
import { EMOJI_PLACE, emojiKeys, MAX_EMOJI_NAME, type RealmEmojiRecord, toRealmEmoji } from "./model.ts";

/** Maximum number of custom emoji of one organization, including deactivated ones. */
const MAX_EMOJI = 2000;

/**
 * Adds a picture as a custom emoji.
 * @throws AppError BAD_REQUEST for a name that is invalid or taken, and for a file that is not a picture or
 * cannot be decoded, and without permission; RATE_LIMIT_HIT or UNAVAILABLE while too many pictures are worked on.
 */
export async function createEmoji(
  app: ChatApp,
  caller: Caller,
  { name: sentName, files }: { name: string; files: readonly Uint8Array[] },
): Promise<void> {
  const organization = await app.readOrganization(caller.realm.id);
  requireCanAdd(permissionsOf(organization, app.clock), caller.actingUser);
  const name = parseEmojiName(sentName, caller.actingUser);
  const sent = requirePicture(files, {
    exactlyOne: "You must upload exactly one file.",
    noPicture: "Invalid image format",
  });
  const { id: realmId } = caller.realm;
  if (await app.reads.read(emojiKeys.byName(realmId, name)) !== null) throw emojiNameTaken();
  const { picture, fields } = await toEmojiPicture(app, caller, sent);
  await storePicture(app, picture, {
    realmId,
    place: EMOJI_PLACE,
    commit: (settle) =>
      act(app, caller, async (context) => {
        await writeEmoji(context, { name, ...fields, picture: await settle(context.tx) });
      }),
  });
}

function requireCanAdd(permissions: PermissionContext, user: UserRecord): void {
  if (!hasRealmPermission(permissions, "can_add_custom_emoji_group", user)) throw insufficientPermission();
}

async function writeEmoji(
  context: ActionContext,
  fields: Pick<RealmEmojiRecord, "name" | "picture" | "size" | "still_size" | "content_type">,
): Promise<void> {
  const { app, tx, realm: { id: realmId }, actingUser } = context;
  requireCanAdd(permissionsOf(await tx.organization(realmId), app.clock), actingUser);
  const byName = emojiKeys.byName(realmId, fields.name);
  if (await tx.get(byName) !== null) throw emojiNameTaken();
  const count = await tx.get<number>(emojiKeys.count(realmId)) ?? 0;
  if (count >= MAX_EMOJI) {
    throw new AppError("BAD_REQUEST", `An organization has ${MAX_EMOJI} custom emoji at most.`);
  }
  const id = await tx.nextId("emoji");
  const emoji: RealmEmojiRecord = { id, author_id: actingUser.id, deactivated: false, ...fields };
  tx.set(emojiKeys.emoji(realmId, id), emoji);
  tx.set(byName, id);
  tx.set(emojiKeys.count(realmId), count + 1);
  auditAction(context, { action: "emoji_added", target: { kind: "emoji", id, name: emoji.name } });
  sendChangeEvent(context, { type: "realm_emoji", op: "add", emoji: toRealmEmoji(realmId, emoji) });
}

/** Returns the name with underscores for spaces; throws BAD_REQUEST for an invalid one. */
function parseEmojiName(text: string, actingUser: UserRecord): string {
  const name = text.trim().replaceAll(" ", "_");
  const refuse = (message: string) => new AppError("BAD_REQUEST", message, { field: "emoji_name" });
  if (!/^[0-9a-z._-]+$/.test(name)) {
    throw refuse(
      "Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, and periods.",
    );
  }
  if (/[._-]$/.test(name)) throw refuse("Emoji names must end with either a letter or digit.");
  if (name.length > MAX_EMOJI_NAME) {
    throw refuse(`emoji_name is too long (limit: ${MAX_EMOJI_NAME} characters)`);
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

/**
 * Crops a caller's picture to a square of 64 pixels. An animated one stays as it is and gets the square of its
 * first picture as its still picture, whose bytes follow its own.
 * @throws AppError BAD_REQUEST for a picture that cannot be decoded, and for one with too many pixels;
 * RATE_LIMIT_HIT or UNAVAILABLE while too many are worked on.
 */
async function toEmojiPicture(
  { images }: Pick<ChatApp, "images">,
  { realm, actingUser }: Caller,
  picture: Picture,
): Promise<{
  picture: Picture;
  fields: Pick<RealmEmojiRecord, "content_type" | "size" | "still_size">;
}> {
  const { content, contentType } = picture;
  const [square] = await images.toSquares(`${realm.id}/${actingUser.id}`, content, [64]) ?? [];
  if (square === undefined) {
    throw new AppError("BAD_REQUEST", "Could not decode image; did you upload an image file?");
  }
  if (!isAnimated(content)) {
    return {
      picture: { content: square, contentType: "image/png" },
      fields: { content_type: "image/png", size: square.length },
    };
  }
  const both = new Uint8Array(content.length + square.length);
  both.set(content);
  both.set(square, content.length);
  return {
    picture: { content: both, contentType },
    fields: { content_type: contentType, size: content.length, still_size: square.length },
  };
}

/**
 * Deactivates a custom emoji; existing uses still show it.
 * @throws AppError BAD_REQUEST, or UNAUTHORIZED_PRINCIPAL for callers who are neither administrators nor its
 * author.
 */
export async function deactivateEmoji(app: ChatApp, caller: Caller, name: string): Promise<void> {
  const notFound = new AppError("BAD_REQUEST", `Emoji '${name}' does not exist`, { status: 404 });
  if (name.length > MAX_EMOJI_NAME) throw notFound;
  await act(app, caller, async (context) => {
    const { tx, realm, actingUser } = context;
    const byName = emojiKeys.byName(realm.id, name);
    const id = await tx.get<number>(byName);
    const emoji = id === null ? null : await tx.get<RealmEmojiRecord>(emojiKeys.emoji(realm.id, id));
    if (emoji === null) throw notFound;
    if (!isAdmin(actingUser) && emoji.author_id !== actingUser.id) {
      throw new AppError("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator or emoji author");
    }
    tx.set(emojiKeys.emoji(realm.id, emoji.id), { ...emoji, deactivated: true } satisfies RealmEmojiRecord);
    tx.delete(byName);
    auditAction(context, { action: "emoji_removed", target: { kind: "emoji", id: emoji.id, name } });
    const change = { emoji_id: String(emoji.id), data: { deactivated: true } };
    // Delivery reads all emoji for clients that expect them.
    sendChangeEvent(context, { type: "realm_emoji", op: "update_one", ...change });
  });
}
