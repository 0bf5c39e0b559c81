import { trimEnd } from "es-toolkit/string/trimEnd";
import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { normalizeText } from "@/lib/core/text.ts";
import { canonicalHostname, decodePercent } from "../hostnames.ts";
import { LINK_LIMITS, toTag } from "../params.ts";
import type { LinkRecord } from "../store.ts";
import { wordsOf } from "./words.ts";

export const LINK_STATUSES = ["active", "disabled", "expired", "used_up"] as const;

export const LINK_ORDERS = ["newest", "oldest", "visits"] as const;
export type LinkOrder = typeof LINK_ORDERS[number];

export const MAX_PAGE = 100;
export const INVALID_CURSOR = new AppError("BAD_REQUEST", "Invalid page cursor.");

export const linkQuerySchema = z.object({
  q: z.string().max(500).optional().meta({
    description: "Starts of words of the URL, the title or a tag, all of which occur; `#tag` is a whole tag.",
  }),
  host: z.string().max(255).optional().meta({ description: "A host and its subdomains." }),
  tag: z.string().max(200).optional(),
  status: z.enum(LINK_STATUSES).optional(),
  order: z.enum(LINK_ORDERS).optional().meta({ description: "`newest` by default." }),
  cursor: z.string().max(2000).optional(),
  limit: z.string().regex(/^\d{1,9}$/, { error: "limit must be a whole number." }).optional()
    .meta({ description: `From 1 to ${MAX_PAGE}, which larger numbers mean; 25 by default.` }),
});

export type LinkQuery = z.infer<typeof linkQuerySchema>;

/** A filter in the form in which links are compared with it. */
export type ParsedFilter = Readonly<ReturnType<typeof parseFilter>>;

/** Length beyond which a text is no tag, in code units; the store holds no key of some kilobytes. */
const MAX_TAG_UNITS = 2 * LINK_LIMITS.tag + 1;

export function parseFilter({ q = "", host = "", tag = "", status }: Omit<LinkQuery, "limit">) {
  const parts = normalizeText(q, "NFKC").toLowerCase().split(/\s+/).filter((part) => part !== "");
  const tags = parts.filter((part) => /^#./.test(part)).map((part) => part.slice(1));
  const phrases = parts.filter((part) => !part.startsWith("#"))
    .map((part) => trimEnd(part.replace(/^[a-z][a-z0-9+.-]*:\/\//, ""), "/"));
  const words = wordsOf(phrases.join(" "));
  return {
    words,
    /** Texts with punctuation, which occur in the URL, the title or a tag as they are. */
    phrases: phrases.filter((phrase) => /[^\p{L}\p{M}\p{N}]/u.test(phrase)),
    host: host.trim() === "" ? "" : canonicalHostname(host),
    tags: [...tags, ...(tag === "" ? [] : [tag])].map((text) => toTag(text).slice(0, MAX_TAG_UNITS)),
    status,
    /** Whether the text has nothing to search for, as `???` has. */
    isVain: parts.length > 0 && words.length === 0 && tags.length === 0,
  };
}

/** Whether a link fulfills a filter, except for its status; `readWords` returns the words of its URL, title and tags. */
export function matchesFilter(
  { url, title = "", tags = [] }: LinkRecord,
  filter: ParsedFilter,
  readWords: () => readonly string[],
): boolean {
  if (!filter.tags.every((tag) => tags.includes(tag))) return false;
  if (filter.host !== "" && !`.${canonicalHostname(new URL(url).hostname)}`.endsWith(`.${filter.host}`)) {
    return false;
  }
  if (filter.words.length === 0) return true;
  const words = readWords();
  if (!filter.words.every((wanted) => words.some((word) => word.startsWith(wanted)))) return false;
  if (filter.phrases.length === 0) return true;
  const texts = [url, decodePercent(url), title, ...tags].map((text) =>
    normalizeText(text, "NFKC").toLowerCase()
  );
  return filter.phrases.every((phrase) => texts.some((text) => text.includes(phrase)));
}
