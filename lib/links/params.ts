import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { hasControlCharacter, isLongerThan, normalizeText } from "@/lib/core/text.ts";

/** Maximum length of a long URL, in code points. */
export const MAX_URL_LENGTH = 500;

/** Browsers run these as script or open them as local files, so no link may lead to them. */
const REFUSED_SCHEMES = ["javascript:", "data:", "vbscript:", "blob:", "file:"];
/**
 * Schemes whose addresses may lack the two slashes, and `web+` for those of web applications. Any other text before a
 * colon may be a host, as in `example.com:8080/path`.
 */
const SCHEMES_WITHOUT_SLASHES = new RegExp(
  `^(?:web\\+[a-z]+|${
    [
      "https?|ftp|about|acct|bitcoin|bitcoincash|callto|cid|did|doi|dogecoin|ethereum|facetime|facetime-audio",
      "feed|geo|im|lightning|litecoin|magnet|mailto|matrix|mid|monero|ms-(?:excel|powerpoint|settings|word)",
      "news|openpgp4fpr|otpauth|payto|pkcs11|sips?|skype|sms|smsto|spotify|stuns?|tag|tel|turns?|urn|webcal|xmpp",
    ].join("|")
  }):`,
  "i",
);

/** Limits of a link's properties; lengths in code points. */
export const LINK_LIMITS = {
  title: 100,
  note: 1000,
  tag: 40,
  tags: 10,
  maxVisits: 1_000_000_000,
} as const;

/** Returns a tag in the form in which it is stored: trimmed, in lower case. */
export function toTag(text: string): string {
  return normalizeText(text.trim(), "NFC").toLowerCase();
}

/** @throws AppError BAD_REQUEST with the problems of fields, unless all are null. */
export function requireNoProblem(problems: Readonly<Record<string, string | null>>): void {
  const errors = Object.entries(problems).flatMap(([field, message]) =>
    message === null ? [] : [{ code: "invalid_value", path: [field], message }]
  );
  const [first] = errors;
  if (first !== undefined) throw new AppError("BAD_REQUEST", first.message, { errors });
}

/** Returns why `url` cannot be the target of a link; null when it can. */
export function findUrlProblem(url: string): string | null {
  if (url.trim() === "") return "The URL is empty.";
  if (isLongerThan(url, MAX_URL_LENGTH)) return `The URL is longer than ${MAX_URL_LENGTH} characters.`;
  if (hasControlCharacter(url)) return "The URL contains a control character.";
  if (!url.isWellFormed()) return "The URL contains half of a surrogate pair.";
  if (url.trim() !== url) return "The URL begins or ends with a blank.";
  const parsed = URL.parse(url);
  if (parsed !== null && REFUSED_SCHEMES.includes(parsed.protocol)) {
    return `URLs with the scheme ${parsed.protocol} are refused.`;
  }
  // Two slashes after the scheme name a host.
  const isAbsolute = url.startsWith("//", url.indexOf(":") + 1) || SCHEMES_WITHOUT_SLASHES.test(url);
  if (parsed !== null && isAbsolute) return null;
  return "The URL must be absolute, with a scheme, like https://example.com/page.";
}

const longUrl = z.string({ error: "The URL must be a string." })
  .superRefine((url, context) => {
    const message = findUrlProblem(url);
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  .meta({ format: "uri", maxLength: MAX_URL_LENGTH, examples: ["https://example.com/page?x=1"] });

export const longUrlSchema = z.object({ url: longUrl }, { error: "The body must be a JSON object." })
  .meta({ id: "LongUrl" });

export const shortenedUrlSchema = z.object({
  short: z.string().meta({ description: "The identifier itself: invisible characters." }),
  url: z.string().meta({
    format: "uri",
    description: "The short link: the identifier percent-encoded behind the base address.",
  }),
}).meta({ id: "ShortenedUrl" });

export const urlStatsSchema = z.object({
  url: longUrl,
  visits: z.array(z.iso.datetime().meta({ examples: ["2026-11-21T11:00:00.000Z"] }))
    .meta({ description: "The time of each visit, oldest first." }),
}).meta({ id: "UrlStats" });

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const instanceStatsSchema = z.object({ urls: count, visits: count }).meta({ id: "InstanceStats" });

export const shortPathSchema = z.object({
  short: z.string().meta({ description: "The identifier, percent-encoded." }),
});

export const resolveQuerySchema = z.object({
  visit: z.enum(["true", "false"], { error: "visit must be true or false." }).optional()
    .meta({ description: "`false` resolves without counting a visit." }),
});
