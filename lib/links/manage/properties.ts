import { AppError, type FieldError } from "@/lib/core/errors.ts";
import { codePointLength, hasControlCharacter } from "@/lib/core/text.ts";
import { findUrlProblem } from "../params.ts";
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
  readonly url?: string;
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
  const problems: FieldError[] = [];
  const complain = (field: string, message: string) => {
    problems.push({ code: "invalid_value", path: [field], message });
    return undefined;
  };
  const { createdAt, deletedAt, creator } = record;
  const url = patch.url ?? record.url;
  const urlProblem = url === record.url ? null : findUrlProblem(url);
  if (urlProblem !== null) complain("url", urlProblem);
  const title = patch.title === undefined ? record.title : readText("title", patch.title, complain);
  const note = patch.note === undefined ? record.note : readText("note", patch.note, complain);
  const tags = readTags(record.tags ?? [], patch, complain);
  const isDisabled = patch.isDisabled ?? record.isDisabled === true;
  const expiresAt = readExpiry(record.expiresAt, { patch, now }, complain);
  const maxVisits = patch.maxVisits === undefined
    ? record.maxVisits
    : readMaxVisits(patch.maxVisits, complain);
  const [first] = problems;
  if (first !== undefined) throw new AppError("BAD_REQUEST", first.message, { errors: problems });
  return {
    url,
    createdAt,
    ...(title === undefined ? {} : { title }),
    ...(note === undefined ? {} : { note }),
    ...(tags === undefined ? {} : { tags }),
    ...(isDisabled ? { isDisabled } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(maxVisits === undefined ? {} : { maxVisits }),
    ...(creator === undefined ? {} : { creator }),
    ...(deletedAt === undefined ? {} : { deletedAt }),
  };
}

type Complain = (field: string, message: string) => undefined;

function readText(field: "title" | "note", value: string | null, complain: Complain): string | undefined {
  // A note may have several lines.
  const lines = field === "note" ? (value ?? "").replaceAll("\r\n", "\n") : value ?? "";
  const text = lines.trim().normalize();
  if (!isPlainText(field === "note" ? text.replaceAll(/[\n\t]/g, " ") : text)) {
    return complain(field, `The ${field} contains a control character.`);
  }
  if (codePointLength(text) > LINK_LIMITS[field]) {
    return complain(field, `The ${field} is longer than ${LINK_LIMITS[field]} characters.`);
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
