import { chunk } from "es-toolkit/array/chunk";
import type { z } from "zod";
import { hasControlCharacter, isLongerThan, normalizeText } from "@/lib/core/text.ts";
import { COMMIT_BUDGET } from "@/lib/store/kv.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import type { Tx } from "@/lib/store/tx.ts";
import { transact } from "@/lib/store/transact.ts";
import { requireAllowed } from "../actions.ts";
import { rewriteShort } from "../alphabet.ts";
import type { LinksApp } from "../app.ts";
import { announceChange } from "../link_cache.ts";
import { findUrlProblem, LINK_LIMITS, requireNoProblem, toTag } from "../params.ts";
import { termsOf } from "../search/words.ts";
import { type EarlierDestination, type LinkCreator, linkKeys, type LinkRecord, sizeOfKey } from "../store.ts";
import type { changedLinksSchema, LinkPatch } from "./link_schemas.ts";

/** Maximum number of earlier destinations of a link; with the longest URLs, they fit into a value of 65,536 bytes. */
const MAX_DESTINATIONS = 25;
/**
 * Maximum number of keys for a link: its record, and its terms before and after. It is larger than the number of writes,
 * because terms are long.
 */
const MAX_KEYS = 75;
/** Changes of links and blocked hosts take turns within a process, because all of them write the counter of changes. */
export const LINKS_QUEUE = "links";

/** A change of a link, for the audit log. */
export interface LinkChange {
  readonly action: ReturnType<typeof actionOf>;
  readonly short: string;
  readonly before: LinkRecord;
  readonly after: LinkRecord;
  readonly areVisitsDeleted: boolean;
}

/** A change of a blocked host, or of links that are changed together, for the audit log. */
export type AuditedChange =
  | { readonly action: "blocked_host_added" | "blocked_host_removed"; readonly host: string }
  | {
    /** Unique; several commits make a change. */
    readonly id: string;
    /** Milliseconds since 1970 UTC. */
    readonly time: number;
    /** Number of the commit, from 0, and whether it is the last one. */
    readonly part: number;
    readonly isLast: boolean;
    /** Links that were changed before. */
    readonly earlier: readonly LinkChange[];
    /** Links of this commit, one at least. */
    readonly links: readonly LinkChange[];
  };

/** The acting party of a change of links or blocked hosts. */
export interface LinkActor {
  /** The user who is signed in; null for the shorten key. */
  readonly creator: LinkCreator | null;
  /** Records a change in the commit that makes it. */
  readonly audit: (tx: Tx, change: AuditedChange) => void;
}

/** Ids of links by what happened to them; those of deleted links are missing. */
export interface ChangedLinks extends z.infer<typeof changedLinksSchema> {
  /** New states of the changed and unchanged links. */
  readonly records: Map<string, LinkRecord>;
}

/**
 * Changes properties of links. Each commit changes some links completely, so an interruption leaves no link half
 * changed. All processes see the change at once.
 * @throws AppError BAD_REQUEST for values that are not valid, and for a new destination as for a new link; and what
 * `check` throws for a link as stored.
 */
export function updateLinks(
  app: LinksApp,
  { shorts, patch, check }: {
    readonly shorts: readonly string[];
    readonly patch: LinkPatch;
    readonly check?: (link: LinkRecord) => void;
  },
  actor: LinkActor,
): Promise<ChangedLinks> {
  return changeLinks(app, { shorts, actor }, async (tx, short, before) => {
    check?.(before);
    const after = applyPatch(before, patch, app.clock.now());
    if (JSON.stringify(applyPatch(before, {}, 0)) === JSON.stringify(after)) return before;
    if (before.url !== after.url) {
      // The commit checks this state, so that no host is blocked meanwhile.
      await tx.get(linkKeys.changes);
      await app.cache.refresh();
      await requireAllowed(app, after.url);
      const [until, key] = [app.clock.now(), linkKeys.destinations(short)];
      const replaced: EarlierDestination = { url: before.url, until, replacedBy: actor.creator };
      tx.set(key, [...await tx.get<EarlierDestination[]>(key) ?? [], replaced].slice(-MAX_DESTINATIONS));
      tx.set(linkKeys.unindexed(until, crypto.randomUUID()), [short]);
    }
    return after;
  });
}

function actionOf(before: LinkRecord, after: LinkRecord) {
  if (after.deletedAt !== undefined) return "link_deleted";
  if (before.isDisabled === after.isDisabled) return "link_changed";
  return after.isDisabled === true ? "link_disabled" : "link_enabled";
}

/**
 * Deletes links. Their ids answer 410 from then on and are never assigned again. With `areVisitsDeleted`, their
 * visits are removed from all statistics in the background; otherwise they remain in the totals.
 */
export async function deleteLinks(
  app: LinksApp,
  { shorts, areVisitsDeleted }: { readonly shorts: readonly string[]; readonly areVisitsDeleted: boolean },
  actor: LinkActor,
): Promise<ChangedLinks> {
  const deleted = await changeLinks(app, { shorts, actor, areVisitsDeleted }, (tx, short, before) => {
    const deletedAt = app.clock.now();
    tx.sum(linkKeys.linkCount, -1n);
    tx.delete(linkKeys.destinations(short));
    if (areVisitsDeleted) tx.set(linkKeys.removal(short), deletedAt);
    return { url: "", createdAt: before.createdAt, deletedAt };
  });
  if (areVisitsDeleted) app.visitRemover.wake();
  return deleted;
}

/** Replaces the records of links by what `change` returns; the same record leaves a link as it is. */
async function changeLinks(
  { store, clock, cache, config }: LinksApp,
  { shorts, actor, areVisitsDeleted = false }: {
    shorts: readonly string[];
    actor: LinkActor;
    areVisitsDeleted?: boolean;
  },
  change: (tx: Tx, short: string, before: LinkRecord) => LinkRecord | Promise<LinkRecord>,
): Promise<ChangedLinks> {
  const links: ChangedLinks = { changed: [], unchanged: [], missing: [], records: new Map() };
  const ids = [...new Set(shorts.map((short) => rewriteShort(short, config.rewrites)))];
  const longest = Math.max(...ids.map(({ length }) => length));
  const linksAtOnce = Math.max(1, Math.floor(COMMIT_BUDGET.keyBytes / (MAX_KEYS * sizeOfKey(longest))));
  const audited = { id: crypto.randomUUID(), time: clock.now() };
  const changes: LinkChange[] = [];
  const parts = chunk(ids, linksAtOnce);
  for (const [at, part] of parts.entries()) {
    const { outcomes, changed } = await transact(store, async (tx) => {
      const changed: LinkChange[] = [];
      const outcomes: { kind: "changed" | "unchanged" | "missing"; short: string; after?: LinkRecord }[] = [];
      for (const short of part) {
        const before = await tx.get<LinkRecord>(linkKeys.link(short));
        if (before === null || before.deletedAt !== undefined) {
          outcomes.push({ kind: "missing", short });
          continue;
        }
        const after = await change(tx, short, before);
        outcomes.push({ kind: after === before ? "unchanged" : "changed", short, after });
        if (after === before) continue;
        writeLink(tx, short, { before, after });
        changed.push({ action: actionOf(before, after), short, before, after, areVisitsDeleted });
      }
      if (changed.length > 0) {
        await announceChange(tx, changed.map(({ short }) => short));
        const isLast = at === parts.length - 1;
        actor.audit(tx, { ...audited, part: at, isLast, earlier: changes, links: changed });
      }
      return { outcomes, changed };
    }, LINKS_QUEUE);
    changes.push(...changed);
    for (const { kind, short, after } of outcomes) {
      links[kind].push(short);
      if (after !== undefined) links.records.set(short, after);
    }
  }
  await afterCommit(() => cache.refresh());
  return links;
}

function writeLink(
  tx: Tx,
  short: string,
  { before, after }: { before: LinkRecord; after: LinkRecord },
): void {
  tx.set(linkKeys.link(short), after);
  const [old, current] = [new Set(termsOf(before)), new Set(termsOf(after))];
  for (const term of old.difference(current)) tx.delete(linkKeys.term(term, short));
  for (const term of current.difference(old)) tx.set(linkKeys.term(term, short), true);
  // Visits without a maximum are not counted in it.
  if (before.maxVisits !== undefined && after.maxVisits === undefined) {
    tx.delete(linkKeys.limitedVisits(short));
  }
}

const WRONG_MAXIMUM = `The maximum of visits must be a whole number from 1 to ${LINK_LIMITS.maxVisits}.`;

/**
 * Returns a record with new values of its properties.
 * @throws AppError BAD_REQUEST with the field of each value that is not valid.
 */
export function applyPatch(record: LinkRecord, patch: LinkPatch, now: number): LinkRecord {
  const { url, createdAt, deletedAt, creator, isDisabled, expiresAt, maxVisits, ...texts } = {
    ...record,
    ...patch,
  };
  const title = normalizeText((texts.title ?? "").trim(), "NFC");
  // A note may have several lines.
  const note = normalizeText((texts.note ?? "").replaceAll("\r\n", "\n").trim(), "NFC");
  const tags = toTags(record.tags, patch);
  const isExpired = expiresAt !== record.expiresAt && !((expiresAt ?? Infinity) > now);
  const max = maxVisits ?? 1;
  const isWrongMaximum = !Number.isInteger(max) || max < 1 || max > LINK_LIMITS.maxVisits;
  requireNoProblem({
    url: url === record.url ? null : findUrlProblem(url),
    title: findTextProblem("title", title, title),
    note: findTextProblem("note", note, note.replaceAll(/[\n\t]/g, " ")),
    tags: findTagProblem(tags),
    expiresAt: isExpired ? "The time of expiry must be in the future." : null,
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
  return isLongerThan(text, max) ? `The ${field} is longer than ${max} characters.` : null;
}

function findTagProblem(tags: readonly string[]): string | null {
  if (tags.length > LINK_LIMITS.tags) return `A link has at most ${LINK_LIMITS.tags} tags.`;
  const isLong = tags.some((tag) => isLongerThan(tag, LINK_LIMITS.tag));
  if (isLong) return `A tag is longer than ${LINK_LIMITS.tag} characters.`;
  const isPlain = tags.every((tag) => isPlainText(tag) && !tag.includes(","));
  return isPlain ? null : "A tag contains a comma or a control character.";
}

function toTags(before: readonly string[] = [], { tags, addedTags = [], removedTags = [] }: LinkPatch) {
  const wanted = new Set([...tags ?? before, ...addedTags].map(toTag));
  return [...wanted.difference(new Set(["", ...removedTags.map(toTag)]))].sort();
}

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !hasControlCharacter(text);
}
