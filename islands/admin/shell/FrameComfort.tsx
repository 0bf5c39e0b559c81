import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { findDialog } from "@/lib/client/dialog.ts";
import { listenToConfirmations } from "@/lib/client/confirmations.ts";
import { SESSION_ENDED } from "@/lib/client/page_action.ts";
import { listenToNews } from "@/lib/client/page_news.ts";
import { listenToPalette } from "@/lib/client/palette_keys.ts";
import { listenToShortcuts } from "@/lib/client/shortcuts.ts";
import { sayWhenSlow } from "@/lib/client/slow_submit.ts";
import { guardForms } from "@/lib/client/unsaved.ts";

interface FrameComfortProps {
  /** Label of a button whose form is under way. */
  readonly working: string;
  readonly offline: string;
  /** Cookie for the browser's time zone, in place of `ZONE`; empty for none. */
  readonly zoneCookie: string;
}

/**
 * Enhances the page frame: opens its dialogs, handles shortcuts, guards unsaved changes, and reports a slow
 * or unreachable server and changes by others.
 */
export default function FrameComfort({ working, offline, zoneCookie }: FrameComfortProps) {
  const isOffline = useSignal(false);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    if (zoneCookie) {
      document.cookie = zoneCookie.replace("ZONE", Intl.DateTimeFormat().resolvedOptions().timeZone);
    }
    guardForms(signal);
    sayWhenSlow(working, signal);
    listenToConfirmations(signal);
    document.addEventListener("click", ({ target }) => {
      const id = target instanceof Element
        ? target.closest("[data-closes]")?.getAttribute("data-closes")
        : null;
      if (id) document.getElementById(id)?.remove();
    }, { signal });
    document.addEventListener(SESSION_ENDED, () => {
      const dialog = findDialog("session-ended");
      if (dialog?.open === false) dialog.showModal();
    }, { signal });
    const noteLine = () => isOffline.value = !navigator.onLine;
    globalThis.addEventListener("online", noteLine, { signal });
    globalThis.addEventListener("offline", noteLine, { signal });
    const [sheet, palette] = [findDialog("shortcuts"), findDialog("palette")];
    if (sheet !== null) listenToShortcuts(sheet, signal);
    if (palette !== null) listenToPalette(palette, signal);
    listenToNews();
    return () => ended.abort();
  }, []);
  return (
    <p role="status" class="mb-6 rounded-control bg-wash px-4 py-2.5 text-accent empty:hidden">
      {isOffline.value ? offline : ""}
    </p>
  );
}
