import { openByControls } from "./dialog.ts";

/** Time within which the second of two keys must follow, in milliseconds. */
const SECOND_KEY_MS = 1500;
const FIELDS = "input, textarea, select, [contenteditable]";

/**
 * Opens the list of shortcuts by its links and by `?`, and follows its links with `data-key` after `g` and
 * that key. With `data-keys` "off", single keys do nothing.
 */
export function listenToShortcuts(sheet: HTMLDialogElement, signal: AbortSignal): void {
  openByControls(sheet, () => sheet.showModal(), signal);
  if (sheet.dataset["keys"] === "off") return;
  let goesUntil = 0;
  document.addEventListener("keydown", (event) => {
    if (!isFree(event)) return;
    if (event.timeStamp < goesUntil) {
      goesUntil = 0;
      const link = [...sheet.querySelectorAll("a")].find(({ dataset }) => dataset["key"] === event.key);
      if (link !== undefined) location.assign(link.href);
    } else if (event.key === "g") {
      goesUntil = event.timeStamp + SECOND_KEY_MS;
    } else if (event.key === "?") {
      event.preventDefault();
      sheet.showModal();
    }
  }, { signal });
}

/**
 * Whether a key can be a shortcut: no text field has the focus, no modifier is pressed, and no dialog is
 * open.
 */
function isFree(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) {
    return false;
  }
  if (event.target instanceof Element && event.target.closest(FIELDS) !== null) return false;
  return document.querySelector("dialog[open]") === null;
}
