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
    const control = event.target instanceof Element ? event.target.closest("[data-opens]") : null;
    if (!isPlainClick(event) || control?.getAttribute("data-opens") !== dialog.id) return;
    event.preventDefault();
    open();
  }, { signal });
}

/** Whether a click is one of the main button without a modifier, which would open a link elsewhere. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
