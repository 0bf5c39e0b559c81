import { Head } from "fresh/runtime";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Translate } from "@/lib/ui/translate.ts";
import { explainStatus } from "@/components/ErrorPage.tsx";
import { Wordmark } from "@/components/PageFrame.tsx";
import { AdminShell } from "./AdminShell.tsx";
import { Link } from "@/components/Link.tsx";

interface AdminErrorPageProps {
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
  /** Requested path. */
  readonly path: string;
  /** The administrator who sent the request; null for anyone else. */
  readonly admin: AdminSession | null;
  readonly t: Translate;
}

/**
 * Renders the error page of an admin path in the visitor's language; administrators see it inside the admin
 * frame.
 */
export function AdminErrorPage(props: AdminErrorPageProps) {
  const { admin, path, t } = props;
  const overview = { path: "/admin", name: t("Go to the overview") };
  const account = { path: "/account", name: t("Your account") };
  if (admin !== null) {
    return (
      <AdminShell admin={admin} path={path} isPlain>
        <Explanation {...props} way={admin.opens(overview.path) ? overview : account} />
      </AdminShell>
    );
  }
  return (
    <div class="mx-auto w-full max-w-[50rem] px-5 pt-6 pb-16 sm:px-8 sm:pt-9">
      <header>
        <Link href="/" aria-label={t("Sotto, home")} class="inline-flex min-h-11 items-center no-underline">
          <Wordmark />
        </Link>
      </header>
      <main class="pt-10">
        <Explanation {...props} way={props.status === 403 ? account : overview} />
      </main>
    </div>
  );
}

interface ExplanationProps extends AdminErrorPageProps {
  /** Link to continue with. */
  readonly way: { readonly path: string; readonly name: string };
}

function Explanation({ status, message, requestId, t, way }: ExplanationProps) {
  const { title, advice } = explain(status);
  return (
    <>
      <Head>
        <title>{`${t(title)} · Sotto`}</title>
      </Head>
      <p class="text-small text-soft tabular-nums">{status}</p>
      <h1 class="mt-1">{t(title)}</h1>
      <p dir="auto" class="mt-4 max-w-[52ch] text-lede">{message}</p>
      <p class="mt-2 max-w-[52ch] text-soft">{t(advice)}</p>
      <p class="mt-7">
        <Link class="link inline-flex min-h-11 items-center font-strong" href={way.path}>{way.name}</Link>
      </p>
      <p class="mt-8 text-small text-soft">
        {t("Request ID")} <code class="break-all">{requestId}</code>
      </p>
    </>
  );
}

/** Returns the title and the advice for an HTTP status. */
function explain(status: number): { title: string; advice: string } {
  if (status === 404 || status === 410) {
    return { title: "Page not found", advice: "Check the address, or start from the overview." };
  }
  return status === 403 || status === 429 || status >= 500
    ? explainStatus(status)
    : { title: "The request failed", advice: "Go back, check what you entered, and try again." };
}
