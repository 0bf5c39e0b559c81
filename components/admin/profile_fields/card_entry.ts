import type { Formatter } from "@/lib/ui/formatter.ts";
import type { Messages } from "@/lib/ui/messages/catalogue.ts";

/** A field on a user's card, with an example answer. */
export interface CardEntry {
  readonly label: string;
  readonly value: string;
  /** Address the answer links to; empty for anything but an external account. */
  readonly address: string;
  /** Hint for users who fill in the field. */
  readonly hint: string;
  readonly isOnCard: boolean;
}

/** Properties of a field that decide how it is displayed. */
interface CardField {
  readonly type: number;
  readonly label: string;
  readonly hint: string;
  readonly pattern: string;
  readonly firstChoice: string;
  readonly isOnCard: boolean;
}

/** The viewer, and the current time in milliseconds since 1970 UTC. */
export interface CardViewer {
  readonly messages: Messages;
  readonly formatter: Formatter;
  readonly name: string;
  readonly now: number;
}

/** Returns a field as displayed on the viewer's card. */
export function toCardEntry(field: CardField, viewer: CardViewer): CardEntry {
  const { noLabel } = viewer.messages.profileFields;
  return {
    label: field.label.trim() || noLabel,
    value: sampleOf(field, viewer),
    address: field.type === 7 ? addressOf(field.pattern, viewer) : "",
    hint: field.hint.trim(),
    isOnCard: field.isOnCard,
  };
}

function sampleOf({ type, firstChoice }: CardField, { messages, formatter, name, now }: CardViewer): string {
  const { samples } = messages.profileFields;
  switch (type) {
    case 2:
      return samples.paragraph;
    case 3:
      return firstChoice.trim() || samples.choice;
    case 4:
      return formatter.date(now);
    case 5:
      return "https://example.com";
    case 6:
      return name;
    case 7:
      return samples.username;
    case 8:
      return samples.pronouns;
    default:
      return samples.text;
  }
}

function addressOf(pattern: string, { messages }: CardViewer): string {
  const parts = pattern.trim().split("%(username)s");
  if (parts.length !== 2) return "";
  const address = parts.join(messages.profileFields.samples.username);
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : "";
}
