import type { ComponentChildren } from "preact";
import { Head } from "fresh/runtime";
import { Link } from "./Link.tsx";

/** A link in the page header. */
interface HeaderLink {
  readonly path: string;
  readonly name: string;
}

interface PageFrameProps {
  /** Page name, shown in the browser tab before the product's name. */
  readonly title: string;
  readonly links: readonly HeaderLink[];
  /** Path of the header link that is the current page. */
  readonly current?: string | undefined;
  /** Uses the wide layout, for tables. */
  readonly isWide?: boolean;
  /** Content beside the wordmark. */
  readonly beside?: ComponentChildren;
  /** Actions available on every page, after the header links. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Renders the frame of a page: skip link, header, content and footer. */
export function PageFrame(
  { title, links, current, isWide = false, beside, actions, children }: PageFrameProps,
) {
  const width = `mx-auto w-full px-5 sm:px-8 ${isWide ? "max-w-[70rem]" : "max-w-[50rem]"}`;
  return (
    <div class="flex min-h-dvh flex-col">
      <Head>
        <title>{`${title} · Sotto`}</title>
      </Head>
      <SkipLink />
      <header class={`${width} flex flex-wrap items-center justify-between gap-x-8 gap-y-1 pt-6 sm:pt-9`}>
        <Link
          href="/"
          class="-mx-1 inline-flex min-h-11 items-center px-1 no-underline"
          aria-label="Sotto, home"
        >
          <Wordmark />
        </Link>
        {beside}
        <nav aria-label="Main" class="-mx-2 flex flex-wrap gap-x-2">
          {links.map((link) => <NavLink key={link.path} {...link} isCurrent={link.path === current} />)}
          {actions}
        </nav>
      </header>
      <main id="content" tabIndex={-1} class={`${width} grow pt-10 pb-16 outline-none sm:pt-16`}>
        {children}
      </main>
      <footer class={`${width} pb-8`}>
        <p class="flex flex-wrap justify-between gap-x-8 border-t border-rule pt-5 text-small text-soft">
          <span>Free software under the Apache License 2.0.</span>
          <Link class="link" href="/stats">Usage totals (JSON)</Link>
        </p>
      </footer>
    </div>
  );
}

function SkipLink() {
  return (
    <Link
      href="#content"
      class="sr-only focus:not-sr-only focus:absolute focus:m-3 focus:rounded-control focus:bg-ink focus:px-4 focus:py-2 focus:text-paper"
    >
      Skip to content
    </Link>
  );
}

function NavLink({ path, name, isCurrent }: HeaderLink & { isCurrent: boolean }) {
  const look = isCurrent
    ? "text-ink underline decoration-accent decoration-2 underline-offset-8"
    : "text-soft";
  return (
    <Link
      href={path}
      aria-current={isCurrent ? "page" : undefined}
      class={`inline-flex min-h-11 items-center px-2 hover:text-ink ${look}`}
    >
      {name}
    </Link>
  );
}

interface SitePageProps {
  /** Page name, shown in the browser tab before the product's name. */
  readonly title: string;
  /** Path of the header link that is the current page. */
  readonly current?: string;
  /** Whether the visitor has a session; the header then links to the account. */
  readonly isSignedIn?: boolean;
  /** Uses the wide layout, for tables. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

const DOCS = { path: "/docs", name: "API documentation" };
const SIGN_IN = { path: "/login", name: "Sign in" };
const ACCOUNT = { path: "/account", name: "Your account" };

/** Renders a public page: skip link, header, content and footer. */
export function SitePage(props: SitePageProps) {
  const { isSignedIn = false, ...rest } = props;
  return <PageFrame {...rest} links={[DOCS, isSignedIn ? ACCOUNT : SIGN_IN]} />;
}

/** Renders a page's title and, if given, a sentence that introduces the page. */
export function PageTitle({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <>
      <h1>{title}</h1>
      {children !== undefined && <p class="mt-3 max-w-[46ch] text-balance text-soft">{children}</p>}
    </>
  );
}

/** Renders the product's name, with the outline of an invisible character. */
export function Wordmark() {
  return (
    <span class="inline-flex items-baseline gap-1 font-serif text-h2 font-medium leading-none tracking-[-0.01em]">
      Sotto
      <span class="ghost-[0.62em] translate-y-[0.02em]" aria-hidden="true" />
    </span>
  );
}
