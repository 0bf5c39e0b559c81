import { GONE } from "@/lib/ui/texts.ts";
import { deleteLinks, updateLinks } from "@/lib/links/manage/update_links.ts";
import { LINK_LIMITS, MAX_URL_LENGTH } from "@/lib/links/params.ts";
import type { LinkRecord } from "@/lib/links/store.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { count, moment, text } from "@/lib/admin/declare/fields.tsx";
import { form } from "@/lib/admin/declare/form.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { requireRevision } from "@/lib/admin/revision.ts";
import { VisitsChoice } from "./change_selected.tsx";
import { linksPage } from "./links.tsx";
import { DELETE_TEXT, linkActorOf, linkPath, nameOf, readShownLink } from "./shown_link.tsx";

/** Returns the values of a link's form. */
export function storedOf({ url, title = "", tags = [], note = "", expiresAt, maxVisits }: LinkRecord) {
  const limits = { expires: expiresAt ?? null, max_visits: maxVisits ?? null };
  return { url, title, tags: tags.join(", "), note, ...limits };
}

/** The form that changes the destination and the properties of the link in the page's path. */
export const save = form({
  action: "save",
  button: "Save",
  fields: {
    url: text({
      label: "Destination",
      hint: "Any absolute URL of up to {count} characters. Visits stay counted.",
      max: MAX_URL_LENGTH,
      type: "url",
      isExact: true,
    }),
    title: text({ label: "Title", isExact: true }),
    tags: text({ label: "Tags", hint: `Separated by commas, up to ${LINK_LIMITS.tags}.`, isExact: true }),
    note: text({ label: "Note", hint: "Visitors of the link do not see it.", rows: 3, isExact: true }),
    expires: moment({
      label: "Expires",
      hint: "From this time on, the link leads nowhere. Leave it empty for never.",
    }),
    max_visits: count({
      label: "Maximum visits",
      hint: "After this number of visits, the link leads nowhere. Leave it empty for no limit.",
    }),
  },
  parameters: { expiresAt: "expires", maxVisits: "max_visits" },
  stored: async (request) => {
    const link = await readShownLink(request);
    return link === null ? null : storedOf(link);
  },
  run: async (request, { url, title, tags, note, expires, max_visits }, submitted) => {
    const { ctx, services: { links }, t } = request;
    const shorts = [ctx.params["short"] ?? ""];
    const patch = { url, title, note, tags: tags.split(","), expiresAt: expires, maxVisits: max_visits };
    // Compared again with the link that the commit replaces.
    const check = (link: LinkRecord) => requireRevision(request, submitted, Object.values(storedOf(link)));
    const { missing } = await updateLinks(links, { shorts, patch, check }, linkActorOf(request));
    if (missing.length > 0) throw new FormRefusal({ form: t(GONE) });
    return { flash: t("Changes saved.") };
  },
});

const CRUMB_CHARACTERS = 20;

/** The page that confirms deleting a link, with the choice to keep its visits. */
export const deleteLinkPage = confirmPage({
  path: "/admin/links/[short]/delete",
  load: readShownLink,
  title: (link, t) => t("Delete the short link to {name}?", { name: nameOf(link) }),
  above: (link) => [
    linksPage,
    { path: linkPath(link.short), name: cutMiddle(nameOf(link), CRUMB_CHARACTERS) },
  ],
  action: "delete",
  button: "Delete link",
  isFinal: true,
  view: () => <p>{useTexts(null).t(DELETE_TEXT, { count: 1 })}</p>,
  fields: ({ data: { visits } }) => <VisitsChoice action="delete" count={visits} />,
  run: async (request, { short }, submitted) => {
    const { services: { links }, t } = request;
    const areVisitsDeleted = submitted.text("visits") === "delete";
    const { missing } = await deleteLinks(links, { shorts: [short], areVisitsDeleted }, linkActorOf(request));
    if (missing.length > 0) throw new FormRefusal({ form: t(GONE) });
    return { flash: t("Link deleted."), to: "/admin/links" };
  },
});
