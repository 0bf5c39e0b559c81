import { useAdmin } from "@/components/admin/admin_view.ts";
import { FAILED } from "@/lib/ui/texts.ts";
import SortableList from "@/islands/admin/SortableList.tsx";
import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { MoveButtons } from "@/components/admin/MoveButtons.tsx";
import {
  type CompiledLinkifier,
  type ExampleLink,
  findLinkifierLinks,
} from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import { MAX_LINKIFIERS } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { reorderLinkifiers } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import { listLinkifiers, readLinkifierSet } from "@/lib/chat/messages/linkifiers/store.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { toDownload } from "@/lib/admin/csv.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { FilteredList, readListView, toListPage } from "@/lib/admin/declare/list.tsx";
import { orderForms, type OrderSpec } from "@/lib/admin/declare/order.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { LINKIFIERS } from "@/lib/admin/events/shown_events.ts";
import { LINKIFIER_GALLERY, TemplateList } from "./linkifier_gallery.tsx";
import { GeneratedLink } from "./linkifier_tester.tsx";

const LIST = {
  path: "/admin/linkifiers",
  title: "All linkifiers",
  searchLabel: "Search patterns, URLs and examples",
  filters: {},
  range: "{from}–{to} of {count}",
  nothing: {
    title: "No matching linkifiers.",
    advice: "The search covers patterns, URL templates and examples.",
    link: "Show all linkifiers",
    to: "/admin/linkifiers",
  },
};
const ROWS = "linkifiers";
const ORDER = "Linkifiers run from top to bottom. If two match the same text, the first one wins.";

type ListedLinkifier = Awaited<ReturnType<typeof loadLinkifiers>>["page"]["items"][number];

async function loadLinkifiers({ chat, realm, query }: AdminRequest) {
  const all = await listLinkifiers(chat, realm.id);
  const set = await readLinkifierSet(chat, realm.id);
  const view = readListView(LIST, query);
  const search = view.search.trim().toLowerCase();
  const found = all.filter(({ pattern, url_template, example_input }) =>
    [pattern, url_template, example_input ?? ""].some((text) => text.toLowerCase().includes(search))
  );
  const links = new Map(set.examples().map((example) => [example.id, example]));
  const compiled = new Map(set.all.map((one) => [one.record.id, one]));
  const page = toListPage(view, found);
  const items = page.items.map((linkifier) => {
    const { id, example_input: text } = linkifier;
    const linked = links.get(id);
    const example = text === null
      ? findInGallery(compiled.get(id))
      : { text, url: linked?.link?.url ?? null };
    return { ...linkifier, linked, example };
  });
  return { page: { ...page, items }, total: all.length };
}

/** Returns the first example of the gallery that a linkifier matches, with the link. */
function findInGallery(compiled: CompiledLinkifier | undefined) {
  if (compiled === undefined) return null;
  for (const { example_input: text } of LINKIFIER_GALLERY) {
    const [link] = findLinkifierLinks(compiled, text);
    if (link !== undefined) return { text: text.slice(link.start, link.end), url: link.url };
  }
  return null;
}

/** Returns sentences about the linkifiers that match the example of another one. */
function toNotes(t: AdminRequest["t"], { overriddenBy }: ExampleLink): readonly string[] {
  return overriddenBy.map(({ pattern }) => t("{pattern} comes first and matches this text.", { pattern }));
}

/** The order of the linkifiers. */
export const LINKIFIER_ORDER: OrderSpec = {
  list: async ({ chat, realm }) =>
    (await listLinkifiers(chat, realm.id)).map(({ id, pattern }) => ({ id, name: pattern })),
  save: async ({ chat, caller }, order) => await reorderLinkifiers(chat, caller, order),
  isPartial: true,
  done: async ({ chat, realm, t }) => {
    const examples = (await readLinkifierSet(chat, realm.id)).examples();
    return { result: { notes: Object.fromEntries(examples.map((one) => [one.id, toNotes(t, one)])) } };
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

/** The page of all linkifiers: list, search, order, export. */
export const linkifiersPage = adminPage({
  path: LIST.path,
  title: "Linkifiers",
  find: { words: "patterns autolink regex tickets issues jira" },
  lede: "Linkifiers turn text in messages, such as ticket numbers, into links.",
  actions: ({ data: { total } }) => {
    const { t } = useAdmin();
    return (
      <>
        {total > 0 && <ActionButton action="export" fields={{}}>{t("Export")}</ActionButton>}
        {total < MAX_LINKIFIERS && (
          <Link class={`${QUIET_BUTTON} no-underline`} href={`${LIST.path}/import`}>{t("Import")}</Link>
        )}
        {total > 0 && total < MAX_LINKIFIERS && <AddLink />}
      </>
    );
  },
  shows: LINKIFIERS,
  load: loadLinkifiers,
  forms: [...orderForms(LINKIFIER_ORDER), exportAll],
  view: ({ data: { page, total } }) => {
    const { t } = useAdmin();
    const { items, view: { search } } = page;
    const isMovable = search === "" && total > 1;
    return (
      <>
        <FormProblem problem={useRefusedForm()?.problems["form"]} margin="mb-6" />
        {total >= MAX_LINKIFIERS && (
          <p class="mb-6 text-small text-soft">
            {t("The organization has reached the maximum number of linkifiers.")}
          </p>
        )}
        {total === 0 ? <NoLinkifiers /> : (
          <FilteredList
            of={LIST}
            page={page}
            note={t(search === "" ? ORDER : "Show all linkifiers to change the order.")}
            isMovable={() => isMovable}
            bodyId={ROWS}
            columns={[
              { title: t("Linkifier"), cell: (linkifier) => <Pattern linkifier={linkifier} /> },
              { title: t("Example"), cell: (linkifier) => <Example linkifier={linkifier} /> },
            ]}
            actionsLook="min-[68rem]:min-w-[260px]"
            actions={({ id, pattern }, at) => (
              <>
                {isMovable && (
                  <MoveButtons
                    id={id}
                    name={pattern}
                    isFirst={at === 0}
                    isLast={at === items.length - 1}
                  />
                )}
                <ActionLink href={`${LIST.path}/${id}`} about={pattern}>{t("Edit")}</ActionLink>
                <ActionLink href={`${LIST.path}/${id}/delete`} about={pattern}>{t("Delete")}</ActionLink>
              </>
            )}
          >
            {total > 1 && <SortableList bodyId={ROWS} failed={t(FAILED)} undo={t("Undo")} />}
          </FilteredList>
        )}
      </>
    );
  },
});

function AddLink() {
  const { t } = useAdmin();
  return <Link class={`${PRIMARY_BUTTON} no-underline`} href={`${LIST.path}/new`}>{t("Add linkifier")}</Link>;
}

function NoLinkifiers() {
  const { t } = useAdmin();
  return (
    <EmptyState title={t("There are no linkifiers yet.")}>
      <p class="mb-2">
        {t("Choose a template to fill in the form, then replace the example URL with your own.")}
      </p>
      <TemplateList />
      <p class="mt-4">
        <AddLink />
      </p>
    </EmptyState>
  );
}

function Pattern({ linkifier: { id, pattern, url_template } }: { linkifier: ListedLinkifier }) {
  return (
    <div class="grid min-w-0 gap-0.5 font-mono text-small [font-variant-ligatures:none]">
      <Link class="link justify-self-start break-all" href={`${LIST.path}/${id}`}>
        <bdi>{pattern}</bdi>
      </Link>
      <bdi class="wrap-anywhere text-soft">
        <BreakableText text={url_template} />
      </bdi>
    </div>
  );
}

/** Renders the example of a linkifier with the link that it becomes. */
function Example({ linkifier: { id, example, linked } }: { linkifier: ListedLinkifier }) {
  const { t } = useAdmin();
  if (example === null) return <span class="text-small text-soft">{t("no example")}</span>;
  const { text, url } = example;
  const isUntried = linked?.link === null && linked.isSkipped;
  return (
    <div class="min-w-0 flex-1 basis-48 text-small">
      <p dir="auto" class="line-clamp-2 break-words">
        {url === null ? text : <GeneratedLink url={url}>{text}</GeneratedLink>}
      </p>
      {url === null
        ? <p class="text-soft">{t(isUntried ? "too complex to preview" : "the example does not match")}</p>
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
