import { MAX_CHANGED_LINKS } from "@/lib/links/manage/link_schemas.ts";
import type { LinkPatch } from "@/lib/links/manage/properties.ts";
import { deleteLinks, updateLinks } from "@/lib/links/manage/update_links.ts";
import { findLinks } from "@/lib/links/search/find_links.ts";
import { type Done, FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { readListQuery, toSearchRequest } from "./list_query.ts";
import { linkActorOf } from "./shown_link.ts";

/** Changes of several links that the form offers. */
export const SELECTED_CHANGES = [
  "disable",
  "enable",
  "add_tag",
  "remove_tag",
  "delete_keep",
  "delete_visits",
] as const;

type SelectedChange = typeof SELECTED_CHANGES[number];

/** Number of links that are read at once to find all of a search. */
const BATCH = 100;

/** Changes or deletes the selected links, or all links of the search. */
export async function changeSelected(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, formatter, messages: { links: text } } = request;
  const change = SELECTED_CHANGES.find((known) => known === fields.text("change"));
  if (change === undefined) throw new FormRefusal({ change: text.noChange });
  const shorts = fields.flag("all")
    ? await listFound(request)
    : fields.all("short").slice(0, MAX_CHANGED_LINKS);
  if (shorts.length === 0) throw new FormRefusal({ form: text.noneSelected });
  const actor = linkActorOf(request);
  if (change === "delete_keep" || change === "delete_visits") {
    if (!fields.flag("confirm")) throw new FormRefusal({ confirm: text.notConfirmed });
    const areVisitsDeleted = change === "delete_visits";
    const { changed } = await deleteLinks(links, { shorts, areVisitsDeleted }, actor);
    return { flash: formatter.t(text.deletedMany, { count: changed.length }) };
  }
  const patch = toPatch(change, fields.exact("tag").trim());
  if (patch === null) throw new FormRefusal({ tag: text.noTag });
  const { changed } = await updateLinks(links, { shorts, patch }, actor);
  return { flash: formatter.t(text.changedMany, { count: changed.length }) };
}

function toPatch(
  change: Exclude<SelectedChange, "delete_keep" | "delete_visits">,
  tag: string,
): LinkPatch | null {
  if (change === "disable" || change === "enable") return { isDisabled: change === "disable" };
  if (tag === "") return null;
  return change === "add_tag" ? { addedTags: [tag] } : { removedTags: [tag] };
}

/** Lists the ids of all links of the page's search, up to the number that one request changes. */
async function listFound({ services: { links }, query }: AdminRequest): Promise<string[]> {
  const shorts: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof findLinks>> = await findLinks(
      links,
      toSearchRequest({ ...readListQuery(query), cursor }, BATCH),
    );
    shorts.push(...page.links.map(({ short }) => short));
    cursor = page.next;
  } while (cursor !== null && shorts.length < MAX_CHANGED_LINKS);
  return shorts.slice(0, MAX_CHANGED_LINKS);
}
