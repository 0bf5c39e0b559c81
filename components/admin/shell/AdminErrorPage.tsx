import { Head } from "fresh/runtime";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Messages } from "@/lib/ui/messages/catalogue.ts";
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
  readonly messages: Messages;
}

/**
 * Renders the error page of an admin path in the visitor's language; administrators see it inside the admin
 * frame.
 */
export function AdminErrorPage(props: AdminErrorPageProps) {
  const { admin, path, messages: { shell } } = props;
  const overview = { path: "/admin", name: shell.errors.toOverview };
  const account = { path: "/account", name: shell.account };
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
        <Link href="/" aria-label={shell.home} class="inline-flex min-h-11 items-center no-underline">
          <Wordmark />
        </Link>
      </header>
      <main class="pt-10">
        <Explanation
          {...props}
          way={props.status === 403 ? account : overview}
        />
      </main>
    </div>
  );
}

interface ExplanationProps extends AdminErrorPageProps {
  /** Link to continue with. */
  readonly way: { readonly path: string; readonly name: string };
}

function Explanation({ status, message, requestId, messages, way }: ExplanationProps) {
  const { errors } = messages.shell;
  const { title, advice } = errors[kindOf(status)];
  return (
    <>
      <Head>
        <title>{`${title} · Sotto`}</title>
      </Head>
      <p class="text-small text-soft tabular-nums">{status}</p>
      <h1 class="mt-1">{title}</h1>
      <p dir="auto" class="mt-4 max-w-[52ch] text-lede">{message}</p>
      <p class="mt-2 max-w-[52ch] text-soft">{advice}</p>
      <p class="mt-7">
        <Link class="link inline-flex min-h-11 items-center font-strong" href={way.path}>{way.name}</Link>
      </p>
      <p class="mt-8 text-small text-soft">
        {errors.request} <code class="break-all">{requestId}</code>
      </p>
    </>
  );
}

/** Returns the kind of error page for an HTTP status. */
function kindOf(status: number): "refused" | "missing" | "tooFast" | "busy" | "notDone" | "broken" {
  if (status === 403) return "refused";
  if (status === 404 || status === 410) return "missing";
  if (status === 429) return "tooFast";
  if (status === 503) return "busy";
  return status < 500 ? "notDone" : "broken";
}
