import { AppError } from "@/lib/core/errors.ts";
import { codePointLength, hasControlCharacter } from "@/lib/core/text.ts";
import type { LinkRecord } from "../store.ts";

/** Limits of a link's properties; lengths in code points. */
export const LINK_LIMITS = {
  title: 100,
  note: 1000,
  tag: 40,
  tags: 10,
  maxVisits: 1_000_000_000,
} as const;

/** Latest time that a date can have, in milliseconds since 1970 UTC. */
const LATEST = 8_640_000_000_000_000;

/** New values of a link's properties; those that are absent stay, and null or an empty text removes one. */
export interface LinkPatch {
  readonly title?: string | null;
  readonly note?: string | null;
  readonly tags?: readonly string[] | null;
  /** Tags to add to those that the link has. */
  readonly addedTags?: readonly string[];
  readonly removedTags?: readonly string[];
  readonly isDisabled?: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt?: number | null;
  readonly maxVisits?: number | null;
}

/**
 * Returns a record with new values of its properties.
 * @throws AppError BAD_REQUEST with the field of each value that is not valid.
 */
export function applyPatch(record: LinkRecord, patch: LinkPatch, now: number): LinkRecord {
  const problems: Problem[] = [];
  const complain = (field: string, message: string) => {
    problems.push({ code: "invalid_value", path: [field], message });
    return undefined;
  };
  const { url, createdAt, deletedAt, creator } = record;
  const after = {
    title: patch.title === undefined ? record.title : readTitle(patch.title, complain),
    note: patch.note === undefined ? record.note : readNote(patch.note, complain),
    tags: readTags(record.tags ?? [], patch, complain),
    isDisabled: patch.isDisabled === undefined ? record.isDisabled : patch.isDisabled || undefined,
    expiresAt: readExpiry(record.expiresAt, { patch, now }, complain),
    maxVisits: patch.maxVisits === undefined ? record.maxVisits : readMaxVisits(patch.maxVisits, complain),
  };
  const [first] = problems;
  if (first !== undefined) throw new AppError("BAD_REQUEST", first.message, { errors: problems });
  return withoutUndefined({ url, createdAt, ...after, creator, deletedAt });
}

interface Problem {
  readonly code: string;
  readonly path: readonly string[];
  readonly message: string;
}

type Complain = (field: string, message: string) => undefined;

function readTitle(title: string | null, complain: Complain): string | undefined {
  const text = (title ?? "").trim().normalize();
  if (!isPlainText(text)) return complain("title", "The title contains a control character.");
  if (codePointLength(text) > LINK_LIMITS.title) {
    return complain("title", `The title is longer than ${LINK_LIMITS.title} characters.`);
  }
  return text === "" ? undefined : text;
}

function readNote(note: string | null, complain: Complain): string | undefined {
  const text = (note ?? "").replaceAll("\r\n", "\n").trim().normalize();
  if (!isPlainText(text.replaceAll(/[\n\t]/g, " "))) {
    return complain("note", "The note contains a control character.");
  }
  if (codePointLength(text) > LINK_LIMITS.note) {
    return complain("note", `The note is longer than ${LINK_LIMITS.note} characters.`);
  }
  return text === "" ? undefined : text;
}

function readTags(
  before: readonly string[],
  { tags, addedTags = [], removedTags = [] }: LinkPatch,
  complain: Complain,
): readonly string[] | undefined {
  const kept = tags === undefined ? before : tags ?? [];
  const removed = new Set(removedTags.map(toTag));
  const all = [...new Set([...kept, ...addedTags].map(toTag))].filter((tag) =>
    tag !== "" && !removed.has(tag)
  );
  if (all.length > LINK_LIMITS.tags) return complain("tags", `A link has at most ${LINK_LIMITS.tags} tags.`);
  for (const tag of all) {
    if (codePointLength(tag) > LINK_LIMITS.tag) {
      return complain("tags", `A tag is longer than ${LINK_LIMITS.tag} characters.`);
    }
    if (!isPlainText(tag) || tag.includes(",")) {
      return complain("tags", "A tag contains a comma or a control character.");
    }
  }
  return all.length === 0 ? undefined : all.sort();
}

/** Returns a tag in the form in which it is stored: trimmed, in lower case. */
export function toTag(text: string): string {
  return text.trim().normalize().toLowerCase();
}

function readExpiry(
  before: number | undefined,
  { patch: { expiresAt }, now }: { patch: LinkPatch; now: number },
  complain: Complain,
): number | undefined {
  if (expiresAt === undefined || expiresAt === before) return before;
  if (expiresAt === null) return undefined;
  const isTime = Number.isInteger(expiresAt) && expiresAt > now && expiresAt <= LATEST;
  return isTime ? expiresAt : complain("expiresAt", "The time of expiry must be in the future.");
}

function readMaxVisits(max: number | null, complain: Complain): number | undefined {
  if (max === null) return undefined;
  const isCount = Number.isInteger(max) && max >= 1 && max <= LINK_LIMITS.maxVisits;
  return isCount ? max : complain(
    "maxVisits",
    `The maximum of visits must be a whole number from 1 to ${LINK_LIMITS.maxVisits}.`,
  );
}

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !hasControlCharacter(text);
}

type Undefinable<T> = { readonly [Name in keyof T]: T[Name] | undefined };

function withoutUndefined(
  record: Undefinable<LinkRecord> & Pick<LinkRecord, "url" | "createdAt">,
): LinkRecord {
  const { url, createdAt } = record;
  return {
    ...Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)),
    url,
    createdAt,
  };
}
