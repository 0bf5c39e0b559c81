import { Head } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import { useAdmin } from "./admin_view.ts";
import { BreakableText } from "../BreakableText.tsx";
import { Link } from "../Link.tsx";

/** Longest word of a title that fits the line of a phone, in characters. */
const LONGEST_WORD = 16;

/** A link to a page or document. */
export interface Crumb {
  readonly path: string;
  readonly name: string;
}

interface AdminHeadingProps {
  readonly title: string;
  /** One sentence that introduces the page. */
  readonly lede?: ComponentChildren;
  /** Ancestor pages, topmost first. */
  readonly above?: readonly Crumb[];
  /** Section of the guide about the page. */
  readonly help: Crumb;
  /** Actions on the page as a whole. */
  readonly actions?: ComponentChildren;
}

/** Renders a page's breadcrumb trail, title and introduction. */
export function AdminHeading({ title, lede, above = [], help, actions }: AdminHeadingProps) {
  const { realm, messages, formatter, opens } = useAdmin();
  const crumbs = above.filter(({ path }) => opens(path.split("?")[0] ?? path));
  return (
    <>
      <Head>
        <title>{`${title} · ${realm.name} · Sotto`}</title>
      </Head>
      {crumbs.length > 0 && (
        <nav aria-label={messages.shell.breadcrumbs} class="mb-2 text-small text-soft">
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
          {actions}
          <Link
            class="link inline-flex min-h-8 items-center text-small text-soft"
            href={help.path}
            aria-label={formatter.t(messages.shell.helpAbout, { title: help.name })}
          >
            {messages.shell.help}
          </Link>
        </div>
      </div>
    </>
  );
}
