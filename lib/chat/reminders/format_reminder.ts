import type { ChatApp } from "../app.ts";
import { MAX_MESSAGE_LENGTH, type VisibleMessage } from "../messages/model.ts";
import { realmUrl } from "../organizations/model.ts";
import { formatNarrowHref } from "../rendering/urls.ts";
import type { ReminderOwner } from "./model.ts";

/** Maximum length of a quoted message in code points, so that the reminder is a message of allowed length. */
const MAX_QUOTE_LENGTH = MAX_MESSAGE_LENGTH - 3000;

/** Returns the Markdown of a reminder without the quoted message: a link, and the note. */
export function formatReminder(
  app: ChatApp,
  { realm }: ReminderOwner,
  { visible, note }: { visible: VisibleMessage; note: string },
): string {
  const link = `You requested a reminder for [this message](${realmUrl(app, realm)}${toHref(visible)}).`;
  if (note === "") return link;
  return `${link}\n\nNote:\n${note.split("\n").map((line) => `> ${line}`).join("\n")}`;
}

function toHref({ message, channel, conversation }: VisibleMessage): string {
  if (channel !== null) return formatNarrowHref(channel, message.topic, String(message.id));
  return `/#narrow/dm/${conversation?.user_ids.join(",") ?? ""}/near/${message.id}`;
}

/** Returns a reminder with its message quoted, shortened where it would be too long. */
export function appendQuote(content: string, quoted: string): string {
  const units = [...quoted];
  const isShort = units.length <= MAX_QUOTE_LENGTH;
  const text = isShort ? quoted : `${units.slice(0, MAX_QUOTE_LENGTH).join("")}…`;
  const longest = Math.max(2, ...Array.from(text.matchAll(/[`~]{3,}/g), ([fence]) => fence.length));
  const fence = "`".repeat(longest + 1);
  return `${content}\n\n${fence}quote\n${text}\n${fence}`;
}
