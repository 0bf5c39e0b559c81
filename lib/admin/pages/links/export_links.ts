import { snakeCase } from "es-toolkit/string/snakeCase";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { toLinkResponse } from "@/lib/links/manage/link_responses.ts";
import type { FoundLink } from "@/lib/links/search/find_links.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { toDate } from "@/lib/admin/charts/time_chart.ts";
import { toCsvDownload } from "@/lib/admin/csv.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { EXPORTED_LINKS } from "@/lib/admin/stats/stats_export.ts";
import { findAllLinks } from "./list_query.ts";

/** Properties of a link, as the API names them. */
const COLUMNS = [
  "shortUrl",
  "url",
  "title",
  "tags",
  "note",
  "status",
  "visits",
  "lastVisitAt",
  "createdAt",
  "createdBy",
  "expiresAt",
  "maxVisits",
] as const;

/** Sends the links that the list shows, on all of its pages, as a CSV file. */
export const exportLinks = form({
  action: "export",
  run: async (request) => {
    const links = await findAllLinks(request, EXPORTED_LINKS);
    return toCsvDownload({
      name: `links-${toDate(request.chat.clock.now())}.csv`,
      columns: COLUMNS.map(snakeCase),
      rows: listRows(request, links),
    });
  },
});

async function* listRows(
  { services, chat, realm }: AdminRequest,
  links: AsyncIterable<FoundLink>,
): AsyncGenerator<string[]> {
  const { byId } = await readDirectory(chat, realm.id);
  for await (const link of links) {
    const { creator } = link;
    const createdBy = creator?.realmId === realm.id ? byId.get(creator.userId)?.full_name : null;
    const row = { ...toLinkResponse(services.links, link), createdBy };
    // Null becomes an empty cell.
    yield COLUMNS.map((name) => [row[name]].flat().join(", "));
  }
}
