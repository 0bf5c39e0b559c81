import { z } from "zod";
import { parseJson } from "@/lib/core/parse_json.ts";

const rule = z.object({ points: z.int().min(1), seconds: z.int().min(1) });
/** How many requests of one kind an address may make in how many seconds. */
export type RateLimitRule = z.infer<typeof rule>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The limits that hold unless RATE_LIMITS says otherwise: for each address, or as the name says. */
export const DEFAULT_RATE_LIMITS = {
  shorten: { points: 120, seconds: MINUTE },
  resolve: { points: 6000, seconds: MINUTE },
  link_stats: { points: 300, seconds: MINUTE },
  api_user: { points: 200, seconds: MINUTE },
  api_user_hour: { points: 2000, seconds: HOUR },
  /** Requests for events, which come as often as something happens, and count towards no other limit. */
  api_events: { points: 600, seconds: MINUTE },
  api_address: { points: 100, seconds: MINUTE },
  /** For a server whose notifications are handed on. */
  remote_server: { points: 1000, seconds: MINUTE },
  /** Failed ones, for an account from one address. */
  sign_in: { points: 5, seconds: HOUR / 2 },
  /** Failed ones, from one address to any account. */
  sign_in_address: { points: 50, seconds: HOUR / 2 },
  /** For a user. */
  email_change: { points: 2, seconds: HOUR },
  /** Links to join that a stranger opens, whether or not they lead anywhere. */
  join: { points: 60, seconds: 10 * MINUTE },
  /** Requests of strangers with a reusable link that send mail: many may sit behind one address. */
  join_mail: { points: 100, seconds: 24 * HOUR },
  /** Addresses that an organization invites, resent invitations among them; counted in the store. */
  invitations: { points: 2000, seconds: 24 * HOUR },
  /** Requests of strangers that send mail. */
  mail_address: { points: 5, seconds: 24 * HOUR },
};
/** The kinds of request that are limited. */
export type RateLimitName = keyof typeof DEFAULT_RATE_LIMITS;
type RateLimits = Readonly<Record<RateLimitName, RateLimitRule>>;

const rules = z.partialRecord(
  z.string().refine((name): name is RateLimitName => Object.hasOwn(DEFAULT_RATE_LIMITS, name)),
  rule,
).transform((changed): RateLimits => ({ ...DEFAULT_RATE_LIMITS, ...changed }));

/** The text of RATE_LIMITS: every rule, or null where nothing is limited. */
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
