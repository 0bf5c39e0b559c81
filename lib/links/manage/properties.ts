import { codePointLength, hasControlCharacter } from "@/lib/core/text.ts";
import { findUrlProblem, LINK_LIMITS, requireNoProblem, toTag } from "../params.ts";
import type { LinkRecord } from "../store.ts";
import type { LinkPatch } from "./link_schemas.ts";

const WRONG_MAXIMUM = `The maximum of visits must be a whole number from 1 to ${LINK_LIMITS.maxVisits}.`;
/** Latest time that a date can have, in milliseconds since 1970 UTC. */
const LATEST = 8_640_000_000_000_000;

/**
 * Returns a record with new values of its properties.
 * @throws AppError BAD_REQUEST with the field of each value that is not valid.
 */
export function applyPatch(record: LinkRecord, patch: LinkPatch, now: number): LinkRecord {
  const { url, createdAt, deletedAt, creator, isDisabled, expiresAt, maxVisits, ...texts } = {
    ...record,
    ...patch,
  };
  const title = toText(texts.title);
  // A note may have several lines.
  const note = toText(texts.note?.replaceAll("\r\n", "\n"));
  const tags = toTags(record.tags, patch);
  const isNewExpiry = expiresAt !== record.expiresAt;
  const isWrongExpiry = isNewExpiry && !isWhole(expiresAt ?? LATEST, now + 1, LATEST);
  const isWrongMaximum = !isWhole(maxVisits ?? 1, 1, LINK_LIMITS.maxVisits);
  requireNoProblem({
    url: url === record.url ? null : findUrlProblem(url),
    title: findTextProblem("title", title, title),
    note: findTextProblem("note", note, note.replaceAll(/[\n\t]/g, " ")),
    tags: findTagProblem(tags),
    expiresAt: isWrongExpiry ? "The time of expiry must be in the future." : null,
    maxVisits: isWrongMaximum ? WRONG_MAXIMUM : null,
  });
  return {
    url,
    createdAt,
    ...(title === "" ? {} : { title }),
    ...(note === "" ? {} : { note }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(isDisabled === true ? { isDisabled } : {}),
    ...(expiresAt === undefined || expiresAt === null ? {} : { expiresAt }),
    ...(maxVisits === undefined || maxVisits === null ? {} : { maxVisits }),
    ...(creator === undefined ? {} : { creator }),
    ...(deletedAt === undefined ? {} : { deletedAt }),
  };
}

function findTextProblem(field: "title" | "note", text: string, line: string): string | null {
  if (!isPlainText(line)) return `The ${field} contains a control character.`;
  const max = LINK_LIMITS[field];
  return codePointLength(text) > max ? `The ${field} is longer than ${max} characters.` : null;
}

function findTagProblem(tags: readonly string[]): string | null {
  if (tags.length > LINK_LIMITS.tags) return `A link has at most ${LINK_LIMITS.tags} tags.`;
  const isLong = tags.some((tag) => codePointLength(tag) > LINK_LIMITS.tag);
  if (isLong) return `A tag is longer than ${LINK_LIMITS.tag} characters.`;
  const isPlain = tags.every((tag) => isPlainText(tag) && !tag.includes(","));
  return isPlain ? null : "A tag contains a comma or a control character.";
}

function toText(value: string | null | undefined): string {
  return (value ?? "").trim().normalize();
}

function toTags(before: readonly string[] = [], { tags, addedTags = [], removedTags = [] }: LinkPatch) {
  const wanted = new Set([...tags ?? before, ...addedTags].map(toTag));
  return [...wanted.difference(new Set(["", ...removedTags.map(toTag)]))].sort();
}

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !hasControlCharacter(text);
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
