import type { ComponentChildren } from "preact";
import type { AdminSession, FlashMessage } from "@/lib/services/admin_session.ts";
import FrameComfort from "@/islands/admin/shell/FrameComfort.tsx";
import { Wordmark } from "@/components/PageFrame.tsx";
import { AdminView, useAdmin } from "../admin_view.ts";
import { AdminNav } from "./AdminNav.tsx";
import { ShellDialogs } from "./ShellDialogs.tsx";
import { Link } from "@/components/Link.tsx";
import { QUIET_BUTTON, STATUS_BAR, WORD_BUTTON } from "@/lib/ui/class_names.ts";

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
  const { t } = admin;
  return (
    <AdminView.Provider value={admin}>
      <Link
        href="#content"
        class="sr-only focus:not-sr-only focus:absolute focus:m-3 focus:rounded-control focus:bg-ink focus:px-4 focus:py-2 focus:text-paper"
      >
        {t("Skip to content")}
      </Link>
      <div class="min-h-dvh lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
        <header class="border-rule max-lg:relative max-lg:border-b max-lg:px-5 max-lg:py-3 sm:max-lg:px-8 lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-e lg:px-5 lg:py-4">
          <Link
            href="/"
            aria-label={t("Sotto, home")}
            class="inline-flex min-h-11 items-center no-underline lg:px-2.5"
          >
            <Wordmark />
          </Link>
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
              working={t("Loading…")}
              offline={t("You are offline. Your input is still here. Try again when you are back online.")}
              zoneCookie={admin.zoneCookie}
            />
          )}
          {!isPlain && <PageNews />}
          {children}
          {!isPlain && (
            <p class="mt-14 hidden text-small text-soft group-not-has-[[data-zones]]/page:group-has-[:is(time,[data-time],[type=date]:not([data-utc]),[type=datetime-local])]/page:block">
              {t("Times are in the time zone {zone}.", { zone: admin.timeZone.replaceAll("_", " ") })}{" "}
              <Link class="link" href="/account#time-zone">{t("Change")}</Link>
            </p>
          )}
        </main>
      </div>
      {!isPlain && <ShellDialogs path={path} />}
    </AdminView.Provider>
  );
}

/**
 * Renders the flash message as a bar at the bottom of the screen, where it is visible at any scroll position;
 * without JavaScript it is above the content, as it cannot be closed.
 */
function FlashBar({ notice }: { notice: FlashMessage | null }) {
  const { t } = useAdmin();
  if (notice === null) return <p role="status" class="sr-only" />;
  const { text, undo } = notice;
  return (
    <div id="flash" class={STATUS_BAR}>
      <p role="status" class="min-w-0 break-words">{text}</p>
      {undo !== null && (
        <form method="post" action={undo.path}>
          {Object.entries(undo.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" class={`${QUIET_BUTTON} min-h-9`}>{t("Undo")}</button>
        </form>
      )}
      <button type="button" data-closes="flash" class={`${WORD_BUTTON} min-h-9 noscript:hidden`}>
        {t("Close")}
      </button>
    </div>
  );
}

/**
 * Renders the templates of the two bars that report a change by another user; a script inserts one of them.
 * The bars float, so that the content never moves.
 */
function PageNews() {
  const { news, t } = useAdmin();
  if (news === undefined) return null;
  return (
    <div id="page-news" role="status" data-path={news.path} data-position={news.position}>
      <NewsBar text={t("This page has changed.")} />
      <NewsBar text={t("This page may have changed.")} />
    </div>
  );
}

function NewsBar({ text }: { text: string }) {
  const { t } = useAdmin();
  return (
    <template>
      <div class="fixed inset-x-4 bottom-4 z-10 mx-auto flex w-fit max-w-[calc(100%-2rem)] flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-panel border border-edge bg-raised py-2 ps-4 pe-2 font-medium shadow-[0_0.5rem_2rem_rgb(0_0_0/0.15)] lg:start-[16.5rem] print:hidden">
        {text}
        <button type="button" class={QUIET_BUTTON}>{t("Reload")}</button>
      </div>
    </template>
  );
}
