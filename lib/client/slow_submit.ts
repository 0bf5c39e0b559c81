/** A button says that it waits only when one would begin to wonder. */
const SLOW_MS = 300;
/** By then a form that did not lead to another page (a download) is done. */
const DONE_MS = 8000;

/**
 * Sends no form twice while it is under way, and lets its button say so (`working`) once that takes a while. Forms that
 * a script sends are left to it.
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
  // A page that comes back by the Back button is as it was left.
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
