/** Delay before a button shows that it is working, in milliseconds. */
const SLOW_MS = 300;
/** Time after which a form that led to no other page, such as a download, counts as done, in milliseconds. */
const DONE_MS = 8000;

/**
 * Prevents submitting a form twice and lets its button show `working` after a while. Leaves forms alone that
 * a script sends.
 */
export function sayWhenSlow(working: string, signal: AbortSignal): void {
  const underWay = new Map<HTMLFormElement, () => void>();
  document.addEventListener("submit", (event) => {
    const { target: form, submitter: button } = event;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
    if (form.target === "_blank") return;
    if (underWay.has(form)) return event.preventDefault();
    const restore = button instanceof HTMLButtonElement ? sayLater(button, working) : () => {};
    const end = () => {
      restore();
      underWay.delete(form);
    };
    underWay.set(form, end);
    setTimeout(end, DONE_MS);
  }, { signal });
  // The Back button restores a page as it was left.
  globalThis.addEventListener("pageshow", () => {
    for (const end of [...underWay.values()]) end();
  }, { signal });
}

function sayLater(button: HTMLButtonElement, working: string): () => void {
  const content = [...button.childNodes];
  const timer = setTimeout(() => {
    button.style.minWidth = `${button.offsetWidth}px`;
    button.ariaDisabled = "true";
    button.replaceChildren(working);
  }, SLOW_MS);
  return () => {
    clearTimeout(timer);
    if (button.ariaDisabled !== "true") return;
    button.ariaDisabled = null;
    button.style.minWidth = "";
    button.replaceChildren(...content);
  };
}
