import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinksData } from "@/lib/admin/links/links_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { Link } from "../../Link.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { FilterField, FilterForm, FilterSelect } from "../FilterForm.tsx";
import { BulkForm } from "./BulkForm.tsx";
import { LinkTable } from "./LinkTable.tsx";
import { ShortenPanel } from "./ShortenPanel.tsx";

const STATUSES = ["active", "disabled", "expired", "used_up"] as const;

/** Renders the links of the server: a form for a new one, the search, the list and the form for several. */
export function LinksPage({ data, refused }: AdminPageData<LinksData>) {
  const { messages } = useAdmin();
  const text = messages.links;
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={text.lede}
        actions={
          <div class="flex flex-wrap gap-3">
            <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/stats">{text.statistics}</Link>
            <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/links/hosts">{text.hostsLink}</Link>
          </div>
        }
      />
      <ShortenPanel refused={refused} limit={data.limits.url} />
      <section aria-labelledby="links-title" id="links">
        <h2 id="links-title" class="mb-3">{text.listTitle}</h2>
        <Search data={data} />
        <Found data={data} />
        {data.links.length === 0 ? <Empty isFiltered={data.paths.clear !== null} /> : (
          <>
            <LinkTable data={data} refused={refused} />
            <Pages paths={data.paths} />
            <BulkForm data={data} refused={refused} />
          </>
        )}
      </section>
    </>
  );
}

function Search({ data: { query, paths } }: { data: LinksData }) {
  const { messages } = useAdmin();
  const text = messages.links;
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
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  if (total === null) return null;
  return (
    <p class="mb-1 max-w-[70ch] text-small text-soft">
      {formatter.t(text.found, { count: total })}
      {!isComplete && <span class="block">{formatter.t(text.partial, { limit: limits.compared })}</span>}
    </p>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  const { messages } = useAdmin();
  const text = messages.links;
  return isFiltered
    ? <EmptyState title={text.emptySearch}>{text.emptySearchAdvice}</EmptyState>
    : <EmptyState title={text.empty}>{text.emptyAdvice}</EmptyState>;
}

function Pages({ paths: { first, next } }: Pick<LinksData, "paths">) {
  const { messages } = useAdmin();
  if (first === null && next === null) return null;
  const look = "link inline-flex min-h-11 items-center";
  return (
    <nav aria-label={messages.links.listTitle} class="mt-3 flex flex-wrap gap-x-5 gap-y-2 text-small">
      {first !== null && <Link class={look} href={first}>{messages.common.firstPage}</Link>}
      {next !== null && <Link class={look} href={next}>{messages.common.nextPage}</Link>}
    </nav>
  );
}
