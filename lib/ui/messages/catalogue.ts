import { REALM_SETTING_TEXTS } from "@/lib/chat/organization/organizations/settings.ts";
import { PERMISSION_TEXTS } from "@/lib/chat/organization/permissions/model/registry.ts";
import { activityMessages } from "./en/activity.ts";
import { bulkActionMessages } from "./en/bulk_actions.ts";
import { channelMessages } from "./en/channels.ts";
import { commonMessages } from "./en/common.ts";
import { organizationMessages } from "./en/organization.ts";
import { overviewMessages } from "./en/overview.ts";
import { invitationMessages } from "./en/invitations.ts";
import { permissionMessages } from "./en/permissions.ts";
import { profileFieldMessages } from "./en/profile_fields.ts";
import { shellMessages } from "./en/shell.ts";
import { userMessages } from "./en/users.ts";
import { statsMessages } from "./en/stats.ts";

const english = {
  common: commonMessages,
  shell: shellMessages,
  overview: overviewMessages,
  organization: { ...organizationMessages, fields: REALM_SETTING_TEXTS },
  users: userMessages,
  bulkActions: bulkActionMessages,
  invitations: invitationMessages,
  permissions: { ...permissionMessages, settings: PERMISSION_TEXTS },
  channels: channelMessages,
  profileFields: profileFieldMessages,
  activity: activityMessages,
  stats: statsMessages,
};

/** All messages of the admin pages, by area. */
export type Messages = typeof english;

/** Languages with messages; the last two are pseudo-languages for tests, left to right and right to left. */
export const LANGUAGES = ["en", "en-XA", "ar-XB"] as const;

/** Returns the messages of one of LANGUAGES; the English ones for any other. */
export function messagesOf(language: string): Messages {
  return translate(language, english);
}

/** Readable letters that no catalogue contains. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter, at) => [
    letter,
    [..."áƀçđéƒǧħíĵķłɱñóƥɋŕšťúṽŵẋýžÁƁÇĐÉƑǦĦÍĴĶŁṀÑÓƤɊŔŠŤÚṼŴẊÝŽ"][at] ?? letter,
  ]),
);

/**
 * Returns English texts in one of LANGUAGES: the same ones for English and any other. Texts that are translated already
 * stay as they are.
 */
export function translate<Texts>(language: string, texts: Texts): Texts {
  if (language === "en-XA") return toPseudo(texts, "ltr");
  if (language === "ar-XB") return toPseudo(texts, "rtl");
  return texts;
}

/**
 * Converts a catalogue to a pseudo-language: every message is marked, longer and accented; placeholders stay.
 */
function toPseudo<Messages>(messages: Messages, direction: "ltr" | "rtl"): Messages;
function toPseudo(messages: unknown, direction: "ltr" | "rtl"): unknown {
  if (typeof messages === "string") return mark(messages, direction);
  if (Array.isArray(messages)) return messages.map((word) => toPseudo(word, direction));
  if (typeof messages !== "object" || messages === null) return messages;
  return Object.fromEntries(
    Object.entries(messages).map(([name, value]) => [name, toPseudo(value, direction)]),
  );
}

function mark(text: string, direction: "ltr" | "rtl"): string {
  if (text.startsWith("⟦")) return text;
  const accented = text.split(/(\{\w+\})/).map((part) =>
    part.startsWith("{") ? part : [...part].map((letter) => LETTERS.get(letter) ?? letter).join("")
  ).join("");
  const longer = `${accented} ${"~".repeat(Math.ceil(text.length / 5))}`;
  // Marks of a right-to-left override and its end.
  return direction === "rtl" ? `⟦\u202e${longer}\u202c⟧` : `⟦${longer}⟧`;
}
