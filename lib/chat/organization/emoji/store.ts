import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { readBlob } from "@/lib/store/blob.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import type { ChatApp } from "../app.ts";
import { compareIndex, type Complain, indexBelow } from "../check_index.ts";
import type { PictureStream } from "../pictures.ts";
import type { CustomEmojiRef } from "../rendering/context.ts";
import { findEmojiByCode, findEmojiByName } from "../rendering/emoji.ts";
import {
  emojiKeys,
  emojiUrl,
  MAX_EMOJI_NAME,
  type NamedEmoji,
  type RealmEmojiRecord,
  STILL_SUFFIX,
  toRealmEmoji,
} from "./model.ts";

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
    case "realm_emoji":
      return await findCustomEmojiProblem(app, realmId, { emoji_name, emoji_code });
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

async function findCustomEmojiProblem(
  app: ChatApp,
  realmId: number,
  { emoji_name, emoji_code }: Pick<NamedEmoji, "emoji_name" | "emoji_code">,
): Promise<string | null> {
  const id = /^\d{1,15}$/.test(emoji_code) ? Number(emoji_code) : null;
  const custom = id === null ? null : await readRealmEmoji(app, realmId, id);
  if (custom === null) return "Invalid custom emoji.";
  if (custom.name !== emoji_name) return "Invalid custom emoji name.";
  return custom.deactivated ? "This custom emoji has been deactivated." : null;
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
