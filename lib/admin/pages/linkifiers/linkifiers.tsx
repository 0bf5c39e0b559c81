import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FilterField, FilterForm } from "@/components/admin/FilterForm.tsx";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { Pagination } from "@/components/admin/Pagination.tsx";
import { MoveButtons } from "@/components/admin/MoveButtons.tsx";
import SortableList from "@/islands/admin/SortableList.tsx";
import {
  type CompiledLinkifier,
  type ExampleLink,
  findLinkifierLinks,
} from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import { type LinkifierRecord, MAX_LINKIFIERS } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { reorderLinkifiers } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import { listLinkifiers, readLinkifierSet } from "@/lib/chat/messages/linkifiers/store.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { toDownload } from "@/lib/admin/csv.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { orderForms, type OrderSpec } from "@/lib/admin/declare/order.ts";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { LINKIFIERS } from "@/lib/admin/events/shown_events.ts";
import { LINKIFIER_GALLERY, TemplateList } from "./linkifier_gallery.tsx";
import { GeneratedLink } from "./linkifier_tester.tsx";

const texts = {
  order: "Linkifiers run from top to bottom. If two match the same text, the first one wins.",
  add: "Add linkifier",
  linkifier: "Linkifier",
  example: "Example",
  listTitle: "All linkifiers",
  searchLabel: "Search patterns, URLs and examples",
  searching: {
    one: "{count} linkifier matches “{query}”. Show all linkifiers to change the order.",
    other: "{count} linkifiers match “{query}”. Show all linkifiers to change the order.",
  },
  foundTitle: "Search results",
  notFound: "No linkifiers match “{query}”.",
  notFoundAdvice: "The search covers patterns, URL templates and examples.",
  empty: "There are no linkifiers yet.",
  emptyAdvice: "Choose a template to fill in the form, then replace the example URL with your own.",
  noExample: "no example",
  noLink: "the example does not match",
  untried: "too complex to preview",
  takenBy: "{pattern} comes first and matches this text.",
  full: "The organization has reached the maximum number of linkifiers.",
  export: "Export",
  import: "Import",
  range: "{from}–{to} of {count}",
};

/** Number of linkifiers on a page. */
const PAGE_SIZE = 100;

type LinkifiersData = Awaited<ReturnType<typeof loadLinkifiers>>;

async function loadLinkifiers(request: AdminRequest) {
  const { chat, realm, query } = request;
  const all = await listLinkifiers(chat, realm.id);
  const ready = await readLinkifierSet(chat, realm.id);
  const search = (query.get("search") ?? "").trim();
  const found = all.filter((linkifier) => isFoundBy(linkifier, search.toLowerCase()));
  const asked = Number(query.get("from") ?? 0);
  const from = Number.isInteger(asked) && asked > 0 && asked < found.length ? asked : 0;
  return {
    linkifiers: found.slice(from, from + PAGE_SIZE),
    /** Examples with their links, by the id of their linkifier. */
    examples: new Map(ready.examples().map((example) => [example.id, example])),
    compiled: new Map(ready.all.map((one) => [one.record.id, one])),
    total: all.length,
    search,
    found: found.length,
    from,
  };
}

function isFoundBy({ pattern, url_template, example_input }: LinkifierRecord, search: string): boolean {
  return [pattern, url_template, example_input ?? ""].some((text) => text.toLowerCase().includes(search));
}

function toNotes(t: AdminRequest["t"], { overriddenBy: takenBy }: ExampleLink): readonly string[] {
  return takenBy.map(({ pattern }) => t(texts.takenBy, { pattern }));
}

/** Returns the first example of the gallery that a linkifier matches, with the link. */
function findInGallery(compiled: CompiledLinkifier | undefined) {
  if (compiled === undefined) return null;
  for (const { fields: { example_input: text } } of LINKIFIER_GALLERY) {
    const [link] = findLinkifierLinks(compiled, text);
    if (link !== undefined) return { text: text.slice(link.start, link.end), url: link.url };
  }
  return null;
}

/** The order of the linkifiers. */
export const LINKIFIER_ORDER: OrderSpec = {
  list: async ({ chat, realm }) =>
    (await listLinkifiers(chat, realm.id)).map(({ id, pattern }) => ({ id, name: pattern })),
  save: async ({ chat, caller }, order) => await reorderLinkifiers(chat, caller, order),
  isPartial: true,
  done: async (request) => {
    const examples = (await readLinkifierSet(request.chat, request.realm.id)).examples();
    const notes = Object.fromEntries(examples.map((linked) => [linked.id, toNotes(request.t, linked)]));
    return { result: { notes } };
  },
};

/** Sends all linkifiers as a file. */
const exportAll = form({
  action: "export",
  run: async ({ chat, realm }) => {
    const linkifiers = (await listLinkifiers(chat, realm.id)).map(({ id: _id, ...fields }) => fields);
    const file = `${JSON.stringify({ linkifiers }, null, 2)}\n`;
    return toDownload("linkifiers.json", "application/json", [file]);
  },
});

const LIST = "/admin/linkifiers";
const ROWS = "linkifiers";

/** The page of all linkifiers: list, search, order, export. */
export const linkifiersPage = adminPage({
  path: LIST,
  title: "Linkifiers",
  find: { words: "patterns autolink tickets" },
  lede: "Linkifiers turn text in messages, such as ticket numbers, into links.",
  actions: ({ data: { total } }) => {
    const { text } = useTexts(texts);
    return total >= MAX_LINKIFIERS ? null : (
      <div class="flex flex-wrap gap-3">
        <Link class={`${QUIET_BUTTON} no-underline`} href={`${LIST}/import`}>{text.import}</Link>
        {total > 0 && <Link class={`${PRIMARY_BUTTON} no-underline`} href={`${LIST}/new`}>{text.add}</Link>}
      </div>
    );
  },
  shows: LINKIFIERS,
  load: loadLinkifiers,
  forms: [...orderForms(LINKIFIER_ORDER), exportAll],
  view: ({ data }) => {
    const { text, messages } = useTexts(texts);
    const general = Object.values(useRefusedForm()?.problems ?? {}).join(" ");
    return (
      <>
        {general !== "" && (
          <p role="alert" class="mb-6 rounded-control bg-wash px-4 py-2.5 text-accent">{general}</p>
        )}
        {data.total >= MAX_LINKIFIERS && <p class="mb-6 text-small text-soft">{text.full}</p>}
        {data.total === 0 ? <NoLinkifiers /> : (
          <>
            <div class="mb-8">
              <FilterForm clearPath={data.search === "" ? null : LIST} button={messages.common.searchButton}>
                <FilterField name="search" label={text.searchLabel} value={data.search} />
              </FilterForm>
            </div>
            <Found data={data} />
          </>
        )}
      </>
    );
  },
});

function NoLinkifiers() {
  const { text } = useTexts(texts);
  return (
    <EmptyState title={text.empty}>
      <p class="mb-2">{text.emptyAdvice}</p>
      <TemplateList />
      <p class="mt-4">
        <Link class={`${PRIMARY_BUTTON} no-underline`} href={`${LIST}/new`}>{text.add}</Link>
      </p>
    </EmptyState>
  );
}

function Found({ data }: { data: LinkifiersData }) {
  const { text, t, messages } = useTexts(texts);
  const { search: query, found: count, from, linkifiers } = data;
  if (count === 0) {
    return <EmptyState title={t(text.notFound, { query })}>{text.notFoundAdvice}</EmptyState>;
  }
  const toPath = (start: number) =>
    `${LIST}?${new URLSearchParams({ ...(query !== "" && { search: query }), from: String(start) })}`;
  const to = from + linkifiers.length;
  const isWhole = query === "";
  return (
    <section aria-labelledby="list-title">
      <div class="mb-3 flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <div class="min-w-0">
          <h2 id="list-title">{isWhole ? text.listTitle : text.foundTitle}</h2>
          <p class="mt-1 text-small break-words text-soft">
            {isWhole ? text.order : t(text.searching, { query, count })}
          </p>
        </div>
        {isWhole && <ActionButton action="export" fields={{}}>{text.export}</ActionButton>}
      </div>
      <LinkifierTable data={data} canMove={isWhole && data.total > 1} />
      {isWhole && data.total > 1 && (
        <SortableList bodyId={ROWS} failed={messages.common.failed} undo={messages.common.undo} />
      )}
      <Pagination
        label={text.listTitle}
        range={t(text.range, { from: from + 1, to, count })}
        previous={from === 0 ? null : toPath(Math.max(0, from - PAGE_SIZE))}
        next={to < count ? toPath(to) : null}
        isEmpty={linkifiers.length === count}
      />
    </section>
  );
}

/** Renders linkifiers in order: pattern, example with its result, and actions. */
function LinkifierTable({ data, canMove }: { data: LinkifiersData; canMove: boolean }) {
  const { text, messages } = useTexts(texts);
  const { linkifiers } = data;
  return (
    <Table
      caption={text.listTitle}
      items={linkifiers}
      isMovable={() => canMove}
      bodyId={ROWS}
      columns={[
        { title: text.linkifier, cell: (linkifier) => <PatternCell linkifier={linkifier} /> },
        { title: text.example, cell: (linkifier) => <Example linkifier={linkifier} data={data} /> },
      ]}
      actionsLook="min-[68rem]:min-w-[260px]"
      actions={({ id, pattern }, at) => (
        <>
          {canMove && (
            <MoveButtons
              id={id}
              name={pattern}
              isFirst={at === 0}
              isLast={at === linkifiers.length - 1}
            />
          )}
          <ActionLink href={`${LIST}/${id}`} about={pattern}>{messages.common.edit}</ActionLink>
          <ActionLink href={`${LIST}/${id}/delete`} about={pattern}>{messages.common.delete}</ActionLink>
        </>
      )}
    />
  );
}

function PatternCell({ linkifier: { id, pattern, url_template } }: { linkifier: LinkifierRecord }) {
  return (
    <div class="grid min-w-0 gap-0.5 font-mono text-small [font-variant-ligatures:none]">
      <Link class="link justify-self-start break-all" href={`/admin/linkifiers/${id}`}>
        <bdi>{pattern}</bdi>
      </Link>
      <bdi class="wrap-anywhere text-soft">
        <BreakableText text={url_template} />
      </bdi>
    </div>
  );
}

/** Renders the example of a linkifier, or one of the gallery, with the link that it becomes. */
function Example(
  { linkifier: { id, example_input }, data }: { linkifier: LinkifierRecord; data: LinkifiersData },
) {
  const { text, t } = useTexts(texts);
  const linked = data.examples.get(id);
  const example = example_input === null
    ? findInGallery(data.compiled.get(id))
    : { text: example_input, url: linked?.link?.url ?? null };
  if (example === null) return <span class="text-small text-soft">{text.noExample}</span>;
  const { text: written, url } = example;
  const isUntried = linked?.link === null && linked.isSkipped;
  return (
    <div class="min-w-0 flex-1 basis-48 text-small">
      <p dir="auto" class="line-clamp-2 break-words">
        {url === null ? written : <GeneratedLink url={url}>{written}</GeneratedLink>}
      </p>
      {url === null
        ? <p class="text-soft">{isUntried ? text.untried : text.noLink}</p>
        : (
          <p class="line-clamp-2 font-mono text-tiny wrap-anywhere text-soft [font-variant-ligatures:none]">
            <bdi>
              <BreakableText text={url} />
            </bdi>
          </p>
        )}
      <div class="break-words text-soft" data-notes={id}>
        {linked !== undefined && toNotes(t, linked).map((note) => <p key={note}>{note}</p>)}
      </div>
    </div>
  );
}
