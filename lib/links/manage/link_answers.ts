import type { z } from "zod";
import { storeLink } from "../actions.ts";
import { rewriteShort, toShortLink } from "../alphabet.ts";
import type { LinksApp } from "../app.ts";
import { NO_LINK } from "../link_cache.ts";
import { type QrFormat, toQrFile } from "../qr_code.ts";
import { findLinks, type FoundLink, getFoundLink, toFoundLink } from "../search/find_links.ts";
import {
  type changedLinksSchema,
  type changeLinkSchema,
  type changeLinksSchema,
  type createLinkSchema,
  type deleteLinksSchema,
  type linkListSchema,
  type linkQuerySchema,
  type linkSchema,
  MAX_PAGE,
} from "./link_schemas.ts";
import { applyPatch, type LinkPatch } from "./properties.ts";
import { type ChangedLinks, deleteLinks, type LinkActor, updateLinks } from "./update_links.ts";

type LinkAnswer = z.infer<typeof linkSchema>;
type ChangedIds = z.infer<typeof changedLinksSchema>;

const PAGE_LINKS = 25;

export async function listLinkAnswers(
  app: LinksApp,
  { q, order = "newest", cursor, limit = String(PAGE_LINKS), ...filter }: z.infer<typeof linkQuerySchema>,
): Promise<z.infer<typeof linkListSchema>> {
  const size = Math.min(Math.max(Number(limit), 1), MAX_PAGE);
  const page = await findLinks(app, { filter: { ...filter, text: q }, order, cursor, limit: size });
  return { ...page, links: page.links.map((link) => toLinkAnswer(app, link)) };
}

/** @throws AppError as `storeLink`, BAD_REQUEST for properties that are not valid. */
export async function createLink(
  app: LinksApp,
  { url, ...changes }: z.infer<typeof createLinkSchema>,
  { creator }: LinkActor,
): Promise<LinkAnswer> {
  const now = app.clock.now();
  const { url: _url, createdAt: _createdAt, ...properties } = applyPatch(
    { url, createdAt: now, ...(creator === null ? {} : { creator }) },
    toPatch(changes),
    now,
  );
  // The link is stored then, so nothing is read that could fail.
  const { short, record } = await storeLink(app, url, properties);
  return toLinkAnswer(app, toFoundLink(app, app.cache.toLink(short, record)));
}

/** @throws AppError NOT_FOUND. */
export async function readLinkAnswer(app: LinksApp, incoming: string): Promise<LinkAnswer> {
  return toLinkAnswer(app, await getFoundLink(app, incoming));
}

/** @throws AppError NOT_FOUND, and as `updateLinks`. */
export async function changeLink(
  app: LinksApp,
  { incoming, changes }: { incoming: string; changes: z.infer<typeof changeLinkSchema> },
  actor: LinkActor,
): Promise<LinkAnswer> {
  const before = await getFoundLink(app, incoming);
  const { records } = await updateLinks(app, { shorts: [before.short], patch: toPatch(changes) }, actor);
  const record = records.get(before.short);
  if (record === undefined) throw NO_LINK;
  const { short, visits: count, last } = before;
  return toLinkAnswer(app, toFoundLink(app, app.cache.toLink(short, record), { count, last }));
}

/** @throws AppError as `updateLinks`. */
export async function changeManyLinks(
  app: LinksApp,
  { shorts, ...changes }: z.infer<typeof changeLinksSchema>,
  actor: LinkActor,
): Promise<ChangedIds> {
  return toIds(await updateLinks(app, { shorts: toShorts(app, shorts), patch: toPatch(changes) }, actor));
}

/** @throws AppError NOT_FOUND. */
export async function deleteLink(
  app: LinksApp,
  { incoming, visits }: { incoming: string; visits: "keep" | "delete" },
  actor: LinkActor,
): Promise<ChangedIds> {
  const outcome = await deleteManyLinks(app, { shorts: [incoming], visits }, actor);
  if (outcome.missing.length > 0) throw NO_LINK;
  return outcome;
}

export async function deleteManyLinks(
  app: LinksApp,
  { shorts, visits }: z.infer<typeof deleteLinksSchema>,
  actor: LinkActor,
): Promise<ChangedIds> {
  const areVisitsDeleted = visits === "delete";
  return toIds(await deleteLinks(app, { shorts: toShorts(app, shorts), areVisitsDeleted }, actor));
}

/** @throws AppError NOT_FOUND. */
export async function readQrFile(
  app: LinksApp,
  { incoming, format = "svg" }: { incoming: string; format: QrFormat | undefined },
) {
  const { short } = await getFoundLink(app, incoming);
  return await toQrFile(toShortLink(app.config.baseUrl, short), format);
}

function toIds({ changed, unchanged, missing }: ChangedLinks): ChangedIds {
  return { changed, unchanged, missing };
}

function toShorts({ config }: LinksApp, incoming: readonly string[]): string[] {
  return incoming.map((short) => rewriteShort(short, config.rewrites));
}

type Changes = Omit<z.infer<typeof changeLinksSchema> & z.infer<typeof changeLinkSchema>, "shorts">;

function toPatch({ expiresAt, ...changes }: Changes): LinkPatch {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (expiresAt === undefined) return given;
  return { ...given, expiresAt: expiresAt === null ? null : Date.parse(expiresAt) };
}

function toLinkAnswer({ config }: LinksApp, link: FoundLink): LinkAnswer {
  const { short, url, title, note, tags, isDisabled, createdAt, creator, expiresAt, maxVisits } = link;
  const { closed, visits, last } = link;
  return {
    ...{ short, shortUrl: toShortLink(config.baseUrl, short), url },
    ...{ title: title ?? null, note: note ?? null, tags: [...tags ?? []] },
    status: closed === null || closed === "deleted" ? "active" : closed,
    isDisabled: isDisabled === true,
    createdAt: toTime(createdAt),
    createdBy: creator?.userId ?? null,
    expiresAt: expiresAt === undefined ? null : toTime(expiresAt),
    maxVisits: maxVisits ?? null,
    visits,
    lastVisitAt: last === null ? null : toTime(last),
  };
}

function toTime(time: number): string {
  return new Date(time).toISOString();
}
