import { type Key, readRecord } from "@/lib/store/key.ts";
import { z } from "zod";
import { readBlob } from "@/lib/store/blob.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import type { ActionContext, ChatApp } from "./app.ts";
import { compareIndex, type Complain, indexBelow } from "./check_index.ts";
import { type Picture, type PictureStream, requirePicture, storePicture, toSquares } from "./pictures.ts";
import type { CustomEmojiRef } from "./rendering/context.ts";
import { findEmojiByCode, findEmojiByName } from "./rendering/emoji.ts";
import { AppError } from "@/lib/core/errors.ts";
import { isAnimated } from "@/lib/images/image_header.ts";
import { auditAction } from "./audit/store.ts";
import { sendChangeEvent } from "./events/send_events.ts";
import {
  hasRealmPermission,
  insufficientPermission,
  type PermissionContext,
} from "./permissions/model/membership.ts";
import { permissionsOf } from "./permissions/store.ts";
import { type Caller, isAdmin, type UserRecord } from "./users/model.ts";
import { act } from "./users/store.ts";

/** A picture that an organization uses as an emoji. */
export interface RealmEmojiRecord {
  readonly id: number;
  /** Lowercase letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  readonly author_id: number;
  /** Whether new uses are refused; existing uses still show the picture. */
  readonly deactivated: boolean;
  /** Media type of the picture, detected from its first bytes. */
  readonly content_type: string;
  /** Size of the picture in bytes. */
  readonly size: number;
  /** Size of the still picture of an animated one, which follows its bytes; missing if there is none. */
  readonly still_size?: number;
  /** Unique name of the picture's blob. */
  readonly picture: string;
}

export interface NamedEmoji {
  readonly emoji_name: string;
  /** Code points of a standard emoji, id of a custom emoji, or name of an extra emoji of the service. */
  readonly emoji_code: string;
  /** `unicode_emoji`, `realm_emoji` or `service_extra_emoji`. */
  readonly reaction_type: string;
}

/** Maximum length of an emoji's name, in UTF-16 units. */
export const MAX_EMOJI_NAME = 100;

export const EMOJI_NAMES_PATH = "/emoji/names.json";

/** Key part of the emoji pictures' chunks, after the organization's id. */
export const EMOJI_PLACE = "emoji_picture";

export const emojiKeys = {
  all: (realmId: number): Key => [realmId, "emoji"],
  emoji: (realmId: number, id: number): Key => [realmId, "emoji", id],
  names: (realmId: number): Key => [realmId, "emoji_by_name"],
  /** Id of the active emoji with a name. */
  byName: (realmId: number, name: string): Key => [realmId, "emoji_by_name", name],
  /** Number of emoji, including deactivated ones. */
  count: (realmId: number): Key => [realmId, "emoji_count"],
  /** Chunks of a picture, by the unique name of its blob. */
  picture: (realmId: number, blob: string): Key => [realmId, EMOJI_PLACE, blob],
};

/** Returns the URL path of a custom emoji's picture. */
export function emojiUrl(realmId: number, { id }: Pick<RealmEmojiRecord, "id">): string {
  return `/emoji/${realmId}/${id}`;
}

/** End of the URL path of an animated emoji's still picture. */
export const STILL_SUFFIX = "-still.png";

export function toRealmEmoji(realmId: number, emoji: RealmEmojiRecord) {
  const { id, name, deactivated, author_id, still_size } = emoji;
  return {
    id: String(id),
    name,
    source_url: emojiUrl(realmId, emoji),
    still_url: still_size === undefined ? null : `${emojiUrl(realmId, emoji)}${STILL_SUFFIX}`,
    deactivated,
    author_id,
  };
}

/** Reads the active custom emoji with a name; null if there is none. */
export async function findRealmEmoji(
  app: ChatApp,
  realmId: number,
  name: string,
): Promise<RealmEmojiRecord | null> {
  if (name.length > MAX_EMOJI_NAME) return null;
  const id = await app.reads.read<number>(emojiKeys.byName(realmId, name));
  return id === null ? null : await readRealmEmoji(app, realmId, id);
}

/** Reads a custom emoji by its id, active or deactivated; null if there is none. */
function readRealmEmoji(app: ChatApp, realmId: number, id: number): Promise<RealmEmojiRecord | null> {
  return Number.isSafeInteger(id)
    ? app.reads.read<RealmEmojiRecord>(emojiKeys.emoji(realmId, id))
    : Promise.resolve(null);
}

/** Finds the active custom emoji with a name, as a text shows it; null if there is none. */
export function findEmoji(organization: Snapshot, name: string): CustomEmojiRef | null {
  const { realmId } = organization;
  const id = organization.get<number>(emojiKeys.byName(realmId, name));
  return id === null ? null : { code: String(id), type: "realm_emoji", url: emojiUrl(realmId, { id }) };
}

/**
 * Opens the picture of a custom emoji, active or deactivated. `name` is its id, followed by `-still.png` for
 * the still picture of an animated one.
 * @throws AppError NOT_FOUND.
 */
export async function getEmojiPicture(app: ChatApp, realmId: number, name: string): Promise<PictureStream> {
  const isStill = name.endsWith(STILL_SUFFIX);
  const id = isStill ? name.slice(0, -STILL_SUFFIX.length) : name;
  const emoji = /^\d{1,15}$/.test(id) ? await readRealmEmoji(app, realmId, Number(id)) : null;
  const size = isStill ? emoji?.still_size : emoji?.size;
  if (emoji === null || size === undefined) throw new AppError("NOT_FOUND", "Nothing is here.");
  const start = isStill ? emoji.size : 0;
  const content = readBlob(app.store.kv, emojiKeys.picture(realmId, emoji.picture), {
    start,
    end: start + size,
  });
  return { contentType: isStill ? "image/png" : emoji.content_type, size, content };
}

export interface SentEmoji {
  readonly emoji_name: string;
  readonly emoji_code: string | undefined;
  readonly reaction_type: string | undefined;
}

/**
 * Completes the emoji of a request: looks up a missing code and type by name. Does not check that they match
 * the name; `requireEmoji` does.
 * @throws AppError BAD_REQUEST if no emoji has the name.
 */
export async function resolveEmoji(app: ChatApp, realmId: number, sent: SentEmoji): Promise<NamedEmoji> {
  const { emoji_name, emoji_code, reaction_type } = sent;
  if (emoji_code !== undefined && reaction_type !== undefined) {
    return { emoji_name, emoji_code, reaction_type };
  }
  const found = await getEmoji(app, realmId, emoji_name);
  return {
    emoji_name,
    emoji_code: emoji_code ?? found.emoji_code,
    reaction_type: reaction_type ?? found.reaction_type,
  };
}

/** Finds an emoji by name; custom emoji override standard ones. */
async function getEmoji(app: ChatApp, realmId: number, emoji_name: string): Promise<NamedEmoji> {
  const custom = await findRealmEmoji(app, realmId, emoji_name);
  if (custom !== null) return { emoji_name, emoji_code: String(custom.id), reaction_type: "realm_emoji" };
  const standard = findEmojiByName(emoji_name);
  if (standard === null) throw new AppError("BAD_REQUEST", `Emoji '${emoji_name}' does not exist`);
  return { emoji_name, emoji_code: standard.code, reaction_type: "unicode_emoji" };
}

/**
 * Requires an active emoji whose name, code and type belong together.
 * @throws AppError BAD_REQUEST.
 */
export async function requireEmoji(app: ChatApp, realmId: number, emoji: NamedEmoji): Promise<void> {
  const problem = await findEmojiProblem(app, realmId, emoji);
  if (problem !== null) throw new AppError("BAD_REQUEST", problem);
}

async function findEmojiProblem(
  app: ChatApp,
  realmId: number,
  { emoji_name, emoji_code, reaction_type }: NamedEmoji,
): Promise<string | null> {
  switch (reaction_type) {
    case "realm_emoji": {
      const id = /^\d{1,15}$/.test(emoji_code) ? Number(emoji_code) : null;
      const custom = id === null ? null : await readRealmEmoji(app, realmId, id);
      if (custom === null) return "Invalid custom emoji.";
      if (custom.name !== emoji_name) return "Invalid custom emoji name.";
      return custom.deactivated ? "This custom emoji has been deactivated." : null;
    }
    case "unicode_emoji":
      if (findEmojiByCode(emoji_code) === null) return "Invalid emoji code.";
      return findEmojiByName(emoji_name)?.code === emoji_code ? null : "Invalid emoji name.";
    // The service adds no emoji of its own, so no code is valid.
    case "service_extra_emoji":
      return "Invalid emoji code.";
    default:
      return "Invalid emoji type.";
  }
}

/** Lists all custom emoji of an organization by id, active and deactivated. */
export async function listRealmEmoji(app: ChatApp, realmId: number) {
  const all = (await app.readOrganization(realmId)).rows<RealmEmojiRecord>(emojiKeys.all(realmId)).values();
  return Object.fromEntries(all.map((emoji) => [emoji.id, toRealmEmoji(realmId, emoji)]));
}

/** Compares the names and the count of an organization's custom emoji with the emoji. */
export async function checkEmoji(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const all = await listValues<RealmEmojiRecord>(kv, emojiKeys.all(realmId));
  compareIndex(complain, "names of emoji", {
    wanted: all.filter(({ deactivated }) => !deactivated).map(({ name, id }) => [name, id]),
    found: await indexBelow(kv, emojiKeys.names(realmId)),
  });
  const counted = await readRecord<number>(kv, emojiKeys.count(realmId)) ?? 0;
  if (counted !== all.length) complain(`the count of emoji is ${counted}; there are ${all.length}.`);
}

export const realmEmojiSchema = z.object({
  emoji: z.record(
    z.string(),
    z.object({
      id: z.string(),
      name: z.string(),
      source_url: z.string().meta({
        description: "Path of the picture, relative to the organization's URL.",
      }),
      still_url: z.string().nullable().meta({
        description: "Path of a picture that is not animated; null if the emoji itself is not.",
      }),
      deactivated: z.boolean(),
      author_id: z.int(),
    }),
  ),
});

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
  const { parts, fields } = await toEmojiPicture(app, caller, sent);
  await storePicture(app, parts, {
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
  app: Pick<ChatApp, "images">,
  caller: Caller,
  { content, contentType }: Picture,
): Promise<
  { parts: readonly Uint8Array[]; fields: Pick<RealmEmojiRecord, "content_type" | "size" | "still_size"> }
> {
  const [square = content] = await toSquares(app, caller, content, [64]);
  if (!isAnimated(content)) {
    return { parts: [square], fields: { content_type: "image/png", size: square.length } };
  }
  const fields = { content_type: contentType, size: content.length, still_size: square.length };
  return { parts: [content, square], fields };
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
