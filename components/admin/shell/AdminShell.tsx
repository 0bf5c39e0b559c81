import type { ComponentChildren } from "preact";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import FrameComfort from "@/islands/admin/shell/FrameComfort.tsx";
import { Wordmark } from "@/components/Wordmark.tsx";
import { AdminView } from "../admin_view.ts";
import { AdminNav } from "./AdminNav.tsx";
import { FlashBar } from "./FlashBar.tsx";
import { PageNews } from "./PageNews.tsx";
import { ShellDialogs } from "./ShellDialogs.tsx";
import { Link } from "@/components/Link.tsx";

interface AdminShellProps {
  readonly admin: AdminSession;
  /** Path of the page. */
  readonly path: string;
  /** Leaves out the parts that need JavaScript. */
  readonly isPlain?: boolean;
  readonly children: ComponentChildren;
}

/** Renders the frame of an admin page: skip link, navigation, flash message and content. */
export function AdminShell({ admin, path, isPlain = false, children }: AdminShellProps) {
  const { messages } = admin;
  return (
    <AdminView.Provider value={admin}>
      <SkipLink text={messages.shell.skip} />
      <div class="min-h-dvh lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
        <header class="border-rule max-lg:relative max-lg:border-b max-lg:px-4 max-lg:py-3 lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-e lg:px-5 lg:py-5">
          <HomeLink text={messages.shell.home} />
          <AdminNav path={path} />
        </header>
        <main
          id="content"
          tabIndex={-1}
          class="group/page w-full max-w-[70rem] min-w-0 px-5 pt-6 pb-20 outline-none sm:px-8 lg:px-[clamp(1.25rem,4vw,3.5rem)] lg:pt-10"
        >
          <FlashBar notice={admin.notice} />
          {!isPlain && (
            <FrameComfort
              dialogs={{ palette: "palette", shortcuts: "shortcuts", sessionEnded: "session-ended" }}
              working={messages.common.working}
              offline={messages.common.youAreOffline}
              zoneCookie={admin.zoneCookie}
            />
          )}
          {!isPlain && <PageNews />}
          {children}
          {!isPlain && (
            <p class="mt-14 hidden text-small text-soft group-has-[:is(time,[data-time],[type=date],[type=datetime-local])]/page:block">
              {admin.formatter.t(messages.shell.times, { zone: admin.timeZone.replaceAll("_", " ") })}{" "}
              <Link class="link" href="/account#time-zone">{messages.shell.changeZone}</Link>
            </p>
          )}
        </main>
      </div>
      {!isPlain && <ShellDialogs path={path} />}
    </AdminView.Provider>
  );
}

function SkipLink({ text }: { text: string }) {
  return (
    <Link
      href="#content"
      class="sr-only focus:not-sr-only focus:absolute focus:m-3 focus:rounded-control focus:bg-ink focus:px-4 focus:py-2 focus:text-paper"
    >
      {text}
    </Link>
  );
}

function HomeLink({ text }: { text: string }) {
  return (
    <Link
      href="/"
      aria-label={text}
      class="inline-flex min-h-11 items-center px-2.5 no-underline"
    >
      <Wordmark />
    </Link>
  );
}
