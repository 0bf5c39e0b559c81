/** Returns the dialog with an id, or null. */
export function findDialog(id: string): HTMLDialogElement | null {
  const element = document.getElementById(id);
  return element instanceof HTMLDialogElement ? element : null;
}

/**
 * Lets links and buttons with the dialog's id in `data-opens` open it, and a click outside close it; the
 * browser returns the focus.
 */
export function openByControls(dialog: HTMLDialogElement, open: () => void, signal: AbortSignal): void {
  for (const button of document.querySelectorAll("button[data-opens]")) {
    if (button.getAttribute("data-opens") === dialog.id) button.removeAttribute("disabled");
  }
  document.addEventListener("click", (event) => {
    if (event.target === dialog) return dialog.close();
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const control = event.target instanceof Element ? event.target.closest("[data-opens]") : null;
    if (!isPlain || control?.getAttribute("data-opens") !== dialog.id) return;
    event.preventDefault();
    open();
  }, { signal });
}
