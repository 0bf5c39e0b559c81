import { GONE } from "@/lib/ui/texts.ts";
import { Link } from "@/components/Link.tsx";
import { ExportButton } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FilterField, FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { LIST_ID } from "@/components/admin/Table.tsx";
import { useDraft } from "@/components/admin/form_state.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { findPastedLink, storeLink } from "@/lib/links/actions.ts";
import { updateLinks } from "@/lib/links/manage/update_links.ts";
import { findUrlProblem, MAX_URL_LENGTH, requireNoProblem } from "@/lib/links/params.ts";
import { MAX_COMPARED } from "@/lib/links/search/candidates.ts";
import { findLinks } from "@/lib/links/search/find_links.ts";
import { LINK_STATUSES } from "@/lib/links/search/link_query.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { text as textField } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { changeSelected, deleteSelected, SelectedLinks } from "./change_selected.tsx";
import { exportLinks } from "./export_links.ts";
import { LinkTable } from "./link_table.tsx";
import { PAGE_LINKS, readListQuery, readSearch, toListPath } from "./list_query.ts";
import { LINK_STATES, linkActorOf, linkPath, toShownLink } from "./shown_link.tsx";

const texts = {
  found: { one: "{count} link found", other: "{count} links found" },
  partial:
    "There may be more: over {limit} links contain these words, or new links are not indexed yet. Enter further words, or search again in a moment.",
};

type LinksData = Awaited<ReturnType<typeof loadLinks>>;

async function loadLinks(request: AdminRequest) {
  const { services, chat, realm } = request;
  const query = await readSearch(request);
  const { links, ...found } = await findLinks(services.links, { ...query, limit: PAGE_LINKS });
  const { byId: users } = await readDirectory(chat, realm.id);
  return { ...found, query, users, links: links.map((link) => toShownLink(request, link)) };
}

const shorten = form({
  action: "shorten",
  button: "Shorten",
  fields: {
    url: textField({
      label: "Long URL",
      hint: "Any absolute URL of up to {count} characters.",
      max: MAX_URL_LENGTH,
      type: "url",
      isExact: true,
    }),
  },
  run: async (request, { url }) => {
    const { services: { links }, realm, user } = request;
    requireNoProblem({ url: findUrlProblem(url) });
    const { short } = await storeLink(links, { url }, { realmId: realm.id, userId: user.id });
    return { flash: request.t("Short link created."), to: linkPath(short) };
  },
});

/** The forms that disable and enable the link that they name. */
export const switchLink = [true, false].map((isDisabled) =>
  form({
    action: isDisabled ? "disable" : "enable",
    run: async (request, _, submitted) => {
      const { services: { links }, t } = request;
      const shorts = [submitted.text("short")];
      const { missing } = await updateLinks(links, { shorts, patch: { isDisabled } }, linkActorOf(request));
      if (missing.length > 0) throw new FormRefusal({ form: t(GONE) });
      return { flash: t(isDisabled ? "Link disabled. It leads nowhere now." : "Link enabled.") };
    },
  })
);

/** The page of links: a form for a new one, the search, the list and the form for the selected ones. */
export const linksPage = adminPage({
  path: "/admin/links",
  find: { words: "shorten url qr tags expire" },
  load: loadLinks,
  // A short link pasted into the search leads to its page.
  redirect: async ({ query, services }) => {
    const { q } = readListQuery(query);
    const link = q === "" ? null : await findPastedLink(services.links, q);
    return link === null || link.deletedAt !== undefined ? null : linkPath(link.short);
  },
  title: "Short links",
  lede: "Find, copy, describe, disable and delete the short links of this server.",
  actions: () => {
    const { t } = useTexts(null);
    return (
      <div class="flex flex-wrap items-center gap-3">
        <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/stats">{t("Statistics")}</Link>
        <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/links/hosts">{t("Blocked hosts")}</Link>
        <ExportButton />
      </div>
    );
  },
  forms: [shorten, ...switchLink, changeSelected, deleteSelected, exportLinks],
  view: ({ data }) => {
    const { t } = useTexts(null);
    const { links, query: { q, host, status, order } } = data;
    const isFiltered = q !== "" || host !== "" || status !== undefined;
    return useDraft(changeSelected) ?? (
      <>
        <Panel title={t("Shorten a URL")}>
          <Form of={shorten} />
        </Panel>
        <section aria-labelledby="links-title">
          <h2 id="links-title" class="mb-3">{t("Short links")}</h2>
          <Search data={data} clearPath={isFiltered ? toListPath({ order }) : null} />
          {links.length > 0
            ? (
              <>
                <LinkTable {...data} />
                <SelectedLinks />
              </>
            )
            : isFiltered
            ? (
              <EmptyState title={t("No links match.")}>
                {t("Check the spelling, use fewer words, or clear the search.")}
              </EmptyState>
            )
            : (
              <EmptyState title={t("There are no short links yet.")}>
                {t("Create the first one above, or send a URL to the API.")}
              </EmptyState>
            )}
          <Pages data={data} />
        </section>
      </>
    );
  },
});

function Search({ data: { query, total, isComplete }, clearPath }: {
  data: LinksData;
  clearPath: string | null;
}) {
  const { text, t } = useTexts(texts);
  const { q, host, status = "", order } = query;
  const states = LINK_STATUSES.map((status) => [status, t(LINK_STATES[status])] as const);
  return (
    <>
      <FilterForm
        clearPath={clearPath}
        button={t("Search")}
        hidden={order === "newest" ? {} : { order }}
      >
        <FilterField name="q" label={t("Search")} value={q} />
        <FilterField name="host" label={t("Host")} value={host} />
        <FilterSelect
          name="status"
          label={t("Status")}
          value={status}
          choices={new Map([["", t("All")], ...states])}
        />
      </FilterForm>
      <p class="-mt-2 mb-4 max-w-[64ch] text-small text-soft">
        {t("Words of the URL, the title or tags, #tag for a tag, or a pasted short link.")}
      </p>
      <p data-found role="status" class="mb-1 max-w-[70ch] text-small text-soft empty:hidden">
        {total !== null && t(text.found, { count: total })}
        {total !== null && !isComplete && (
          <span class="block">{t(text.partial, { limit: MAX_COMPARED })}</span>
        )}
      </p>
    </>
  );
}

function Pages({ data: { query, next } }: { data: LinksData }) {
  const { t } = useTexts(null);
  const isFirst = query.cursor === undefined;
  if (isFirst && next === null) return null;
  const look = "link inline-flex min-h-11 items-center";
  const toHref = (cursor?: string) => `${toListPath({ ...query, cursor })}#${LIST_ID}`;
  return (
    <nav aria-label={t("Short links")} class="mt-3 flex flex-wrap gap-x-5 gap-y-2 text-small">
      {!isFirst && <Link class={look} href={toHref()}>{t("First page")}</Link>}
      {next !== null && <Link class={look} href={toHref(next)}>{t("Next page")}</Link>}
    </nav>
  );
}
