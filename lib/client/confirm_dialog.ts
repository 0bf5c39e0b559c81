/**
 * Shows the page that a link leads to in a dialog, or follows the link if that page confirms nothing.
 * `onSubmit` is called when its form is sent.
 */
export async function openConfirmation(link: HTMLAnchorElement, onSubmit: () => void): Promise<void> {
  const response = await fetch(link.href, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const content = page.querySelector("[data-confirm]");
  const title = page.querySelector("h1");
  const form = content?.querySelector("form");
  if (!response.ok || !content || !title || !form) return location.assign(link.href);
  const heading = document.createElement("h2");
  heading.id = "confirm-title";
  heading.className = "mb-4 break-words";
  heading.append(...title.childNodes);
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", heading.id);
  // Looks like the dialogs that every page has.
  dialog.className = document.querySelector("dialog")?.className ?? "";
  const here = location.pathname + location.search;
  form.action = `${link.pathname}?return=${encodeURIComponent(here)}`;
  form.addEventListener("submit", onSubmit);
  dialog.append(heading, document.importNode(content, true));
  // The imported form is a copy without the listener, so the original moves into the dialog.
  dialog.querySelector("form")?.replaceWith(form);
  dialog.addEventListener("click", (event) => {
    const isCancel = event.target instanceof Element && event.target.closest("a[data-cancel]") !== null;
    if (isCancel) event.preventDefault();
    if (isCancel || event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    link.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  // The first control is the button that destroys, unless there is a field.
  if (form.querySelector("input:not([type=hidden]), textarea, select") === null) {
    dialog.querySelector<HTMLElement>("a[data-cancel]")?.focus();
  }
}
