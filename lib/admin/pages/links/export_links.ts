import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import type { FoundLink } from "@/lib/links/search/find_links.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { toDate } from "@/lib/admin/charts/time_chart.ts";
import { toCsvDownload } from "@/lib/admin/csv.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { EXPORTED_LINKS } from "@/lib/admin/stats/stats_export.ts";
import { findAllLinks } from "./list_query.ts";
import { type ShownLink, toShownLink } from "./shown_link.tsx";

/** A link with the name of its creator. */
type Row = ShownLink & { readonly createdBy: string };

/** Cells of a file by column, the same in every language. */
const COLUMNS: Readonly<Record<string, (row: Row) => string | number | undefined>> = {
  short_url: ({ link }) => link,
  long_url: ({ url }) => url,
  title: ({ title }) => title,
  tags: ({ tags }) => tags?.join(", "),
  note: ({ note }) => note,
  status: ({ status }) => status,
  visits: ({ visits }) => visits,
  last_visit: ({ last }) => toTime(last),
  created: ({ createdAt }) => toTime(createdAt),
  created_by: ({ createdBy }) => createdBy,
  expires: ({ expiresAt }) => toTime(expiresAt),
  max_visits: ({ maxVisits }) => maxVisits,
};

/** Sends the links that the list shows, on all of its pages, as a CSV file. */
export const exportLinks = form({
  action: "export",
  run: async (request) => {
    const links = await findAllLinks(request, EXPORTED_LINKS);
    return toCsvDownload({
      name: `links-${toDate(request.chat.clock.now())}.csv`,
      columns: Object.keys(COLUMNS),
      rows: listRows(request, links),
    });
  },
});

async function* listRows(
  request: AdminRequest,
  links: AsyncIterable<FoundLink>,
): AsyncGenerator<string[]> {
  const { chat, realm } = request;
  const { byId } = await readDirectory(chat, realm.id);
  for await (const found of links) {
    const { creator } = found;
    const createdBy = creator?.realmId === realm.id ? byId.get(creator.userId)?.full_name ?? "" : "";
    const row = { ...toShownLink(request, found), createdBy };
    yield Object.values(COLUMNS).map((read) => String(read(row) ?? ""));
  }
}

function toTime(time: number | null | undefined): string {
  return typeof time === "number" ? new Date(time).toISOString() : "";
}
