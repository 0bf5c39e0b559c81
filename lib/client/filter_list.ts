/** Pause after a change before the server is asked, in milliseconds. */
const PAUSE_MS = 250;

/**
 * Filters the list below a form while its search field is edited, and keeps the page's address that of the filter. The
 * server renders the list: its rows replace those of the page, whose elements stay, as islands may know them. A page
 * that has no table, and a search that leads to another page, wait for the button.
 */
export function filterWhileTyping(form: HTMLFormElement): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const update = async () => {
    const mine = ++asked;
    const url = new URL(location.pathname, location.href);
    for (const [name, value] of new FormData(form)) {
      if (value !== "") url.searchParams.append(name, String(value));
    }
    const response = await fetch(url, { headers: { accept: "text/html" } }).catch(() => null);
    if (response === null || !response.ok || response.redirected) return;
    const next = new DOMParser().parseFromString(await response.text(), "text/html");
    if (mine === asked && showList(form, next.getElementById(form.id))) history.replaceState(null, "", url);
  };
  form.addEventListener("input", ({ target }) => {
    const isSearch = target instanceof HTMLInputElement && target.type === "search";
    if (!isSearch || !form.parentElement?.querySelector("table")) return;
    clearTimeout(timer);
    asked++;
    timer = setTimeout(update, PAUSE_MS);
  }, { signal: ended.signal });
  return () => {
    ended.abort();
    clearTimeout(timer);
    asked++;
  };
}

/** Shows the list of another version of the page; returns whether both have one. */
function showList(form: HTMLFormElement, nextForm: HTMLElement | null): boolean {
  const list = form.parentElement;
  const next = nextForm?.parentElement;
  const table = list?.querySelector("table");
  const nextTable = next?.querySelector("table") ?? null;
  const nothing = next?.querySelector("[data-empty]") ?? null;
  if (list === null || !next || !table || (nextTable === null && nothing === null)) return false;
  list.querySelector("[data-empty]")?.remove();
  if (nothing !== null) table.parentElement?.before(nothing);
  for (const part of ["thead", "tbody"]) {
    table.querySelector(part)?.replaceChildren(...nextTable?.querySelector(part)?.childNodes ?? []);
  }
  form.querySelector("a")?.remove();
  form.append(...nextForm?.querySelectorAll("a") ?? []);
  for (const part of ["[data-found]", ".selection-bar", "nav"]) {
    showPart(list, next, `#${form.id} ~ ${part}`);
  }
  const files = next.ownerDocument.querySelectorAll<HTMLAnchorElement>("main a[download]");
  for (const [at, file] of [...document.querySelectorAll("main a[download]")].entries()) {
    file.setAttribute("href", files[at]?.getAttribute("href") ?? "");
  }
  // The selected rows are gone, so the selection bar counts again.
  list.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

/** Shows a part beside the list as in another version of the page; it is hidden where that has none. */
function showPart(list: Element, next: Element, selector: string): void {
  const part = list.querySelector<HTMLElement>(selector);
  const nextPart = next.querySelector(selector);
  if (part === null) return void (nextPart !== null && list.append(nextPart));
  part.hidden = nextPart === null;
  if (nextPart === null) return;
  if (part.localName !== "form") return part.replaceChildren(...nextPart.childNodes);
  for (const field of part.querySelectorAll("input[type=hidden]")) field.remove();
  part.prepend(...nextPart.querySelectorAll("input[type=hidden]"));
  const buttons = nextPart.querySelectorAll("button");
  for (const [at, button] of [...part.querySelectorAll("button")].entries()) {
    button.replaceChildren(...buttons[at]?.childNodes ?? []);
  }
}
