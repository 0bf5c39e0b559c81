import type { Context } from "fresh";
import { type MethodHandler, methods } from "@/lib/api/methods.ts";
import { sendOn } from "@/lib/api/page_session.ts";
import { MAX_CHANGED_LINKS } from "@/lib/links/manage/link_schemas.ts";
import { LINK_LIMITS } from "@/lib/links/manage/properties.ts";
import { updateLinks } from "@/lib/links/manage/update_links.ts";
import { MAX_URL_LENGTH } from "@/lib/links/params.ts";
import { MAX_CANDIDATES } from "@/lib/links/search/candidates.ts";
import { findLinks } from "@/lib/links/search/find_links.ts";
import { findPastedLink } from "@/lib/links/stats.ts";
import type { State } from "@/lib/services/services.ts";
import {
  type AdminPageData,
  type AdminPageHandler,
  type AdminPageSpec,
  type Done,
  FormRefusal,
  pageHandler,
} from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { changeSelected } from "./change_selected.ts";
import { type ListQuery, PAGE_LINKS, readListQuery, toListPath, toSearchRequest } from "./list_query.ts";
import { shortenAction } from "./shorten_form.ts";
import { linkActorOf, linkPath, type ShownLink, toShownLinks } from "./shown_link.ts";

/** Data of the page of links. */
export interface LinksData {
  readonly links: readonly ShownLink[];
  readonly query: ListQuery;
  /** Number of links found; null where they are not counted. */
  readonly total: number | null;
  /** Whether the search covered all links. */
  readonly isComplete: boolean;
  readonly paths: LinkListPaths;
  readonly limits: Readonly<Record<"url" | "changed" | "compared" | "tag", number>>;
}

/** Addresses of the same list in other orders and of its other pages. */
export interface LinkListPaths {
  readonly byCreation: string;
  readonly byVisits: string;
  /** Null on the first page. */
  readonly first: string | null;
  /** Null on the last page. */
  readonly next: string | null;
  /** The list without a filter; null if there is none. */
  readonly clear: string | null;
}

const spec: AdminPageSpec<LinksData> = {
  load: loadLinks,
  actions: {
    shorten: shortenAction(linkPath),
    disable: { run: (request, fields) => switchLink(request, fields, true) },
    enable: { run: (request, fields) => switchLink(request, fields, false) },
    change_selected: { run: changeSelected, fields: { tags: "tag" } },
  },
};

/** The page of links. A short link pasted into its search leads to that link's page. */
export function linksPage(): AdminPageHandler<LinksData> {
  const page = pageHandler(spec);
  const show: MethodHandler<AdminPageData<LinksData>> = async (ctx) =>
    await findPasted(ctx) ?? await page(ctx);
  const { formActions } = page;
  return Object.assign(methods<AdminPageData<LinksData>>({ GET: show, POST: page }), { formActions });
}

async function findPasted(ctx: Context<State>): Promise<Response | null> {
  const { text } = readListQuery(ctx.url.searchParams);
  const link = text === "" ? null : await findPastedLink(ctx.state.app.links, text);
  return link === null || link.limits?.isDeleted === true ? null : sendOn(ctx, linkPath(link.short));
}

async function loadLinks(request: AdminRequest): Promise<LinksData> {
  const { links } = request.services;
  const query = readListQuery(request.query);
  const page = await findLinks(links, toSearchRequest(query, PAGE_LINKS));
  return {
    links: await toShownLinks(request, page.links),
    query,
    total: page.total,
    isComplete: page.isComplete,
    paths: toPaths(query, page.next),
    limits: {
      url: MAX_URL_LENGTH,
      changed: MAX_CHANGED_LINKS,
      compared: MAX_CANDIDATES,
      tag: LINK_LIMITS.tag,
    },
  };
}

function toPaths(query: ListQuery, next: string | null): LinkListPaths {
  const first = { ...query, cursor: null };
  const isFiltered = query.text !== "" || query.host !== "" || query.status !== null;
  return {
    byCreation: toListPath({ ...first, order: query.order === "newest" ? "oldest" : "newest" }),
    byVisits: toListPath({ ...first, order: "visits" }),
    first: query.cursor === null ? null : toListPath(first),
    next: next === null ? null : toListPath({ ...query, cursor: next }),
    clear: isFiltered ? toListPath({ ...first, text: "", host: "", status: null }) : null,
  };
}

/** Disables or enables the link that a form names. */
export async function switchLink(
  request: AdminRequest,
  fields: FormFields,
  isDisabled: boolean,
): Promise<Done> {
  const { services: { links }, formatter, messages } = request;
  const shorts = [fields.text("short")];
  const { missing } = await updateLinks(links, { shorts, patch: { isDisabled } }, linkActorOf(request));
  if (missing.length > 0) throw new FormRefusal({ form: messages.common.gone });
  return { flash: formatter.t(isDisabled ? messages.links.disabled : messages.links.enabled) };
}
