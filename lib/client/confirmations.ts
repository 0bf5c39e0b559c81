import { isPlainClick } from "./dialog.ts";

/** Key of the session's storage that holds the position of a page to which a form returns. */
const POSITION_KEY = "sotto-scroll";
/** Paths of pages that may confirm a destructive action. */
const CONFIRM_PATH = /\/(archive|deactivate|delete|remove|revoke|resend|reset-key|revert)$/;

/**
 * Opens pages that confirm an action as dialogs over the page that links to them, and restores the page's
 * scroll position afterward. Anything unexpected follows the link.
 */
export function listenToConfirmations(signal: AbortSignal): void {
  restorePosition();
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("main a[href]") : null;
    if (!isPlainClick(event) || event.defaultPrevented || !(link instanceof HTMLAnchorElement)) return;
    if (link.origin !== location.origin || !CONFIRM_PATH.test(link.pathname)) return;
    event.preventDefault();
    void import("./confirm_dialog.ts")
      .then(({ openConfirmation }) => openConfirmation(link, keepPosition))
      .catch(() => location.assign(link.href));
  }, { signal });
}

/** Notes the scroll position for the next page, if it is the same one. */
function keepPosition(): void {
  sessionStorage.setItem(POSITION_KEY, JSON.stringify([location.pathname, scrollY]));
}

/** Scrolls to where the page was when the form in the dialog was sent. */
function restorePosition(): void {
  const stored = sessionStorage.getItem(POSITION_KEY);
  if (stored === null) return;
  sessionStorage.removeItem(POSITION_KEY);
  const [path, top]: unknown[] = JSON.parse(stored);
  if (path === location.pathname && typeof top === "number") scrollTo({ top, behavior: "instant" });
}
