import { z } from "zod";
import { toValue } from "@/lib/store/key.ts";
import { fromJsonForm, toJsonForm } from "./value_text.ts";
import type { CopiedEntry, TimedEntry } from "./expiring_entries.ts";

/** Name and version of the format. A change of the format needs a new version. */
export const FORMAT = { format: "sotto-export", version: 1 } as const;

const header = z.object({
  format: z.literal(FORMAT.format),
  version: z.number().int(),
  /** Distinguishes exports, so that an interrupted import continues with the same one. */
  id: z.uuid(),
  schema_version: z.number().int().positive(),
  /** Time of the export, in ISO 8601. */
  created_at: z.iso.datetime(),
});

const end = z.object({
  /** Number of lines between the first and the last. */
  entries: z.number().int().nonnegative(),
  /** SHA-256 of all lines before this one with their line ends, in hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const entry = z.object({
  key: z.array(z.unknown()).min(1),
  value: z.unknown(),
  expires_at: z.number().optional(),
});

/** First line of an export. */
export type ExportHeader = z.infer<typeof header>;
/** Last line of an export. */
export type ExportEnd = z.infer<typeof end>;

export interface ExportedEntry extends TimedEntry {
  /** The entry without its expiry, as `formatEntry` returns it. */
  readonly text: string;
}

export type ExportLine =
  | { readonly kind: "entry"; readonly entry: ExportedEntry }
  | { readonly kind: "end"; readonly end: ExportEnd };

/** Returns the JSON of an entry without its expiry; equal entries have equal texts. */
export function formatEntry({ key, value }: CopiedEntry): string {
  return JSON.stringify({ key: key.map(toJsonForm), value: toJsonForm(value) });
}

/** Returns the line of an entry, without the line end. */
export function formatLine(timed: TimedEntry): string {
  const text = formatEntry(timed);
  return timed.expiresAt === null ? text : `${text.slice(0, -1)},"expires_at":${timed.expiresAt}}`;
}

/**
 * Parses the first line of an export.
 * @throws Error for any other text.
 */
export function parseHeader(line: string): ExportHeader {
  return header.parse(JSON.parse(line));
}

/**
 * Parses a line after the first one.
 * @throws Error for any other text.
 */
export function parseLine(line: string): ExportLine {
  const parsed: unknown = JSON.parse(line);
  const { data } = entry.safeParse(parsed);
  if (data === undefined) return { kind: "end", end: end.parse(parsed) };
  const { key, value, expires_at } = data;
  const text = expires_at === undefined ? line : JSON.stringify({ key, value });
  return {
    kind: "entry",
    entry: {
      key: key.map((part) => toValue<Deno.KvKeyPart>(fromJsonForm(part))),
      value: fromJsonForm(value),
      expiresAt: expires_at ?? null,
      text,
    },
  };
}
