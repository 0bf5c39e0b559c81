import LinkifierOrder from "@/islands/admin/linkifiers/LinkifierOrder.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinkifiersData } from "@/lib/admin/linkifiers/linkifiers_page.ts";
import { FIELD_LABEL, PRIMARY_BUTTON, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { ActionButton } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { LinkifierTable } from "./LinkifierTable.tsx";
import { TemplateList } from "./TemplateList.tsx";
import { Link } from "../../Link.tsx";

const LIST = "/admin/linkifiers";
const ROWS = "linkifiers";

/** Renders the list of linkifiers in order, with controls to create and change them. */
export function LinkifiersPage({ data, refused }: AdminPageData<LinkifiersData>) {
  const { messages } = useAdmin();
  const text = messages.linkifiers;
  const general = Object.values(refused?.problems ?? {}).join(" ");
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={text.lede}
        actions={!data.isFull && (
          <div class="flex flex-wrap gap-3">
            <Link class={`${QUIET_BUTTON} no-underline`} href={`${LIST}/import`}>{text.import.link}</Link>
            {data.total > 0 && (
              <Link class={`${PRIMARY_BUTTON} no-underline`} href={`${LIST}/new`}>{text.add}</Link>
            )}
          </div>
        )}
      />
      {general !== "" && (
        <p role="alert" class="mb-6 rounded-control bg-wash px-4 py-2.5 text-accent">{general}</p>
      )}
      {data.isFull && <p class="mb-6 text-small text-soft">{text.full}</p>}
      {data.total === 0 ? <NoLinkifiers data={data} /> : (
        <>
          <SearchForm search={data.search} />
          <Found data={data} />
        </>
      )}
    </>
  );
}

function NoLinkifiers({ data }: { data: LinkifiersData }) {
  const { linkifiers: text } = useAdmin().messages;
  return (
    <EmptyState title={text.empty}>
      <p class="mb-2">{text.emptyAdvice}</p>
      <TemplateList templates={data.templates} />
      <p class="mt-4">
        <Link class={`${PRIMARY_BUTTON} no-underline`} href={`${LIST}/new`}>{text.add}</Link>
      </p>
    </EmptyState>
  );
}

function SearchForm({ search }: { search: string }) {
  const { messages } = useAdmin();
  return (
    <form role="search" method="get" class="mb-8 grid max-w-[36rem] gap-1.5">
      <label for="search" class={FIELD_LABEL}>{messages.linkifiers.searchLabel}</label>
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          id="search"
          name="search"
          type="search"
          dir="auto"
          autoComplete="off"
          defaultValue={search}
          class={`${TEXT_FIELD} max-w-[22rem] flex-1`}
        />
        <button type="submit" class={QUIET_BUTTON}>{messages.common.searchButton}</button>
        {search !== "" && (
          <Link class="link inline-flex min-h-11 items-center text-small font-medium" href={LIST}>
            {messages.linkifiers.clearSearch}
          </Link>
        )}
      </div>
    </form>
  );
}

function Found({ data }: { data: LinkifiersData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.linkifiers;
  const { search: query, found: count } = data;
  if (count === 0) {
    return <EmptyState title={formatter.t(text.notFound, { query })}>{text.notFoundAdvice}</EmptyState>;
  }
  const isWhole = query === "";
  return (
    <section aria-labelledby="list-title">
      <div class="mb-3 flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <div class="min-w-0">
          <h2 id="list-title">{isWhole ? text.listTitle : text.foundTitle}</h2>
          <p class="mt-1 text-small break-words text-soft">
            {isWhole ? text.order : formatter.t(text.searching, { query, count })}
          </p>
        </div>
        {isWhole && <ActionButton action="export" fields={{}}>{text.export}</ActionButton>}
      </div>
      <LinkifierTable linkifiers={data.linkifiers} bodyId={ROWS} canMove={isWhole && data.total > 1} />
      {isWhole && data.total > 1 && (
        <LinkifierOrder bodyId={ROWS} failed={messages.common.failed} undo={text.undo} />
      )}
      <Pages data={data} />
    </section>
  );
}

function Pages({ data: { before, behind, search } }: { data: LinkifiersData }) {
  const { messages } = useAdmin();
  if (before === null && behind === null) return null;
  const link = (from: number, label: string) => {
    const query = new URLSearchParams({ ...(search === "" ? {} : { search }), from: String(from) });
    return (
      <Link class="link inline-flex min-h-11 items-center text-small font-medium" href={`?${query}`}>
        {label}
      </Link>
    );
  };
  return (
    <nav aria-label={messages.linkifiers.pages} class="mt-3 flex gap-x-6">
      {before !== null && link(before, messages.linkifiers.previousPage)}
      {behind !== null && link(behind, messages.common.nextPage)}
    </nav>
  );
}
