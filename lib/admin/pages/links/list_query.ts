import { trim } from "es-toolkit/string/trim";
import { type AdminRequest, countSearch } from "@/lib/admin/admin_request.ts";
import { withQuery } from "@/lib/admin/query.ts";
import { type FoundLink, listFoundLinks } from "@/lib/links/search/find_links.ts";
import { LINK_ORDERS, LINK_STATUSES } from "@/lib/links/search/link_query.ts";

/** Maximum length of a searched text or host, as the API has it. */
const MAX_TEXT = 500;
/** Number of links on a page. */
export const PAGE_LINKS = 50;

/** Search, filter, order and page of the list. */
export type ListQuery = ReturnType<typeof readListQuery>;

/** Reads the query of the list; trims blanks only, because other invisible characters may belong to an id. */
export function readListQuery(query: URLSearchParams) {
  const trimmed = (name: string) => trim((query.get(name) ?? "").slice(0, MAX_TEXT), [" ", "\t", "\r", "\n"]);
  return {
    q: trimmed("q"),
    host: trimmed("host"),
    status: LINK_STATUSES.find((status) => status === query.get("status")),
    order: LINK_ORDERS.find((order) => order === query.get("order")) ?? "newest",
    cursor: query.get("cursor") ?? undefined,
  };
}

/**
 * Reads the query of the list; a search for words or a host counts as one in the search dialog.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function readSearch(request: AdminRequest) {
  const query = readListQuery(request.query);
  if (query.q !== "" || query.host !== "") await countSearch(request);
  return query;
}

/**
 * Finds all links of the page's search in its order, `limit` at most.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function findAllLinks(request: AdminRequest, limit: number): Promise<AsyncIterable<FoundLink>> {
  const query = await readSearch(request);
  return listFoundLinks(request.services.links, { ...query, cursor: undefined, limit });
}

/** Returns the address of the list with this query. */
export function toListPath({ order, ...query }: Partial<ListQuery>): string {
  return withQuery("/admin/links", { ...query, order: order === "newest" ? null : order });
}
