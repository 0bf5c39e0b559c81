import type { ComponentChildren, FunctionComponent } from "preact";
import { Head } from "fresh/runtime";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { type Translate, translate } from "@/lib/ui/translate.ts";
import type { Formatter, Phrase } from "@/lib/ui/formatter.ts";
import { type AdminPageHandler, type HandledPage, pageHandler } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { findHelp } from "./help.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";

/** A link to a page. */
interface Crumb {
  readonly path: string;
  readonly name: string;
}

/** Pages above a page, topmost first. */
export type Above<Data> =
  | readonly (DeclaredPage | Crumb)[]
  | ((data: Data, t: Translate) => readonly (DeclaredPage | Crumb)[]);

/** Specification that all kinds of pages share. */
export interface PageFrame<Data> extends Pick<HandledPage<Data>, "shows" | "load"> {
  /** Path with its parameters in brackets: `/admin/groups/[id]`. */
  readonly path: string;
  readonly title: Wording<Data>;
  readonly above?: Above<Data>;
  /** Words for what is on the page, and its name where the title depends on data; null where the search skips it. */
  readonly find?: { readonly words: string; readonly name?: Phrase } | null;
}

/** Specification of an admin page. */
interface PageSpec<Data> extends PageFrame<Data>, HandledPage<Data> {
  /** One sentence that introduces the page. */
  readonly lede?: Wording<Data, ComponentChildren>;
  /** Actions on the page as a whole, beside its title. */
  readonly actions?: FunctionComponent<{ data: Data }>;
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
  readonly shows: HandledPage<never>["shows"];
  /** Name, other words and the page above by which the search finds it; null for one that it does not find. */
  readonly find: { readonly name: Phrase; readonly words: string; readonly above: Phrase } | null;
}

/** Declares an admin page; the result is the handler of its path. */
export function adminPage<Data>(spec: PageSpec<Data>): DeclaredPage {
  const { path, title, shows } = spec;
  const handler = pageHandler<Data>(spec, (data) => <Page spec={spec} data={data} />);
  const pattern = new RegExp(`^${path.replace(/\[(\w+)\]/, "(?<$1>[^/]+)")}/?$`);
  const name = typeof title === "function" ? "" : title;
  return Object.assign(handler, { path, pattern, title: name, shows, find: toFind(spec) });
}

function toFind<Data>({ path, title, above, find }: PageFrame<Data>): DeclaredPage["find"] {
  const name = find?.name ?? title;
  // A page of a record is found by the record.
  if (find === null || typeof name === "function" || path.includes("[")) return null;
  const parents = typeof above === "function" ? [] : above ?? [];
  const names = parents.map((page): Phrase => "title" in page ? page.title : page.name);
  return { name, words: find?.words ?? "", above: names.at(-1) ?? "" };
}

/** Longest word of a title that fits the line of a phone, in characters. */
const LONGEST_WORD = 16;

function Page<Data>({ spec, data }: { spec: PageSpec<Data>; data: Data }) {
  const admin = useAdmin();
  const { realm, t, opens } = admin;
  const word = useWording(data);
  const { lede: about = () => undefined, actions: Actions, view: View } = spec;
  const [title, lede, help] = [word(spec.title), word(about), findHelp(spec.path)];
  const crumbs = toCrumbs(spec.above ?? [], data, admin).filter(({ path }) =>
    opens(path.split("?")[0] ?? path)
  );
  return (
    <>
      <Head>
        <title>{`${title} · ${realm.name} · Sotto`}</title>
      </Head>
      {crumbs.length > 0 && (
        <nav aria-label={t("Breadcrumbs")} class="mb-2 text-small text-soft">
          <ol class="flex flex-wrap gap-x-2">
            {crumbs.map(({ path, name }) => (
              <li key={path} class="not-last:after:ms-2 not-last:after:content-['/']">
                <Link class="link" href={path}>{name}</Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div class="mb-7 flex flex-wrap items-end justify-between gap-4">
        <div class="min-w-0">
          <h1 class="break-words">
            <BreakableText text={title} longest={LONGEST_WORD} />
          </h1>
          {lede !== undefined && <p class="mt-2 max-w-[52ch] text-soft">{lede}</p>}
        </div>
        <div class="flex flex-wrap items-center gap-4">
          {Actions !== undefined && <Actions data={data} />}
          <Link
            class="link inline-flex min-h-8 items-center text-small text-soft"
            href={help.path}
            aria-label={t("Help: {title}", { title: t(help.title) })}
          >
            {t("Help")}
          </Link>
        </div>
      </div>
      <View data={data} />
    </>
  );
}

/** Returns the breadcrumb trail of a page. */
export function toCrumbs<Data>(
  above: Above<Data>,
  data: Data,
  { t }: Pick<AdminRequest, "t">,
): readonly Crumb[] {
  const pages = typeof above === "function" ? above(data, t) : above;
  return pages.map((page) => "title" in page ? { path: page.path, name: t(page.title) } : page);
}

/** A text, or what is made of the page's data. */
export type Wording<Data, Result = string> =
  | Phrase
  | ((data: Data, t: Translate, formatter: Formatter) => Result);

/** Returns the administrator for whom the page is rendered, and the page's English texts in their language. */
export function useTexts<Texts>(texts: Texts): AdminSession & { readonly text: Texts } {
  const admin = useAdmin();
  return { ...admin, text: translate(admin.formatter.language, texts) };
}

/** Returns a function that gives the text of a wording. */
export function useWording<Data>(data: Data) {
  const { t, formatter } = useAdmin();
  return <Result,>(wording: Wording<Data, Result>): Result | string =>
    typeof wording === "function" ? wording(data, t, formatter) : t(wording);
}
