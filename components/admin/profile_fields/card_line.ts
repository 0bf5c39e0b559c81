import type { Speech } from "@/lib/ui/speech.ts";
import type { Words } from "@/lib/ui/words/catalogue.ts";

/** A field as it looks on somebody's card, with an answer made up. */
export interface CardLine {
  readonly label: string;
  readonly value: string;
  /** Where the answer leads; empty where it is no link to an account. */
  readonly address: string;
  /** What those read who fill it in. */
  readonly hint: string;
  readonly isOnCard: boolean;
}

/** What of a field decides how it looks. */
export interface DrawnField {
  readonly type: number;
  readonly label: string;
  readonly hint: string;
  readonly pattern: string;
  readonly firstChoice: string;
  readonly isOnCard: boolean;
}

/** Who looks, and when, in milliseconds since 1970 UTC. */
export interface CardViewer {
  readonly words: Words;
  readonly speech: Speech;
  readonly name: string;
  readonly now: number;
}

/** How a field looks on the card of its viewer. */
export function toCardLine(field: DrawnField, viewer: CardViewer): CardLine {
  const { noLabel } = viewer.words.profileFields;
  return {
    label: field.label.trim() || noLabel,
    value: sampleOf(field, viewer),
    address: field.type === 7 ? addressOf(field.pattern, viewer) : "",
    hint: field.hint.trim(),
    isOnCard: field.isOnCard,
  };
}

function sampleOf({ type, firstChoice }: DrawnField, { words, speech, name, now }: CardViewer): string {
  const { samples } = words.profileFields;
  switch (type) {
    case 2:
      return samples.paragraph;
    case 3:
      return firstChoice.trim() || samples.choice;
    case 4:
      return speech.date(now);
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

function addressOf(pattern: string, { words }: CardViewer): string {
  const parts = pattern.trim().split("%(username)s");
  if (parts.length !== 2) return "";
  const address = parts.join(words.profileFields.samples.username);
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : "";
}
