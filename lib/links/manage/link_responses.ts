import type { z } from "zod";
import { encodeGrid } from "@/lib/core/png.ts";
import { MODULE_PIXELS, toQrMatrix, toQrPath, toQrSvg } from "@/lib/ui/qr_path.ts";
import { storeLink } from "../actions.ts";
import { toShortLink } from "../alphabet.ts";
import type { LinksApp } from "../app.ts";
import { NO_LINK } from "../link_cache.ts";
import { findLinks, type FoundLink, getFoundLink, toFoundLink } from "../search/find_links.ts";
import { type LinkQuery, MAX_PAGE } from "../search/link_query.ts";
import {
  type changedLinksSchema,
  type createLinkSchema,
  type linkListSchema,
  type LinkPatch,
  type linkSchema,
  type QR_FORMATS,
} from "./link_schemas.ts";
import { applyPatch, type ChangedLinks, deleteLinks, type LinkActor, updateLinks } from "./update_links.ts";

type LinkResponse = z.infer<typeof linkSchema>;
type ChangedIds = z.infer<typeof changedLinksSchema>;

export async function listLinks(
  app: LinksApp,
  { limit = "25", ...query }: LinkQuery,
): Promise<z.infer<typeof linkListSchema>> {
  const page = await findLinks(app, { ...query, limit: Math.min(Math.max(Number(limit), 1), MAX_PAGE) });
  return { ...page, links: page.links.map((link) => toLinkResponse(app, link)) };
}

/** @throws AppError as `storeLink`, BAD_REQUEST for properties that are not valid. */
export async function createLink(
  app: LinksApp,
  { url, ...properties }: z.infer<typeof createLinkSchema>,
  { creator }: LinkActor,
): Promise<LinkResponse> {
  const now = app.clock.now();
  const stored = await storeLink(app, applyPatch({ url, createdAt: now }, properties, now), creator);
  // Nothing is read now that could fail.
  return toLinkResponse(app, toFoundLink(app, app.cache.toLink(stored.short, stored.record)));
}

/** @throws AppError NOT_FOUND, and as `updateLinks`. */
export async function changeLink(
  app: LinksApp,
  { incoming, patch }: { incoming: string; patch: LinkPatch },
  actor: LinkActor,
): Promise<LinkResponse> {
  const before = await getFoundLink(app, incoming);
  const { short } = before;
  const { records } = await updateLinks(app, { shorts: [short], patch }, actor);
  const record = records.get(short);
  if (record === undefined) throw NO_LINK;
  return toLinkResponse(app, toFoundLink(app, app.cache.toLink(short, record), before));
}

/** @throws AppError NOT_FOUND. */
export async function deleteLink(
  app: LinksApp,
  { incoming, areVisitsDeleted }: { incoming: string; areVisitsDeleted: boolean },
  actor: LinkActor,
): Promise<ChangedIds> {
  const links = await deleteLinks(app, { shorts: [incoming], areVisitsDeleted }, actor);
  if (links.missing.length > 0) throw NO_LINK;
  return toChangedIds(links);
}

/** @throws AppError NOT_FOUND. */
export async function readQrFile(app: LinksApp, incoming: string, format: typeof QR_FORMATS[number] = "svg") {
  const { short } = await getFoundLink(app, incoming);
  const link = toShortLink(app.config.baseUrl, short);
  const name = `short-link.${format}`;
  return format === "svg"
    ? { body: toQrSvg(toQrPath(link)), type: "image/svg+xml", name }
    : { body: await encodeGrid(toQrMatrix(link), MODULE_PIXELS), type: "image/png", name };
}

export function toChangedIds({ changed, unchanged, missing }: ChangedLinks): ChangedIds {
  return { changed, unchanged, missing };
}

export function toLinkResponse({ config }: LinksApp, link: FoundLink): LinkResponse {
  const { short, url, title, note, tags, isDisabled, createdAt, creator, expiresAt, maxVisits } = link;
  const { closed, visits, last } = link;
  return {
    short,
    shortUrl: toShortLink(config.baseUrl, short),
    url,
    title: title ?? null,
    note: note ?? null,
    tags: [...tags ?? []],
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
