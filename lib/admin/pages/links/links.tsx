import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { LIST_ID } from "@/components/admin/Table.tsx";
import { FilterField, FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { useDraft } from "@/components/admin/form_state.ts";
import CopyLinks from "@/islands/admin/CopyLinks.tsx";
import { findPastedLink, storeLink } from "@/lib/links/actions.ts";
import { updateLinks } from "@/lib/links/manage/update_links.ts";
import { findUrlProblem, MAX_URL_LENGTH } from "@/lib/links/params.ts";
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
import { changeSelected, deleteSelected, SelectedLinks, useSelection } from "./change_selected.tsx";
import { PAGE_LINKS, readListQuery, toListPath, toSearchRequest } from "./list_query.ts";
import {
  LINK_TEXTS,
  linkActorOf,
  LinkCreatorName,
  linkPath,
  nameOf,
  type ShownLink,
  StatusText,
  toShownLinks,
  VisitCount,
} from "./shown_link.tsx";

const texts = {
  ...LINK_TEXTS,
  createTitle: "Shorten a URL",
  made: "Short link created.",
  statistics: "Statistics",
  hostsLink: "Blocked hosts",
  search: "Search",
  searchHint: "Words of the URL, the title or tags, #tag for a tag, or a pasted short link.",
  statuses: {
    "": "All",
    active: "Active",
    disabled: "Disabled",
    expired: "Expired",
    used_up: "Used up",
  },
  found: { one: "{count} link found", other: "{count} links found" },
  partial:
    "There may be more: over {limit} links contain these words, or new links are not indexed yet. Enter further words, or search again in a moment.",
  listTitle: "Short links",
  link: "Link",
  toCopy: "Short link to copy",
  copied: "Short link copied.",
  qr: "QR code",
  last: "latest {date}",
  disabled: "Link disabled. It leads nowhere now.",
  enabled: "Link enabled.",
  empty: "There are no short links yet.",
  emptyAdvice: "Create the first one above, or send a URL to the API.",
  emptySearch: "No links match.",
  emptySearchAdvice: "Check the spelling, use fewer words, or clear the search.",
};

type LinksData = Awaited<ReturnType<typeof loadLinks>>;

async function loadLinks(request: AdminRequest) {
  const query = readListQuery(request.query);
  const { links, next, total, isComplete } = await findLinks(
    request.services.links,
    toSearchRequest(query, PAGE_LINKS),
  );
  const first = { ...query, cursor: null };
  const isFiltered = query.text !== "" || query.host !== "" || query.status !== null;
  return {
    ...{ query, total, isComplete },
    links: await toShownLinks(request, links),
    /** Addresses of the list in other orders, of its other pages and without a filter; null for none. */
    paths: {
      byCreation: toListPath({ ...first, order: query.order === "newest" ? "oldest" : "newest" }),
      byVisits: toListPath({ ...first, order: "visits" }),
      first: query.cursor === null ? null : toListPath(first),
      next: next === null ? null : toListPath({ ...query, cursor: next }),
      clear: isFiltered ? toListPath({ ...first, text: "", host: "", status: null }) : null,
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
  parameters: { url: "url" },
  check: ({ url }) => {
    const problem = findUrlProblem(url);
    return problem === null ? {} : { url: problem };
  },
  run: async (request, { url }) => {
    const { creator } = linkActorOf(request);
    const { short } = await storeLink(request.services.links, { url }, creator);
    return { flash: request.t(texts.made), to: linkPath(short) };
  },
});

/** The forms that disable and enable the link that they name. */
export const switchLink = [true, false].map((isDisabled) =>
  form({
    action: isDisabled ? "disable" : "enable",
    run: async (request, _, submitted) => {
      const { services: { links }, t, messages } = request;
      const shorts = [submitted.text("short")];
      const { missing } = await updateLinks(links, { shorts, patch: { isDisabled } }, linkActorOf(request));
      if (missing.length > 0) throw new FormRefusal({ form: messages.common.gone });
      return { flash: t(isDisabled ? texts.disabled : texts.enabled) };
    },
  })
);

/** The page of links: a form for a new one, the search, the list and the form for the selected ones. */
export const linksPage = adminPage({
  path: "/admin/links",
  load: loadLinks,
  // A short link pasted into the search leads to its page.
  redirect: async ({ query, services }) => {
    const { text } = readListQuery(query);
    const link = text === "" ? null : await findPastedLink(services.links, text);
    return link === null || link.deletedAt !== undefined ? null : linkPath(link.short);
  },
  title: "Short links",
  lede: "Find, copy, describe, disable and delete the short links of this server.",
  actions: () => {
    const { text } = useTexts(texts);
    return (
      <div class="flex flex-wrap gap-3">
        <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/stats">{text.statistics}</Link>
        <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/links/hosts">{text.hostsLink}</Link>
      </div>
    );
  },
  forms: [shorten, ...switchLink, changeSelected, deleteSelected],
  view: ({ data }) => {
    const { text } = useTexts(texts);
    return useDraft(changeSelected) ?? (
      <>
        <Panel title={text.createTitle}>
          <Form of={shorten} />
        </Panel>
        <section aria-labelledby="links-title">
          <h2 id="links-title" class="mb-3">{text.listTitle}</h2>
          <Search data={data} />
          {data.links.length === 0 ? <Empty isFiltered={data.paths.clear !== null} /> : (
            <>
              <CopyLinks done={text.copied} />
              <LinkTable data={data} />
              <SelectedLinks />
              <Pages paths={data.paths} />
            </>
          )}
        </section>
      </>
    );
  },
});

function Search({ data: { query, paths, total, isComplete } }: { data: LinksData }) {
  const { text, t } = useTexts(texts);
  return (
    <>
      <FilterForm
        clearPath={paths.clear}
        button={text.search}
        hidden={query.order === "newest" ? {} : { order: query.order }}
      >
        <FilterField name="q" label={text.search} value={query.text} />
        <FilterField name="host" label={text.host} value={query.host} />
        <FilterSelect name="status" label={text.status} value={query.status ?? ""} choices={text.statuses} />
      </FilterForm>
      <p class="-mt-2 mb-4 max-w-[64ch] text-small text-soft">{text.searchHint}</p>
      {total !== null && (
        <p class="mb-1 max-w-[70ch] text-small text-soft">
          {t(text.found, { count: total })}
          {!isComplete && <span class="block">{t(text.partial, { limit: MAX_COMPARED })}</span>}
        </p>
      )}
    </>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const { text } = useTexts(texts);
  return isFiltered
    ? <EmptyState title={text.emptySearch}>{text.emptySearchAdvice}</EmptyState>
    : <EmptyState title={text.empty}>{text.emptyAdvice}</EmptyState>;
}

function Pages({ paths: { first, next } }: Pick<LinksData, "paths">) {
  const { text, messages } = useTexts(texts);
  if (first === null && next === null) return null;
  const look = "link inline-flex min-h-11 items-center";
  return (
    <nav aria-label={text.listTitle} class="mt-3 flex flex-wrap gap-x-5 gap-y-2 text-small">
      {first !== null && <Link class={look} href={`${first}#${LIST_ID}`}>{messages.common.firstPage}</Link>}
      {next !== null && <Link class={look} href={`${next}#${LIST_ID}`}>{messages.common.nextPage}</Link>}
    </nav>
  );
}

/** Renders the list of links with the actions of each. */
function LinkTable({ data: { links, query: { order }, paths } }: { data: LinksData }) {
  const { text } = useTexts(texts);
  return (
    <Table
      caption={text.listTitle}
      items={links}
      keyOf={({ short }) => encodeURIComponent(short)}
      isFaint={({ status }) => status !== "active"}
      selection={useSelection()}
      columns={[
        { title: text.link, cell: (link) => <LinkCell link={link} /> },
        { title: text.status, isShort: true, cell: (link) => <StatusText link={link} /> },
        {
          title: text.visits,
          isAtEnd: true,
          isShort: true,
          sortPath: paths.byVisits,
          sorted: order === "visits" ? "descending" : undefined,
          cell: (link) => <Visits link={link} />,
        },
        {
          title: text.created,
          isShort: true,
          sortPath: paths.byCreation,
          sorted: order === "visits" ? undefined : order === "newest" ? "descending" : "ascending",
          cell: (link) => <Created link={link} />,
        },
      ]}
      actions={(link) => <Actions link={link} />}
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
      {link.title !== "" && (
        <bdi class="text-small text-soft">
          <BreakableText text={cutMiddle(toVisible(link.url), SHOWN_CHARACTERS)} />
        </bdi>
      )}
      {link.tags.length > 0 && (
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

function Visits({ link }: { link: ShownLink }) {
  const { text, t, formatter } = useTexts(texts);
  const { last } = link;
  return (
    <span class="grid">
      <VisitCount link={link} />
      {last !== null && (
        <span class="text-small text-soft">{t(text.last, { date: formatter.date(last) })}</span>
      )}
    </span>
  );
}

function Created({ link: { createdAt, creator } }: { link: ShownLink }) {
  const { formatter } = useTexts(texts);
  return (
    <span class="grid">
      {formatter.date(createdAt)}
      {creator !== null && (
        <span class="text-small text-soft">
          <LinkCreatorName creator={creator} />
        </span>
      )}
    </span>
  );
}

function Actions({ link }: { link: ShownLink }) {
  const { text, messages: { common } } = useTexts(texts);
  const { short, isDisabled } = link;
  const label = isDisabled ? text.enable : text.disable;
  const name = nameOf(link);
  const plain = toPlainLink(link);
  const qr = `qr-${encodeURIComponent(short)}`;
  return (
    <>
      <input
        readOnly
        value={plain}
        aria-label={`${text.toCopy}: ${name}`}
        class={`${TEXT_FIELD} max-w-44 not-noscript:hidden`}
      />
      <button
        type="button"
        data-copy={plain}
        aria-label={`${common.copy}: ${name}`}
        class={`${WORD_BUTTON} noscript:hidden`}
      >
        {common.copy}
      </button>
      <button type="button" popovertarget={qr} aria-label={`${text.qr}: ${name}`} class={WORD_BUTTON}>
        {text.qr}
      </button>
      <div id={qr} popover="auto" class="m-auto rounded-panel border border-edge bg-raised p-5">
        {/* The browser loads it once it is shown. */}
        <img loading="lazy" width="240" height="240" src={`${linkPath(short)}/qr`} alt={text.qrLabel} />
      </div>
      <ActionButton action={isDisabled ? "enable" : "disable"} fields={{ short }} label={`${label}: ${name}`}>
        {label}
      </ActionButton>
      <ActionLink href={`${linkPath(short)}/delete`} about={name}>{common.delete}</ActionLink>
    </>
  );
}
