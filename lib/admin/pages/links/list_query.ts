import { trim } from "es-toolkit/string/trim";
import type { LinkSearch } from "@/lib/links/search/find_links.ts";
import { LINK_ORDERS, LINK_STATUSES, type LinkOrder } from "@/lib/links/search/link_query.ts";

/** Maximum length of a searched text or host, as the API has it. */
const MAX_TEXT = 500;
/** Number of links on a page. */
export const PAGE_LINKS = 50;

/** Search, filter, order and page of the list, as in the page's address. */
interface ListQuery {
  readonly text: string;
  readonly host: string;
  readonly status: typeof LINK_STATUSES[number] | null;
  readonly order: LinkOrder;
  readonly cursor: string | null;
}

/** Reads the query of the list; trims blanks only, because other invisible characters may belong to an id. */
export function readListQuery(query: URLSearchParams): ListQuery {
  const trimmed = (name: string) => trim((query.get(name) ?? "").slice(0, MAX_TEXT), [" ", "\t", "\r", "\n"]);
  return {
    text: trimmed("q"),
    host: trimmed("host"),
    status: LINK_STATUSES.find((status) => status === query.get("status")) ?? null,
    order: LINK_ORDERS.find((order) => order === query.get("order")) ?? "newest",
    cursor: query.get("cursor"),
  };
}

/** Returns the address of the list with this query. */
export function toListPath({ text, host, status, order, cursor }: ListQuery): string {
  const values = {
    q: text,
    host,
    status: status ?? "",
    order: order === "newest" ? "" : order,
    cursor: cursor ?? "",
  };
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return query.size === 0 ? "/admin/links" : `/admin/links?${query}`;
}

/** Returns the search that a query stands for. */
export function toSearchRequest(query: ListQuery, limit: number): LinkSearch {
  const { text: q, host, status, order, cursor } = query;
  return { q, host, status: status ?? undefined, order, cursor: cursor ?? undefined, limit };
}
