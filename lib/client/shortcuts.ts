import { openByControls } from "./dialog.ts";

/** How long the second of two keys may take. */
const SECOND_KEY_MS = 1500;
const FIELDS = "input, textarea, select, [contenteditable]";

/**
 * Opens the list of shortcuts by its links and by `?`, and follows its links with `data-key` by `g` and that key; gives
 * what ends that. With `data-keys` "off" no single key acts.
 */
export function listenToShortcuts(sheet: HTMLDialogElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  openByControls(sheet, () => sheet.showModal(), signal);
  if (sheet.dataset["keys"] === "off") return () => ended.abort();
  let isGoing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("keydown", (event) => {
    if (!isFree(event)) return;
    if (isGoing) {
      isGoing = false;
      const link = [...sheet.querySelectorAll("a")].find(({ dataset }) => dataset["key"] === event.key);
      if (link !== undefined) location.assign(link.href);
    } else if (event.key === "g") {
      isGoing = true;
      clearTimeout(timer);
      timer = setTimeout(() => isGoing = false, SECOND_KEY_MS);
    } else if (event.key === "?") {
      event.preventDefault();
      sheet.showModal();
    }
  }, { signal });
  return () => ended.abort();
}

/** Whether a key can mean a shortcut: nobody is typing, no other key is held, nothing is open above the page. */
function isFree(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) {
    return false;
  }
  if (event.target instanceof Element && event.target.closest(FIELDS) !== null) return false;
  return document.querySelector("dialog[open]") === null;
}
