import { findLinks } from "@/lib/links/search/find_links.ts";
import { findPastedLink } from "@/lib/links/actions.ts";
import type { AdminRequest } from "../admin_request.ts";
import { toListPath } from "../pages/links/list_query.ts";
import { linkPath } from "../pages/links/shown_link.tsx";
import { type FoundRecord, MAX_OF_KIND, MAX_TEXT } from "./found_record.ts";

/** A search is repeated while a text is typed, so it compares a part of what the page of links does. */
const MAX_COMPARED = 250;

/**
 * Finds short links by their address or id, and by words of the URL, the title or a tag, newest first. Where there are
 * more, the last result is the page of links with this search. Links are managed by administrators of the root
 * organization; others find none.
 */
export async function findShortLinks(request: AdminRequest, text: string): Promise<readonly FoundRecord[]> {
  if (request.realm.subdomain !== "" || !request.opens("/admin/links")) return [];
  const { services: { links }, messages, formatter } = request;
  const pasted = await findPastedLink(links, text);
  const search = {
    filter: { text },
    order: "newest",
    limit: MAX_OF_KIND,
    maxCompared: MAX_COMPARED,
  } as const;
  const { links: found, next, isComplete } = await findLinks(links, search);
  const about = messages.stats.linkTitle;
  const all = [
    ...(pasted === null || pasted.deletedAt !== undefined ? [] : [{ short: pasted.short, name: pasted.url }]),
    ...found.filter(({ short }) => short !== pasted?.short)
      .map(({ short, title, url }) => ({ short, name: title ?? url })),
  ];
  const shown = all.map(({ short, name }) => ({
    path: linkPath(short),
    name: name.slice(0, MAX_TEXT),
    about,
  }));
  if (next === null && isComplete) return shown;
  const path = toListPath({ text, host: "", status: null, order: "newest", cursor: null });
  const name = formatter.t(messages.shell.palette.allLinks, { text });
  return [...shown, { path, name, about: messages.shell.places.links }];
}
