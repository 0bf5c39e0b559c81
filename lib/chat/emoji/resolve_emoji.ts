import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { findEmojiByCode, findEmojiByName } from "../rendering/emoji.ts";
import type { NamedEmoji } from "./model.ts";
import { findRealmEmoji, readRealmEmoji } from "./store.ts";

/** An emoji as a request names it. */
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
  const found = await findEmoji(app, realmId, emoji_name);
  return {
    emoji_name,
    emoji_code: emoji_code ?? found.emoji_code,
    reaction_type: reaction_type ?? found.reaction_type,
  };
}

/** Finds an emoji by name; custom emoji override standard ones. */
async function findEmoji(app: ChatApp, realmId: number, emoji_name: string): Promise<NamedEmoji> {
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
