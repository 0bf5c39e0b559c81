import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { emojiByCode, lookupEmoji } from "../rendering/emoji.ts";
import { findRealmEmoji, readRealmEmoji } from "./realm_emoji.ts";

/** An emoji as clients and records name it. */
export interface NamedEmoji {
  readonly emoji_name: string;
  /** Code points of a standard emoji, the id of a custom one, the name of one that the service adds. */
  readonly emoji_code: string;
  /** `unicode_emoji`, `realm_emoji` or `service_extra_emoji`. */
  readonly reaction_type: string;
}

/** An emoji as a request names it. */
export interface SentEmoji {
  readonly emoji_name: string;
  readonly emoji_code: string | undefined;
  readonly reaction_type: string | undefined;
}

/**
 * The emoji that a request names, its code and type looked up by the name where they were not sent; whether they belong
 * together is for `requireEmoji`.
 * @throws AppError BAD_REQUEST where no emoji has the name.
 */
export async function completeEmoji(app: ChatApp, realmId: number, sent: SentEmoji): Promise<NamedEmoji> {
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

/** An organization's own emoji come before the standard ones of the same name. */
async function findEmoji(app: ChatApp, realmId: number, emoji_name: string): Promise<NamedEmoji> {
  const custom = await findRealmEmoji(app, realmId, emoji_name);
  if (custom !== null) return { emoji_name, emoji_code: String(custom.id), reaction_type: "realm_emoji" };
  const standard = lookupEmoji(emoji_name);
  if (standard === null) throw new AppError("BAD_REQUEST", `Emoji '${emoji_name}' does not exist`);
  return { emoji_name, emoji_code: standard.code, reaction_type: "unicode_emoji" };
}

/**
 * Refuses an emoji that is not there or out of use, or whose name and code are not of one emoji.
 * @throws AppError BAD_REQUEST.
 */
export async function requireEmoji(app: ChatApp, realmId: number, emoji: NamedEmoji): Promise<void> {
  const refusal = await objectionTo(app, realmId, emoji);
  if (refusal !== null) throw new AppError("BAD_REQUEST", refusal);
}

async function objectionTo(
  app: ChatApp,
  realmId: number,
  { emoji_name, emoji_code, reaction_type }: NamedEmoji,
): Promise<string | null> {
  switch (reaction_type) {
    case "realm_emoji":
      return await objectionToCustom(app, realmId, { emoji_name, emoji_code });
    case "unicode_emoji":
      if (emojiByCode(emoji_code) === null) return "Invalid emoji code.";
      return lookupEmoji(emoji_name)?.code === emoji_code ? null : "Invalid emoji name.";
    // The service adds none, so no code is one.
    case "service_extra_emoji":
      return "Invalid emoji code.";
    default:
      return "Invalid emoji type.";
  }
}

async function objectionToCustom(
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
