import { mapValues } from "es-toolkit/object/mapValues";
import type { ComponentChildren } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FilterField, FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { Pagination } from "@/components/admin/Pagination.tsx";
import { type Column, Table, type TableProps } from "@/components/admin/Table.tsx";
import { Link } from "@/components/Link.tsx";
import type { Phrase } from "@/lib/ui/formatter.ts";
import type { AdminRequest } from "../admin_request.ts";
import { toCsvDownload } from "../csv.ts";
import { form } from "./form.tsx";

/** A choice among values; the first one is the default, which the address leaves out. */
interface ListFilter {
  readonly label: Phrase;
  /** Labels by value. */
  readonly choices: Readonly<Record<string, Phrase>>;
}

/** Specification of a list with search, filters, sorting and pages, all of which are in the page's address. */
export interface ListSpec {
  readonly path: string;
  /** Values of the address that choose among lists of one page. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Accessible name of the list. */
  readonly title: Phrase;
  readonly searchLabel: Phrase;
  readonly filters: Readonly<Record<string, ListFilter>>;
  /** Names of the columns that the list can be sorted by; the first one is the default. */
  readonly sorts?: readonly string[];
  /** Text with the range that is shown: `{from}`, `{to}` and `{count}`. */
  readonly range: Phrase;
  /** Text for no matches, advice, and the link to a wider list. */
  readonly nothing: {
    readonly title: Phrase;
    readonly advice: Phrase;
    readonly link: Phrase;
    readonly to: string;
  };
}

/** Search, filters, order and page of a list. */
export interface ListView {
  readonly search: string;
  /** Values of the filters by name. */
  readonly values: Readonly<Record<string, string>>;
  readonly sort: string;
  readonly isDescending: boolean;
  /** From 1. */
  readonly page: number;
}

/** A page of a list. */
export interface ListPage<Item> {
  readonly view: ListView;
  readonly items: readonly Item[];
  /** Number of matching items. */
  readonly count: number;
  /** Number of items before the first one shown. */
  readonly from: number;
}

const PAGE_SIZE = 50;
const MAX_SEARCH = 200;

/** Reads the view of a list from the query of the page's address. */
export function readListView(
  { filters = {}, sorts = [] }: Partial<Pick<ListSpec, "filters" | "sorts">>,
  query: URLSearchParams,
): ListView {
  const page = query.get("page") ?? "";
  const among = (choices: readonly string[], name: string) =>
    choices.find((choice) => choice === query.get(name)) ?? choices[0] ?? "";
  return {
    search: (query.get("q") ?? "").slice(0, MAX_SEARCH),
    values: mapValues(filters, ({ choices }, name) => among(Object.keys(choices), name)),
    sort: among(sorts, "sort"),
    isDescending: query.get("order") === "descending",
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  };
}

/** Returns the page of sorted items that a view asks for; the last one for a page beyond it. */
export function toListPage<Item>(view: ListView, items: readonly Item[]): ListPage<Item> {
  const page = Math.min(view.page, Math.max(1, Math.ceil(items.length / PAGE_SIZE)));
  const from = (page - 1) * PAGE_SIZE;
  return { view: { ...view, page }, items: items.slice(from, from + PAGE_SIZE), count: items.length, from };
}

/** Returns the values of a list's address; default ones are left out. */
export function toListValues({ fixed = {}, filters, sorts = [] }: ListSpec, view: ListView) {
  const values = [
    ...Object.entries(fixed).map(([name, value]) => [name, value, ""]),
    ["q", view.search, ""],
    ...Object.entries(filters).map((
      [name, { choices }],
    ) => [name, view.values[name], Object.keys(choices)[0]]),
    ["sort", view.sort, sorts[0] ?? ""],
    ["order", view.isDescending ? "descending" : "", ""],
    ["page", String(view.page), "1"],
  ];
  return values.flatMap(([name = "", value = "", standard]) => value === standard ? [] : [[name, value]]);
}

function toListPath(spec: ListSpec, view: ListView): string {
  const query = new URLSearchParams(toListValues(spec, view));
  return query.size === 0 ? spec.path : `${spec.path}?${query}`;
}

interface ExportSpec<Item> {
  /** Name of the file. */
  readonly name: string;
  /** Lists all items that the page's address asks for, in its order. */
  readonly list: (request: AdminRequest) => Promise<readonly Item[]>;
  /** Cells of an item by the titles of their columns, in order. */
  readonly columns: Readonly<Record<string, (item: Item, request: AdminRequest) => string>>;
}

/** Declares the form that sends a list, on all of its pages, as a CSV file. */
export function exportForm<Item>({ name, list, columns }: ExportSpec<Item>) {
  const cells = Object.values(columns);
  return form({
    action: "export",
    run: async (request) => {
      const items = await list(request);
      return toCsvDownload({
        name,
        columns: Object.keys(columns).map((title) => request.t(title)),
        rows: items.values().map((item) => cells.map((toCell) => toCell(item, request))),
      });
    },
  });
}

interface FilteredListProps<Item> extends Omit<TableProps<Item>, "caption" | "items" | "columns"> {
  readonly of: ListSpec;
  readonly page: ListPage<Item>;
  readonly columns: readonly (Column<Item> & {
    /** Name of the order by this column. */
    readonly sort?: string;
    /** Whether its first click sorts downwards. */
    readonly isDescendingFirst?: boolean;
  })[];
  /** Sentence above the table, which belongs to what is found. */
  readonly note?: string;
  /** Content below the table, such as a `SelectionBar`. */
  readonly children?: ComponentChildren;
}

/** Renders a list with its filter and pages. */
export function FilteredList<Item extends object>(
  { of, page: { view, items, count, from }, columns, note, children, ...table }: FilteredListProps<Item>,
) {
  const { t } = useAdmin();
  const sortable = ({ sort, isDescendingFirst = false }: { sort?: string; isDescendingFirst?: boolean }) => {
    if (sort === undefined) return {};
    const isSorted = view.sort === sort;
    const isDescending = isSorted ? !view.isDescending : isDescendingFirst;
    return {
      sortPath: toListPath(of, { ...view, sort, isDescending, page: 1 }),
      sorted: isSorted ? (view.isDescending ? "descending" : "ascending") : undefined,
    } as const;
  };
  const pagePath = (page: number) => toListPath(of, { ...view, page });
  return (
    <section aria-label={t(of.title)}>
      <ListFilters of={of} view={view} />
      {note !== undefined && <p data-found class="mb-4 text-soft">{note}</p>}
      {items.length === 0
        ? (
          <EmptyState title={t(of.nothing.title)}>
            {t(of.nothing.advice)} <Link class="link" href={of.nothing.to}>{t(of.nothing.link)}</Link>.
          </EmptyState>
        )
        : (
          <Table
            caption={t(of.title)}
            items={items}
            columns={columns.map((column) => ({ ...column, ...sortable(column) }))}
            {...table}
          />
        )}
      {items.length > 0 && children}
      <Pagination
        label={t("Pages of the list")}
        range={t(of.range, { from: from + 1, to: from + items.length, count })}
        previous={view.page > 1 ? pagePath(view.page - 1) : null}
        next={from + items.length < count ? pagePath(view.page + 1) : null}
        isEmpty={items.length === 0}
      />
    </section>
  );
}

function ListFilters({ of, view }: { of: ListSpec; view: ListView }) {
  const { t } = useAdmin();
  const { search, values, sort, isDescending } = view;
  const filters = Object.entries(of.filters);
  const isFiltered = search !== "" ||
    filters.some(([name, { choices }]) => values[name] !== Object.keys(choices)[0]);
  const unfiltered = toListPath({ ...of, filters: {} }, { ...view, search: "", page: 1 });
  const hidden = {
    ...of.fixed,
    ...(sort === (of.sorts?.[0] ?? "") ? {} : { sort }),
    ...(isDescending ? { order: "descending" } : {}),
  };
  return (
    <FilterForm clearPath={isFiltered ? unfiltered : null} hidden={hidden} button={t("Apply")}>
      <FilterField name="q" label={t(of.searchLabel)} value={search} />
      {filters.map(([name, { label, choices }]) => (
        <FilterSelect
          key={name}
          name={name}
          label={t(label)}
          value={values[name] ?? ""}
          choices={mapValues(choices, (choice) => t(choice))}
        />
      ))}
    </FilterForm>
  );
}

interface NamedItemProps {
  readonly path: string;
  readonly name: string;
  /** States that the list points out. */
  readonly marks: readonly string[];
  readonly description: string;
  /** Class name of the width. */
  readonly width: string;
}

/** Renders the first cell of a row: a link to the item, its state and its description. */
export function NamedItem({ path, name, marks, description, width }: NamedItemProps) {
  return (
    <div class={`min-w-0 ${width} text-start`}>
      <Link class="link font-strong break-words" href={path}>
        <bdi>{name}</bdi>
      </Link>
      {marks.map((mark) => <span key={mark} class="ms-2 text-small text-soft">{mark}</span>)}
      {description !== "" && (
        <p
          dir="auto"
          title={description}
          class="line-clamp-3 text-small text-soft @min-[48rem]:line-clamp-1 @min-[48rem]:break-all"
        >
          {description}
        </p>
      )}
    </div>
  );
}
