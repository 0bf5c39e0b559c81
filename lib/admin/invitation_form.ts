import type { SentOffer } from "@/lib/chat/invites/offer.ts";
import { type Role, ROLES } from "@/lib/chat/users/user.ts";
import { FormRefusal } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";
import { findTooLong } from "./too_long.ts";

/** The longest welcome of an invitation, in code points. */
export const MAX_INVITATION_WELCOME = 8000;
/** How long invitations can last, in minutes, beside what the operator decided. */
const PRESETS: readonly number[] = [1440, 3 * 1440, 10 * 1440, 30 * 1440];
const UNIT_MINUTES: ReadonlyMap<string, number> = new Map([
  ["minutes", 1],
  ["hours", 60],
  ["days", 1440],
  ["weeks", 7 * 1440],
]);
const MAX_MINUTES = 99_999_999;

/** The lengths that can be chosen, in minutes, ascending, and the one that is chosen where nothing is. */
export function lifetimesOf({ chat }: Pick<AdminRequest, "chat">): {
  readonly presets: readonly number[];
  readonly usual: number;
} {
  const usual = chat.config.invitationLinkValidityMinutes;
  return { presets: [...new Set([...PRESETS, usual])].sort((one, other) => one - other), usual };
}

/**
 * What a form offers, whatever its kind.
 * @throws FormRefusal with a sentence for each field that says nothing valid.
 */
export function readOffer(request: AdminRequest, fields: FormFields): SentOffer {
  const { words: { invitations: text } } = request;
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

/** The channels and groups that a form offers. */
export function readPlaces(fields: FormFields) {
  return {
    stream_ids: fields.ints("channel"),
    group_ids: fields.ints("group"),
    include_realm_default_subscriptions: fields.flag("defaults"),
  };
}

/** The role that a form names; null where it names none. */
export function readRole(fields: FormFields): Role | null {
  const sent = fields.int("role");
  return ROLES.find((role) => role === sent) ?? null;
}

/** Null never; undefined where it says none of what can be chosen. */
function readMinutes(fields: FormFields): number | null | undefined {
  const lasts = fields.text("lasts");
  if (lasts === "never") return null;
  const count = fields.int(lasts === "custom" ? "custom_number" : "lasts") ?? 0;
  const minutes = count * (lasts === "custom" ? UNIT_MINUTES.get(fields.text("custom_unit")) ?? 0 : 1);
  return minutes >= 1 && minutes <= MAX_MINUTES ? minutes : undefined;
}

/** Undefined: the organization's own; empty: none. */
function readWelcome(fields: FormFields): string | undefined {
  const choice = fields.text("welcome");
  if (choice === "none") return "";
  const text = fields.text("welcome_text");
  // What stands for the organization's own in the API says nothing to anybody.
  return choice === "own" && text.trim() !== "null" ? text : undefined;
}
