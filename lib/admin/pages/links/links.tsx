import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FilterField, FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { useFormState } from "@/components/admin/form_state.ts";
import { MAX_CHANGED_LINKS } from "@/lib/links/manage/link_schemas.ts";
import { LINK_LIMITS } from "@/lib/links/manage/properties.ts";
import { updateLinks } from "@/lib/links/manage/update_links.ts";
import { MAX_URL_LENGTH } from "@/lib/links/params.ts";
import { MAX_COMPARED } from "@/lib/links/search/candidates.ts";
import { findLinks } from "@/lib/links/search/find_links.ts";
import { findPastedLink } from "@/lib/links/actions.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { toVisible } from "@/lib/ui/short_link.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { type Done, FormRefusal } from "../../admin_page.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { Table } from "../../declare/list.tsx";
import { adminPage } from "../../declare/page.tsx";
import { useTexts } from "../../declare/texts.ts";
import type { FormFields } from "../../form_fields.ts";
import { BULK_FORM, BulkForm, changeSelected } from "./change_selected.tsx";
import { type ListQuery, PAGE_LINKS, readListQuery, toListPath, toSearchRequest } from "./list_query.ts";
import { shortenForm, ShortenPanel } from "./shorten.tsx";
import {
  linkActorOf,
  LinkCreatorName,
  linkPath,
  type ShownLink,
  StatusText,
  TagList,
  toShownLinks,
} from "./shown_link.tsx";

const texts = {
  statistics: "Statistics",
  hostsLink: "Blocked hosts",
  search: "Search",
  searchHint: "Words of the URL, the title or tags, #tag for a tag, or a pasted short link.",
  host: "Host",
  status: "Status",
  statuses: {
    all: "All",
    active: "Active",
    disabled: "Disabled",
    expired: "Expired",
    used_up: "Used up",
  },
  apply: "Search",
  found: { one: "{count} link found", other: "{count} links found" },
  partial:
    "There may be more: over {limit} links contain these words, or new links are not indexed yet. Enter further words, or search again in a moment.",
  listTitle: "Short links",
  link: "Link",
  visits: "Visits",
  created: "Created",
  visitsOf: "{count} of {max}",
  selectLink: "Select {name}",
  disable: "Disable",
  enable: "Enable",
  remove: "Delete",
  disabled: "Link disabled. It answers 410 now.",
  enabled: "Link enabled.",
  empty: "There are no short links yet.",
  emptyAdvice: "Create the first one above, or send a URL to the API.",
  emptySearch: "No links match.",
  emptySearchAdvice: "Check the spelling, use fewer words, or clear the search.",
};

type LinksData = Awaited<ReturnType<typeof loadLinks>>;

/** Addresses of the same list in other orders and of its other pages. */
interface LinkListPaths {
  readonly byCreation: string;
  readonly byVisits: string;
  /** Null on the first page. */
  readonly first: string | null;
  /** Null on the last page. */
  readonly next: string | null;
  /** The list without a filter; null if there is none. */
  readonly clear: string | null;
}

async function loadLinks(request: AdminRequest) {
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
      compared: MAX_COMPARED,
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
  const { services: { links }, t, messages } = request;
  const shorts = [fields.text("short")];
  const { missing } = await updateLinks(links, { shorts, patch: { isDisabled } }, linkActorOf(request));
  if (missing.length > 0) throw new FormRefusal({ form: messages.common.gone });
  return { flash: t(isDisabled ? texts.disabled : texts.enabled) };
}

const STATUSES = ["active", "disabled", "expired", "used_up"] as const;

/** The page of links: a form for a new one, the search, the list and the form for several. */
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
  lede: "Find, describe, disable and delete the short links of this server.",
  actions: () => {
    const { text } = useTexts(texts);
    return (
      <div class="flex flex-wrap gap-3">
        <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/stats">{text.statistics}</Link>
        <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/links/hosts">{text.hostsLink}</Link>
      </div>
    );
  },
  forms: [
    shortenForm(linkPath),
    { action: "disable", run: (request, fields) => switchLink(request, fields, true) },
    { action: "enable", run: (request, fields) => switchLink(request, fields, false) },
    { action: "change_selected", run: changeSelected, fields: { tags: "tag" } },
  ],
  view: ({ data }) => {
    const { text } = useTexts(texts);
    return (
      <>
        <ShortenPanel limit={data.limits.url} />
        <section aria-labelledby="links-title" id="links">
          <h2 id="links-title" class="mb-3">{text.listTitle}</h2>
          <Search data={data} />
          <Found data={data} />
          {data.links.length === 0 ? <Empty isFiltered={data.paths.clear !== null} /> : (
            <>
              <LinkTable data={data} />
              <Pages paths={data.paths} />
              <BulkForm limits={data.limits} />
            </>
          )}
        </section>
      </>
    );
  },
});

function Search({ data: { query, paths } }: { data: LinksData }) {
  const { text } = useTexts(texts);
  const statuses = Object.fromEntries(STATUSES.map((status) => [status, text.statuses[status]]));
  return (
    <>
      <FilterForm
        clearPath={paths.clear}
        button={text.apply}
        hidden={query.order === "newest" ? {} : { order: query.order }}
      >
        <FilterField name="q" label={text.search} value={query.text} />
        <FilterField name="host" label={text.host} value={query.host} />
        <FilterSelect
          name="status"
          label={text.status}
          value={query.status ?? ""}
          choices={{ "": text.statuses.all, ...statuses }}
        />
      </FilterForm>
      <p class="-mt-2 mb-4 max-w-[64ch] text-small text-soft">{text.searchHint}</p>
    </>
  );
}

function Found({ data: { total, isComplete, limits } }: { data: LinksData }) {
  const { text, t } = useTexts(texts);
  if (total === null) return null;
  return (
    <p class="mb-1 max-w-[70ch] text-small text-soft">
      {t(text.found, { count: total })}
      {!isComplete && <span class="block">{t(text.partial, { limit: limits.compared })}</span>}
    </p>
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
      {first !== null && <Link class={look} href={first}>{messages.common.firstPage}</Link>}
      {next !== null && <Link class={look} href={next}>{messages.common.nextPage}</Link>}
    </nav>
  );
}

const SHOWN_CHARACTERS = 52;

/** Renders the list of links with the actions of each. */
function LinkTable({ data: { links, query: { order }, paths } }: { data: LinksData }) {
  const { text, t, formatter } = useTexts(texts);
  const bulk = useFormState({ action: "change_selected" });
  return (
    <Table
      caption={text.listTitle}
      items={links}
      keyOf={({ short }) => encodeURIComponent(short)}
      isFaint={({ status }) => status !== "active"}
      columns={[
        {
          title: text.link,
          cell: (link) => <LinkCell link={link} isSelected={bulk.holds("short", link.short, [])} />,
        },
        { title: text.status, isShort: true, cell: (link) => <StatusText link={link} /> },
        {
          title: text.visits,
          isAtEnd: true,
          isShort: true,
          sortPath: paths.byVisits,
          sorted: order === "visits" ? "descending" : undefined,
          cell: ({ visits: count, maxVisits: max }) =>
            max === null ? formatter.number(count) : t(text.visitsOf, { count, max }),
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

function nameOf({ title, url }: ShownLink): string {
  return title === "" ? cutMiddle(toVisible(url), SHOWN_CHARACTERS) : title;
}

function LinkCell({ link, isSelected }: { link: ShownLink; isSelected: boolean }) {
  const { text, t } = useTexts(texts);
  const name = nameOf(link);
  return (
    <div class="flex min-w-0 items-start gap-x-3">
      <input
        type="checkbox"
        name="short"
        value={link.short}
        form={BULK_FORM}
        defaultChecked={isSelected}
        aria-label={t(text.selectLink, { name })}
        class="mt-0.5 size-5 flex-none accent-ink"
      />
      <div class="grid min-w-0 gap-y-1">
        <Link
          class="link inline-flex min-h-6 items-center"
          href={`/admin/links/${encodeURIComponent(link.short)}`}
          title={link.url}
        >
          <bdi>
            <BreakableText text={name} />
          </bdi>
        </Link>
        {link.title !== "" && (
          <bdi class="text-small text-soft">
            <BreakableText text={cutMiddle(toVisible(link.url), SHOWN_CHARACTERS)} />
          </bdi>
        )}
        <TagList tags={link.tags} />
      </div>
    </div>
  );
}

function Created({ link: { createdAt, creator } }: { link: ShownLink }) {
  const { formatter } = useAdmin();
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
  const { text } = useTexts(texts);
  const { short, isDisabled } = link;
  const label = isDisabled ? text.enable : text.disable;
  const name = nameOf(link);
  return (
    <>
      <ActionButton action={isDisabled ? "enable" : "disable"} fields={{ short }} label={`${label}: ${name}`}>
        {label}
      </ActionButton>
      <ActionLink href={`/admin/links/${encodeURIComponent(short)}/delete`} about={name}>
        {text.remove}
      </ActionLink>
    </>
  );
}
