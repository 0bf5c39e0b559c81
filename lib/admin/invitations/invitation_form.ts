import type { OfferRequest } from "@/lib/chat/invites/model.ts";
import { type Role, ROLES } from "@/lib/chat/users/model.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { findTooLong } from "../find_too_long.ts";

/** Maximum length of a welcome message, in code points. */
export const MAX_INVITATION_WELCOME = 8000;
/** Validity periods in minutes that are offered besides the configured one. */
const PRESETS: readonly number[] = [1440, 3 * 1440, 10 * 1440, 30 * 1440];
const UNIT_MINUTES: ReadonlyMap<string, number> = new Map([
  ["minutes", 1],
  ["hours", 60],
  ["days", 1440],
  ["weeks", 7 * 1440],
]);
const MAX_MINUTES = 99_999_999;

/** Returns the validity periods in minutes, ascending, and the default one. */
export function lifetimesOf({ chat }: Pick<AdminRequest, "chat">): {
  readonly presets: readonly number[];
  readonly usual: number;
} {
  const usual = chat.config.invitationLinkValidityMinutes;
  return { presets: [...new Set([...PRESETS, usual])].sort((one, other) => one - other), usual };
}

/**
 * Reads the offer of a form.
 * @throws FormRefusal with a sentence for each invalid field.
 */
export function readOffer(request: AdminRequest, fields: FormFields): OfferRequest {
  const { messages: { invitations: text } } = request;
  const welcome = readWelcome(fields);
  const problems = findTooLong(request, { welcome_text: [welcome ?? null, MAX_INVITATION_WELCOME] });
  const role = readRole(fields);
  if (role === null) problems["role"] = text.roleBad;
  const minutes = readMinutes(fields);
  if (minutes === undefined) {
    const isCustom = fields.text("lasts") === "custom";
    problems[isCustom ? "custom_number" : "lasts"] = isCustom ? text.customBad : text.lastsBad;
  }
  if (role === null || Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return {
    invite_expires_in_minutes: minutes,
    invite_as: role,
    ...readPlaces(fields),
    welcome_message_custom_text: welcome,
    notify_referrer_on_join: fields.flag("notify"),
  };
}

/** Reads the channels and groups of a form. */
export function readPlaces(fields: FormFields) {
  return {
    stream_ids: fields.ints("channel"),
    group_ids: fields.ints("group"),
    include_realm_default_subscriptions: fields.flag("defaults"),
  };
}

/** Reads the role of a form; null without one. */
export function readRole(fields: FormFields): Role | null {
  const sent = fields.int("role");
  return ROLES.find((role) => role === sent) ?? null;
}

/** Null for no expiration; undefined for an invalid choice. */
function readMinutes(fields: FormFields): number | null | undefined {
  const lasts = fields.text("lasts");
  if (lasts === "never") return null;
  const count = fields.int(lasts === "custom" ? "custom_number" : "lasts") ?? 0;
  const minutes = count * (lasts === "custom" ? UNIT_MINUTES.get(fields.text("custom_unit")) ?? 0 : 1);
  return minutes >= 1 && minutes <= MAX_MINUTES ? minutes : undefined;
}

/** Undefined for the organization's message; empty for none. */
function readWelcome(fields: FormFields): string | undefined {
  const choice = fields.text("welcome");
  if (choice === "none") return "";
  const text = fields.text("welcome_text");
  // The API's marker for the organization's message is not a text of its own.
  return choice === "own" && text.trim() !== "null" ? text : undefined;
}
