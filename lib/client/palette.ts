import { openByControls } from "./dialog.ts";

/**
 * Opens the palette by its buttons and by Ctrl or Cmd with K, filters its options (`data-path`) by the typed
 * text, and follows the chosen one. Returns a function that stops it.
 */
export function listenToPalette(palette: HTMLDialogElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const field = palette.querySelector("input");
  const status = palette.querySelector("[role=status]");
  const options = [...palette.querySelectorAll("li")];
  const shown = () => options.filter(({ hidden }) => !hidden);
  const chosen = () => options.find(({ ariaSelected }) => ariaSelected === "true");
  const choose = (option: HTMLElement | undefined) => {
    for (const other of options) other.ariaSelected = String(other === option);
    field?.setAttribute("aria-activedescendant", option?.id ?? "");
    option?.scrollIntoView({ block: "nearest" });
  };
  const filter = () => {
    const messages = fold(field?.value ?? "").split(/\s+/);
    for (const option of options) {
      const text = fold(option.textContent);
      option.hidden = !messages.every((word) => text.includes(word));
    }
    choose(shown()[0]);
    const nothing = palette.querySelector("[data-nothing]")?.getAttribute("data-nothing") ?? "";
    if (status !== null) status.textContent = shown().length === 0 ? nothing : "";
  };
  const open = () => {
    if (field !== null) field.value = "";
    palette.showModal();
    filter();
    field?.focus();
  };
  const step = (by: number) => {
    const rows = shown();
    const at = rows.findIndex((row) => row === chosen());
    choose(rows.at((at + by) % (rows.length || 1)));
  };
  openByControls(palette, open, signal);
  listenToKeys({ palette, field, open, filter, step, choice: chosen }, signal);
  return () => ended.abort();
}

interface PaletteKeys {
  readonly palette: HTMLDialogElement;
  readonly field: HTMLInputElement | null;
  readonly open: () => void;
  readonly filter: () => void;
  readonly step: (by: number) => void;
  readonly choice: () => HTMLElement | undefined;
}

function listenToKeys(keys: PaletteKeys, signal: AbortSignal): void {
  const { palette, field, open, filter, step, choice } = keys;
  document.addEventListener("keydown", (event) => {
    const isWanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey &&
      event.key.toLowerCase() === "k";
    if (!isWanted) return;
    event.preventDefault();
    if (palette.open) palette.close();
    else if (document.querySelector("dialog[open]") === null) open();
  }, { signal });
  field?.addEventListener("input", filter, { signal });
  field?.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Enter") go(choice());
    else return;
    event.preventDefault();
  }, { signal });
  palette.addEventListener("click", (event) => {
    go(event.target instanceof Element ? event.target.closest("li") : null);
  }, { signal });
}

function go(option: HTMLElement | null | undefined): void {
  const path = option?.dataset["path"];
  if (path !== undefined) location.assign(path);
}

/** Normalizes text for comparison: lower case without accents. */
function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
