import { z } from "zod";
import { parseJson } from "@/lib/core/parse_json.ts";

const rule = z.object({ points: z.int().min(1), seconds: z.int().min(1) });
/** Requests of one kind that a client may make within a number of seconds. */
export type RateLimitRule = z.infer<typeof rule>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Default limits, which RATE_LIMITS overrides; for each address unless the comment names another subject. */
export const DEFAULT_RATE_LIMITS = {
  shorten: { points: 120, seconds: MINUTE },
  resolve: { points: 6000, seconds: MINUTE },
  link_stats: { points: 300, seconds: MINUTE },
  /** Requests that manage links. */
  manage_links: { points: 300, seconds: MINUTE },
  api_user: { points: 200, seconds: MINUTE },
  api_user_hour: { points: 2000, seconds: HOUR },
  /** Event requests, which come as often as something changes and count towards no other limit. */
  api_events: { points: 600, seconds: MINUTE },
  api_address: { points: 100, seconds: MINUTE },
  /** Requests that are refused and count towards no other limit, such as those for paths that do not exist. */
  refused: { points: 100, seconds: MINUTE },
  /** For a registered server whose notifications are delivered. */
  remote_server: { points: 1000, seconds: MINUTE },
  /** Failed attempts for one account from one address. */
  sign_in: { points: 5, seconds: HOUR / 2 },
  /** Failed attempts from one address for any account. */
  sign_in_address: { points: 50, seconds: HOUR / 2 },
  /** For a user. */
  email_change: { points: 2, seconds: HOUR },
  /** Searches of fields for people and groups, for a user. */
  people_search: { points: 300, seconds: MINUTE },
  /** Links from mails and setup links opened or used, valid or not. */
  mailed_link: { points: 60, seconds: 10 * MINUTE },
  /** Join links opened without an account, valid or not. */
  join: { points: 60, seconds: 10 * MINUTE },
  /** Requests with a reusable link that send email; many users may share an address. */
  join_mail: { points: 100, seconds: 24 * HOUR },
  /** Attempts to join by a reusable link without a confirmed address; many users may share an address. */
  join_client: { points: 200, seconds: HOUR },
  /** The same from any address, for a link: so many guesses, or new accounts, a leaked link allows. */
  join_link: { points: 500, seconds: 24 * HOUR },
  /** Addresses invited by an organization, resent invitations included; counted in the store. */
  invitations: { points: 2000, seconds: 24 * HOUR },
  /** Requests without an account that send email. */
  mail_address: { points: 5, seconds: 24 * HOUR },
  /**
   * Mails requested for one mailbox, from any address. One address of a client cannot use it up, so that it
   * does not keep the owner of the mailbox from requesting a mail.
   */
  mail_recipient: { points: 10, seconds: 6 * HOUR },
  /** Searches of an administrator in the search dialog and in the list of short links. */
  admin_search: { points: 120, seconds: MINUTE },
  /** Trials of linkifiers on recent messages, for an administrator. */
  linkifier_trial: { points: 30, seconds: MINUTE },
  /** Tests of webhooks by administrators of an organization. */
  webhook_test: { points: 30, seconds: 10 * MINUTE },
  /** Test emails of an organization. */
  test_mail: { points: 5, seconds: 10 * MINUTE },
};
/** Name of a limit. */
export type RateLimitName = keyof typeof DEFAULT_RATE_LIMITS;
type RateLimits = Readonly<Record<RateLimitName, RateLimitRule>>;

const rules = z.partialRecord(
  z.string().refine((name): name is RateLimitName => Object.hasOwn(DEFAULT_RATE_LIMITS, name)),
  rule,
).transform((changed): RateLimits => ({ ...DEFAULT_RATE_LIMITS, ...changed }));

/** Parses RATE_LIMITS: every rule, or null when limits are off. */
export const rateLimits = z.string().transform((text, context): RateLimits | null => {
  if (text === "off") return null;
  const parsed = rules.safeParse(text === "on" ? {} : parseJson(text));
  if (parsed.success) return parsed.data;
  const names = Object.keys(DEFAULT_RATE_LIMITS).join(", ");
  context.addIssue({
    code: "custom",
    message: `on, off, or JSON such as {"shorten":{"points":120,"seconds":60}}; the rules are ${names}`,
  });
  return z.NEVER;
});
