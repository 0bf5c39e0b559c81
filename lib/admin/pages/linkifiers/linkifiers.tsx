import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { MoveButtons } from "@/components/admin/MoveButtons.tsx";
import { GeneratedLink } from "@/components/admin/linkifiers/LinkifierTester.tsx";
import LinkifierOrder from "@/islands/admin/linkifiers/LinkifierOrder.tsx";
import {
  type CompiledLinkifier,
  type ExampleLink,
  findLinkifierLinks,
} from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import { type LinkifierRecord, MAX_LINKIFIERS } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { reorderLinkifiers } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import { listLinkifiers, readLinkifierSet } from "@/lib/chat/messages/linkifiers/store.ts";
import { FIELD_LABEL, PRIMARY_BUTTON, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { toDownload } from "@/lib/admin/csv.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/lib/admin/declare/list.tsx";
import { orderForms, type OrderSpec } from "@/lib/admin/declare/order.ts";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { LINKIFIERS } from "@/lib/admin/events/shown_events.ts";
import { LINKIFIER_GALLERY, TemplateList } from "./linkifier_gallery.tsx";

const texts = {
  order: "Linkifiers run from top to bottom. If two match the same text, the first one wins.",
  add: "Add linkifier",
  linkifier: "Linkifier",
  example: "Example",
  listTitle: "All linkifiers",
  searchLabel: "Search patterns, URLs and examples",
  clearSearch: "Show all",
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
  pages: "Pages of the list",
  previousPage: "Previous page",
  full: "The organization has reached the maximum number of linkifiers.",
  export: "Export",
  import: "Import",
  undo: "Undo",
};

/** Number of linkifiers on a page. */
const PAGE_SIZE = 100;

/** A text and the link that a linkifier makes of it. */
interface ShownExample {
  readonly text: string;
  /** Null when it becomes no link. */
  readonly url: string | null;
  readonly isUntried: boolean;
}

type LinkifiersData = Awaited<ReturnType<typeof loadLinkifiers>>;
type ListedLinkifier = LinkifiersData["linkifiers"][number];

async function loadLinkifiers(request: AdminRequest) {
  const { chat, realm, query } = request;
  const all = await listLinkifiers(chat, realm.id);
  const ready = await readLinkifierSet(chat, realm.id);
  const examples = new Map(ready.examples().map((example) => [example.id, example]));
  const compiled = new Map(ready.all.map((one) => [one.record.id, one]));
  const search = (query.get("search") ?? "").trim();
  const found = all.filter((linkifier) => isFoundBy(linkifier, search.toLowerCase()));
  const asked = Number(query.get("from") ?? 0);
  const from = Number.isInteger(asked) && asked > 0 && asked < found.length ? asked : 0;
  return {
    linkifiers: found.slice(from, from + PAGE_SIZE).map((linkifier) =>
      toListed(request, linkifier, {
        linked: examples.get(linkifier.id),
        compiled: compiled.get(linkifier.id),
      })
    ),
    total: all.length,
    isFull: all.length >= MAX_LINKIFIERS,
    search,
    found: found.length,
    before: from === 0 ? null : Math.max(0, from - PAGE_SIZE),
    behind: from + PAGE_SIZE < found.length ? from + PAGE_SIZE : null,
  };
}

function isFoundBy({ pattern, url_template, example_input }: LinkifierRecord, search: string): boolean {
  return [pattern, url_template, example_input ?? ""].some((text) => text.toLowerCase().includes(search));
}

function toListed(
  request: AdminRequest,
  linkifier: LinkifierRecord,
  { linked, compiled }: { linked: ExampleLink | undefined; compiled: CompiledLinkifier | undefined },
) {
  const { id, pattern, url_template: urlTemplate, example_input: text } = linkifier;
  const example: ShownExample | null = text === null
    ? exampleOfGallery(compiled)
    : { text, url: linked?.link?.url ?? null, isUntried: linked?.link === null && linked.isSkipped };
  return { id, pattern, urlTemplate, example, notes: linked === undefined ? [] : toNotes(request, linked) };
}

function toNotes(
  { t }: AdminRequest,
  { overriddenBy: takenBy }: ExampleLink,
): readonly string[] {
  return takenBy.map(({ pattern }) => t(texts.takenBy, { pattern }));
}

/** Returns the first example of the gallery that a linkifier matches. */
function exampleOfGallery(compiled: CompiledLinkifier | undefined): ShownExample | null {
  if (compiled === undefined) return null;
  for (const { fields: { example_input: text } } of LINKIFIER_GALLERY) {
    const [link] = findLinkifierLinks(compiled, text);
    if (link !== undefined) {
      return { text: text.slice(link.start, link.end), url: link.url, isUntried: false };
    }
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
    const notes = Object.fromEntries(examples.map((linked) => [linked.id, toNotes(request, linked)]));
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
  actions: ({ data: { isFull, total } }) => {
    const { text } = useTexts(texts);
    return isFull ? null : (
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
    const { text } = useTexts(texts);
    const general = Object.values(useRefusedForm()?.problems ?? {}).join(" ");
    return (
      <>
        {general !== "" && (
          <p role="alert" class="mb-6 rounded-control bg-wash px-4 py-2.5 text-accent">{general}</p>
        )}
        {data.isFull && <p class="mb-6 text-small text-soft">{text.full}</p>}
        {data.total === 0 ? <NoLinkifiers /> : (
          <>
            <SearchForm search={data.search} />
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

function SearchForm({ search }: { search: string }) {
  const { text, messages } = useTexts(texts);
  return (
    <form role="search" method="get" class="mb-8 grid max-w-[36rem] gap-1.5">
      <label for="search" class={FIELD_LABEL}>{text.searchLabel}</label>
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
            {text.clearSearch}
          </Link>
        )}
      </div>
    </form>
  );
}

function Found({ data }: { data: LinkifiersData }) {
  const { text, t, messages } = useTexts(texts);
  const { search: query, found: count } = data;
  if (count === 0) {
    return <EmptyState title={t(text.notFound, { query })}>{text.notFoundAdvice}</EmptyState>;
  }
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
      <LinkifierTable linkifiers={data.linkifiers} canMove={isWhole && data.total > 1} />
      {isWhole && data.total > 1 && (
        <LinkifierOrder bodyId={ROWS} failed={messages.common.failed} undo={text.undo} />
      )}
      <Pages data={data} />
    </section>
  );
}

function Pages({ data: { before, behind, search } }: { data: LinkifiersData }) {
  const { text, messages } = useTexts(texts);
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
    <nav aria-label={text.pages} class="mt-3 flex gap-x-6">
      {before !== null && link(before, text.previousPage)}
      {behind !== null && link(behind, messages.common.nextPage)}
    </nav>
  );
}

interface LinkifierTableProps {
  readonly linkifiers: readonly ListedLinkifier[];
  /** Whether the list is complete and can be reordered. */
  readonly canMove: boolean;
}

/** Renders linkifiers in order: pattern, example with its result, and actions. */
function LinkifierTable({ linkifiers, canMove }: LinkifierTableProps) {
  const { text, messages } = useTexts(texts);
  return (
    <Table
      caption={text.listTitle}
      items={linkifiers}
      isMovable={() => canMove}
      bodyId={ROWS}
      columns={[
        { title: text.linkifier, cell: (linkifier) => <Made linkifier={linkifier} /> },
        { title: text.example, cell: (linkifier) => <Example linkifier={linkifier} /> },
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

function Made({ linkifier: { id, pattern, urlTemplate } }: { linkifier: ListedLinkifier }) {
  return (
    <div class="grid min-w-0 gap-0.5 font-mono text-small [font-variant-ligatures:none]">
      <Link class="link justify-self-start break-all" href={`/admin/linkifiers/${id}`}>
        <bdi>{pattern}</bdi>
      </Link>
      <bdi class="wrap-anywhere text-soft">
        <BreakableText text={urlTemplate} />
      </bdi>
    </div>
  );
}

function Example({ linkifier: { id, example, notes } }: { linkifier: ListedLinkifier }) {
  const { text } = useTexts(texts);
  if (example === null) return <span class="text-small text-soft">{text.noExample}</span>;
  const { text: written, url, isUntried } = example;
  return (
    <div class="min-w-0 flex-1 basis-48 text-small">
      <p dir="auto" class="line-clamp-2 break-words">
        {url === null ? written : <GeneratedLink url={url}>{written}</GeneratedLink>}
      </p>
      {url !== null && (
        <p class="line-clamp-2 font-mono text-tiny wrap-anywhere text-soft [font-variant-ligatures:none]">
          <bdi>
            <BreakableText text={url} />
          </bdi>
        </p>
      )}
      {url === null && <p class="text-soft">{isUntried ? text.untried : text.noLink}</p>}
      <div class="break-words text-soft" data-notes={id}>
        {notes.map((note) => <p key={note}>{note}</p>)}
      </div>
    </div>
  );
}
