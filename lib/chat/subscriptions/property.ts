import { AppError } from "@/lib/core/errors.ts";
import type { SubscriptionRecord } from "../channels/channel.ts";

/** What somebody decides about a channel that he is subscribed to and that is true or false. */
const SWITCHES = [
  "is_muted",
  "pin_to_top",
  "desktop_notifications",
  "audible_notifications",
  "push_notifications",
  "email_notifications",
  "wildcard_mentions_notify",
] as const;

/** Three to six hexadecimal digits: clients have sent all of these. */
const COLOR = /^#[0-9a-fA-F]{3,6}$/;
/** What is wrong with a color. */
export const BAD_COLOR = "color is not a valid hex color code";

/** Whether a text is a color that a subscription can have. */
export function isColor(text: string): boolean {
  return COLOR.test(text);
}

/** One property as a request names it, and its value as it was sent. */
export interface SentProperty {
  readonly property: string;
  readonly value: boolean | string;
}

/** What a property changes in the record, and what clients are told of it, in this order. */
export interface PropertyChange {
  readonly changes: Partial<SubscriptionRecord>;
  readonly told: readonly SentProperty[];
}

/**
 * What a property means; `in_home_view` is an old name for not being muted, and whoever changes one changes both.
 * @throws AppError BAD_REQUEST for an unknown property or a value that it cannot have.
 */
export function toPropertyChange({ property, value }: SentProperty): PropertyChange {
  if (property === "color") {
    if (typeof value !== "string" || !isColor(value)) throw new AppError("BAD_REQUEST", BAD_COLOR);
    return { changes: { color: value }, told: [{ property, value }] };
  }
  const name = property === "in_home_view" ? "is_muted" : SWITCHES.find((known) => known === property);
  if (name === undefined) throw new AppError("BAD_REQUEST", `Unknown subscription property: ${property}`);
  if (typeof value !== "boolean") throw new AppError("BAD_REQUEST", `${property} is not a boolean`);
  if (name !== "is_muted") return { changes: { [name]: value }, told: [{ property, value }] };
  const is_muted = property === "is_muted" ? value : !value;
  return {
    changes: { is_muted },
    told: [{ property: "in_home_view", value: !is_muted }, { property: "is_muted", value: is_muted }],
  };
}

/** A value as a form carries it: `true` and `false` are that, all else is text, with or without JSON's quotes. */
export function toPropertyValue(sent: string): boolean | string {
  try {
    const value: unknown = JSON.parse(sent);
    return typeof value === "boolean" || typeof value === "string" ? value : sent;
  } catch {
    // Colors come without quotes.
    return sent;
  }
}
