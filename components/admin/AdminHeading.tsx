import { Head } from "fresh/runtime";
import type { ComponentChildren } from "preact";
import { useAdmin } from "./admin_view.ts";

/** A page on the way to this one. */
export interface Crumb {
  readonly path: string;
  readonly name: string;
}

interface AdminHeadingProps {
  readonly title: string;
  /** One sentence that says what the page is for. */
  readonly lede?: ComponentChildren;
  /** The pages above this one, the highest first. */
  readonly above?: readonly Crumb[];
  /** What can be done with the page as a whole. */
  readonly actions?: ComponentChildren;
}

/** The title of a page, what it is for, and the way back up. */
export function AdminHeading({ title, lede, above = [], actions }: AdminHeadingProps) {
  const { realm, words } = useAdmin();
  return (
    <>
      <Head>
        <title>{`${title} · ${realm.name} · Sotto`}</title>
      </Head>
      {above.length > 0 && (
        <nav aria-label={words.shell.breadcrumbs} class="mb-2 text-small text-soft">
          <ol class="flex flex-wrap gap-x-2">
            {above.map(({ path, name }) => (
              <li key={path} class="after:ms-2 after:content-['/']">
                <a class="link" href={path}>{name}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div class="mb-7 flex flex-wrap items-end justify-between gap-4">
        <div class="min-w-0">
          <h1 class="break-words">{title}</h1>
          {lede !== undefined && <p class="mt-2 max-w-[52ch] text-soft">{lede}</p>}
        </div>
        {actions}
      </div>
    </>
  );
}
