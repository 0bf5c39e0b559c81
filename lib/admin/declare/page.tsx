import type { ComponentChildren, FunctionComponent } from "preact";
import { RefusedFormContext } from "@/components/admin/form_state.ts";
import { AdminHeading, type Crumb } from "@/components/admin/AdminHeading.tsx";
import type { UploadLimit } from "@/lib/api/fields.ts";
import { type Messages, translate } from "@/lib/ui/messages/catalogue.ts";
import type { Formatter, Phrase } from "@/lib/ui/formatter.ts";
import { type AdminAction, type AdminPageHandler, pageHandler } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { ShownEvents } from "../events/shown_events.ts";
import { findHelp } from "./help.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";

/** Pages above a page, topmost first. */
export type Above<Data> =
  | readonly (DeclaredPage | Crumb)[]
  | ((data: Data, t: Format, messages: Messages) => readonly (DeclaredPage | Crumb)[]);

/** Words by which the search finds a page. */
interface FindSpec {
  /** Name, where the title depends on the data. */
  readonly name?: Phrase;
  /** Other words for what is on the page. */
  readonly words?: string;
}

/** Specification that all kinds of pages share. */
export interface PageFrame<Data> {
  /** Path with its parameters in brackets: `/admin/groups/[id]`. */
  readonly path: string;
  readonly title: Wording<Data>;
  readonly above?: Above<Data>;
  /** Events that concern the page; undefined when it shows nothing that others change. */
  readonly shows?: ShownEvents;
  /** Null for a page that the search does not find. */
  readonly find?: FindSpec | null;
  /** Loads the page's data; null when its subject does not exist. */
  readonly load: (request: AdminRequest) => Promise<Data | null>;
}

/** Specification of an admin page. */
interface PageSpec<Data> extends PageFrame<Data> {
  /** One sentence that introduces the page. */
  readonly lede?: Wording<Data, ComponentChildren>;
  /** Actions on the page as a whole, beside its title. */
  readonly actions?: FunctionComponent<{ data: Data }>;
  /** Returns the path of the page that is shown instead, or null. */
  readonly redirect?: (request: AdminRequest) => Promise<string | null>;
  readonly forms?: readonly (AdminAction & { readonly action: string })[];
  /** Size limit of uploaded files, and the action that is refused for larger ones. */
  readonly files?: UploadLimit & { readonly action: string };
  /** Renders everything below the title. */
  readonly view: FunctionComponent<{ data: Data }>;
}

/** A declared admin page, which is the handler of its path. */
export interface DeclaredPage extends AdminPageHandler {
  readonly path: string;
  /** Matches the paths of the page; its groups are their parameters. */
  readonly pattern: RegExp;
  /** Title; empty where it depends on the data. */
  readonly title: Phrase;
  readonly shows: ShownEvents | undefined;
  /** Name, other words and the page above by which the search finds it; null for one that it does not find. */
  readonly find: { readonly name: Phrase; readonly words: string; readonly above: Phrase } | null;
}

/** Declares an admin page; the result is the handler of its path. */
export function adminPage<Data>(spec: PageSpec<Data>): DeclaredPage {
  const { path, title, shows, load, forms = [], files } = spec;
  const handler = pageHandler<Data>({
    load,
    actions: Object.fromEntries(forms.map((one) => [one.action, one])),
    isLive: shows !== undefined,
    ...(files === undefined ? {} : { files }),
    ...(spec.redirect === undefined ? {} : { redirect: spec.redirect }),
    render: (data, refused) => (
      <RefusedFormContext.Provider value={refused}>
        <Page spec={spec} data={data} />
      </RefusedFormContext.Provider>
    ),
  });
  const pattern = new RegExp(`^${path.replace(/\[(\w+)\]/, "(?<$1>[^/]+)")}/?$`);
  const name = typeof title === "function" ? "" : title;
  const find = toFind(spec, spec.find?.name ?? name);
  return Object.assign(handler, { path, pattern, title: name, shows, find });
}

function toFind<Data>({ path, above, find }: PageFrame<Data>, name: Phrase): DeclaredPage["find"] {
  // A page of a record is found by the record.
  if (find === null || path.includes("[")) return null;
  const parents = typeof above === "function" ? [] : above ?? [];
  const names = parents.map((page): Phrase => "title" in page ? page.title : page.name);
  return { name, words: find?.words ?? "", above: names.at(-1) ?? "" };
}

function Page<Data>({ spec, data }: { spec: PageSpec<Data>; data: Data }) {
  const admin = useTexts(null);
  const word = useWording(data);
  const help = findHelp(spec.path);
  const { lede, actions: Actions, view: View } = spec;
  return (
    <>
      <AdminHeading
        title={word(spec.title)}
        above={toCrumbs(spec.above ?? [], data, admin)}
        lede={lede === undefined ? undefined : word(lede)}
        help={{ path: help.path, name: word(help.title) }}
        actions={Actions === undefined ? undefined : <Actions data={data} />}
      />
      <View data={data} />
    </>
  );
}

/** Returns the breadcrumb trail of a page. */
export function toCrumbs<Data>(
  above: Above<Data>,
  data: Data,
  { t, messages }: Pick<AdminRequest, "t" | "messages">,
): readonly Crumb[] {
  const pages = typeof above === "function" ? above(data, t, messages) : above;
  return pages.map((page) => "title" in page ? { path: page.path, name: t(page.title) } : page);
}

type Format = AdminSession["t"];

/** A text, or what is made of the page's data. */
export type Wording<Data, Result = string> =
  | Phrase
  | ((data: Data, t: Format, messages: Messages, formatter: Formatter) => Result);

/** Returns the administrator for whom the page is rendered, and the page's English texts in their language. */
export function useTexts<Texts>(texts: Texts): AdminSession & { readonly text: Texts } {
  const admin = useAdmin();
  return { ...admin, text: translate(admin.formatter.language, texts) };
}

/** Returns a function that gives the text of a wording. */
export function useWording<Data>(data: Data) {
  const { t, messages, formatter } = useTexts(null);
  return <Result,>(wording: Wording<Data, Result>): Result | string =>
    typeof wording === "function" ? wording(data, t, messages, formatter) : t(wording);
}
