import { GONE } from "@/lib/ui/texts.ts";
import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { LIST_ID } from "@/components/admin/Table.tsx";
import { FilterField, FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { useDraft } from "@/components/admin/form_state.ts";
import CopyLinks from "@/islands/admin/CopyLinks.tsx";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { findPastedLink, storeLink } from "@/lib/links/actions.ts";
import { updateLinks } from "@/lib/links/manage/update_links.ts";
import { findUrlProblem, MAX_URL_LENGTH, requireNoProblem } from "@/lib/links/params.ts";
import { LINK_STATUSES } from "@/lib/links/search/link_query.ts";
import { MAX_COMPARED } from "@/lib/links/search/candidates.ts";
import { findLinks } from "@/lib/links/search/find_links.ts";
import { QUIET_BUTTON, TEXT_FIELD, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { toPlainLink, toVisible } from "@/lib/ui/short_link.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { text as textField } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { exportLinks } from "./export_links.ts";
import { changeSelected, deleteSelected, SelectedLinks, useSelection } from "./change_selected.tsx";
import { PAGE_LINKS, readListQuery, readSearch, toListPath } from "./list_query.ts";
import {
  LINK_STATES,
  linkActorOf,
  LinkCreatorName,
  linkPath,
  nameOf,
  type ShownLink,
  StatusText,
  toShownLink,
  VisitCount,
} from "./shown_link.tsx";

const texts = {
  found: { one: "{count} link found", other: "{count} links found" },
  partial:
    "There may be more: over {limit} links contain these words, or new links are not indexed yet. Enter further words, or search again in a moment.",
};

type LinksData = Awaited<ReturnType<typeof loadLinks>>;

async function loadLinks(request: AdminRequest) {
  const { services, chat, realm } = request;
  const query = await readSearch(request);
  const { q, host, status, order, cursor } = query;
  const found = await findLinks(services.links, { ...query, limit: PAGE_LINKS });
  const first = { ...query, cursor: undefined };
  return {
    ...{ query, total: found.total, isComplete: found.isComplete },
    links: found.links.map((link) => toShownLink(request, link)),
    users: (await readDirectory(chat, realm.id)).byId,
    /** Addresses of the list in other orders, of its other pages and without a filter; null for none. */
    paths: {
      byCreation: toListPath({ ...first, order: order === "newest" ? "oldest" : "newest" }),
      byVisits: toListPath({ ...first, order: "visits" }),
      first: cursor === undefined ? null : toListPath(first),
      next: found.next === null ? null : toListPath({ ...query, cursor: found.next }),
      clear: q !== "" || host !== "" || status !== undefined ? toListPath({ order }) : null,
    },
  };
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
        <ActionButton action={exportLinks.action} fields={{}}>{t("Export CSV")}</ActionButton>
      </div>
    );
  },
  forms: [shorten, ...switchLink, changeSelected, deleteSelected, exportLinks],
  view: ({ data }) => {
    const { t } = useTexts(null);
    const { links, paths: { clear, first, next } } = data;
    const look = "link inline-flex min-h-11 items-center";
    return useDraft(changeSelected) ?? (
      <>
        <Panel title={t("Shorten a URL")}>
          <Form of={shorten} />
        </Panel>
        <section aria-labelledby="links-title">
          <h2 id="links-title" class="mb-3">{t("Short links")}</h2>
          <Search data={data} />
          {links.length > 0
            ? (
              <>
                <CopyLinks done={t("Short link copied.")} />
                <LinkTable data={data} />
                <SelectedLinks />
              </>
            )
            : clear === null
            ? (
              <EmptyState title={t("There are no short links yet.")}>
                {t("Create the first one above, or send a URL to the API.")}
              </EmptyState>
            )
            : (
              <EmptyState title={t("No links match.")}>
                {t("Check the spelling, use fewer words, or clear the search.")}
              </EmptyState>
            )}
          {(first !== null || next !== null) && (
            <nav aria-label={t("Short links")} class="mt-3 flex flex-wrap gap-x-5 gap-y-2 text-small">
              {first !== null && <Link class={look} href={`${first}#${LIST_ID}`}>{t("First page")}</Link>}
              {next !== null && <Link class={look} href={`${next}#${LIST_ID}`}>{t("Next page")}</Link>}
            </nav>
          )}
        </section>
      </>
    );
  },
});

function Search({ data: { query, paths, total, isComplete } }: { data: LinksData }) {
  const { text, t } = useTexts(texts);
  const states = new Map([
    ["", t("All")],
    ...LINK_STATUSES.map((status): [string, string] => [status, t(LINK_STATES[status])]),
  ]);
  return (
    <>
      <FilterForm
        clearPath={paths.clear}
        button={t("Search")}
        hidden={query.order === "newest" ? {} : { order: query.order }}
      >
        <FilterField name="q" label={t("Search")} value={query.q} />
        <FilterField name="host" label={t("Host")} value={query.host} />
        <FilterSelect name="status" label={t("Status")} value={query.status ?? ""} choices={states} />
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

/** Renders the list of links with the actions of each. */
function LinkTable({ data: { links, users, query: { order }, paths } }: { data: LinksData }) {
  const { t, formatter } = useTexts(null);
  return (
    <Table
      caption={t("Short links")}
      items={links}
      isFaint={({ status }) => status !== "active"}
      selection={useSelection()}
      columns={[
        { title: t("Link"), cell: (link) => <LinkCell link={link} /> },
        { title: t("Status"), isShort: true, cell: (link) => <StatusText link={link} /> },
        {
          title: t("Visits"),
          isAtEnd: true,
          isShort: true,
          sortPath: paths.byVisits,
          sorted: order === "visits" ? "descending" : undefined,
          cell: (link) => (
            <span class="grid">
              <VisitCount link={link} />
              {link.last !== null && (
                <span class="text-small text-soft">
                  {t("latest {date}", { date: formatter.date(link.last) })}
                </span>
              )}
            </span>
          ),
        },
        {
          title: t("Created"),
          isShort: true,
          sortPath: paths.byCreation,
          sorted: order === "visits" ? undefined : order === "newest" ? "descending" : "ascending",
          cell: ({ createdAt, creator }) => (
            <span class="grid">
              {formatter.date(createdAt)}
              {creator !== undefined && (
                <span class="text-small text-soft">
                  <LinkCreatorName creator={creator} users={users} />
                </span>
              )}
            </span>
          ),
        },
      ]}
      actions={(link, at) => <Actions link={link} at={at} />}
    />
  );
}

const SHOWN_CHARACTERS = 52;

function LinkCell({ link }: { link: ShownLink }) {
  return (
    <div class="grid min-w-0 gap-y-1">
      <Link class="link inline-flex min-h-6 items-center" href={linkPath(link.short)} title={link.url}>
        <bdi>
          <BreakableText text={nameOf(link)} />
        </bdi>
      </Link>
      {link.title !== undefined && (
        <bdi class="text-small text-soft">
          <BreakableText text={cutMiddle(toVisible(link.url), SHOWN_CHARACTERS)} />
        </bdi>
      )}
      {link.tags !== undefined && (
        <ul class="flex flex-wrap gap-x-3 text-small">
          {link.tags.map((tag) => (
            <li key={tag}>
              <Link
                class="inline-flex min-h-6 items-center text-soft hover:text-ink"
                href={`/admin/links?q=${encodeURIComponent(/\s/.test(tag) ? tag : `#${tag}`)}#${LIST_ID}`}
              >
                <bdi>#{tag}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Actions({ link, at }: { link: ShownLink; at: number }) {
  const { t } = useTexts(null);
  const { short, isDisabled } = link;
  const label = t(isDisabled ? "Enable" : "Disable");
  const name = nameOf(link);
  const plain = toPlainLink(link);
  const qr = `qr-${at}`;
  return (
    <>
      <input
        readOnly
        value={plain}
        aria-label={`${t("Short link to copy")}: ${name}`}
        class={`${TEXT_FIELD} max-w-44 not-noscript:hidden`}
      />
      <button
        type="button"
        data-copy={plain}
        aria-label={`${t("Copy")}: ${name}`}
        class={`${WORD_BUTTON} noscript:hidden`}
      >
        {t("Copy")}
      </button>
      <button type="button" popovertarget={qr} aria-label={`${t("QR code")}: ${name}`} class={WORD_BUTTON}>
        {t("QR code")}
      </button>
      <div id={qr} popover="auto" class="m-auto rounded-panel border border-edge bg-raised p-5">
        {/* The browser loads it once it is shown. */}
        <img
          loading="lazy"
          width="240"
          height="240"
          src={`${linkPath(short)}/qr`}
          alt={t("QR code of the short link")}
        />
      </div>
      <ActionButton action={isDisabled ? "enable" : "disable"} fields={{ short }} label={`${label}: ${name}`}>
        {label}
      </ActionButton>
      <ActionLink href={`${linkPath(short)}/delete`} about={name}>{t("Delete")}</ActionLink>
    </>
  );
}
