import type { ChatApp } from "../app.ts";
import type { Role } from "../users/user.ts";
import type { InviteOffer } from "./invite.ts";

/** What a request offers, as it was sent. */
export interface SentOffer {
  readonly invite_expires_in_minutes: number | null | undefined;
  readonly invite_as: Role;
  readonly stream_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly include_realm_default_subscriptions: boolean;
  readonly welcome_message_custom_text: string | undefined;
  readonly notify_referrer_on_join: boolean;
}

const MINUTE_MS = 60 * 1000;
/** How long after its end an invitation can still be told from one that never was, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

/** The record of what a request offers. */
export function toOffer(
  app: Pick<ChatApp, "clock" | "config">,
  { id, inviterId, sent }: { id: number; inviterId: number; sent: SentOffer },
): InviteOffer {
  return {
    id,
    inviter_id: inviterId,
    role: sent.invite_as,
    created_at: app.clock.now(),
    expires_at: expiryOf(app, sent),
    channel_ids: [...new Set(sent.stream_ids)],
    group_ids: [...new Set(sent.group_ids)],
    include_realm_default_subscriptions: sent.include_realm_default_subscriptions,
    notify_referrer_on_join: sent.notify_referrer_on_join,
    welcome_message_custom_text: welcomeText(sent),
  };
}

/** The text that greets those who join, as it was sent; null where none was. */
export function welcomeText({ welcome_message_custom_text: text }: SentOffer): string | null {
  return text === undefined || text === "null" ? null : text;
}

/** When an offer that is made now ends, in milliseconds since 1970 UTC; null never. */
export function expiryOf(
  { clock, config }: Pick<ChatApp, "clock" | "config">,
  { invite_expires_in_minutes: sent }: Pick<SentOffer, "invite_expires_in_minutes">,
): number | null {
  const now = clock.now();
  const minutes = sent === undefined ? config.invitationLinkValidityMinutes : sent;
  if (minutes === null) return null;
  // Without a duration it is over at once, not a moment later.
  return minutes > 0 ? now + minutes * MINUTE_MS : Math.max(0, now - 1 + minutes * MINUTE_MS);
}

/** How a record of something that ends is written: the store drops it some weeks after, and never what does not end. */
export function keptUntil(
  { clock }: Pick<ChatApp, "clock">,
  { expires_at }: Pick<InviteOffer, "expires_at">,
): { expireIn?: number } {
  if (expires_at === null) return {};
  return { expireIn: Math.max(0, expires_at - clock.now()) + KEPT_MS };
}
