/** Pause after typing before records are searched, in milliseconds. */
const SEARCH_AFTER_MS = 150;

/**
 * Filters the options of the palette (`data-path`) by the typed text, adds the people, channels, links and
 * settings that the server finds (`data-find`), and follows the chosen option.
 */
export function enablePalette(palette: HTMLDialogElement, signal: AbortSignal): void {
  const field = palette.querySelector("input");
  const list = palette.querySelector("ul");
  if (field === null || list === null) return;
  const choice = createChoice(field, list);
  const search = createSearch(palette, { list, onFound: () => filter(palette, field, choice) });
  field.addEventListener("input", () => {
    filter(palette, field, choice);
    search(field.value);
  }, { signal });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") choice.step(1);
    else if (event.key === "ArrowUp") choice.step(-1);
    else if (event.key === "Enter") go(choice.chosen());
    else return;
    event.preventDefault();
  }, { signal });
  palette.addEventListener("click", (event) => {
    go(event.target instanceof Element ? event.target.closest("li") : null);
  }, { signal });
  filter(palette, field, choice);
  search(field.value);
}

/** The option that Enter follows. */
interface Choice {
  readonly options: () => HTMLLIElement[];
  readonly choose: (option: HTMLElement | undefined) => void;
  readonly chosen: () => HTMLLIElement | undefined;
  readonly step: (by: number) => void;
}

function createChoice(field: HTMLInputElement, list: HTMLUListElement): Choice {
  const options = () => [...list.querySelectorAll("li")];
  const chosen = () => options().find(({ ariaSelected }) => ariaSelected === "true");
  const choose = (option: HTMLElement | undefined) => {
    for (const other of options()) other.ariaSelected = String(other === option);
    field.setAttribute("aria-activedescendant", option?.id ?? "");
    option?.scrollIntoView({ block: "nearest" });
  };
  const step = (by: number) => {
    const rows = options().filter(({ hidden }) => !hidden);
    const at = rows.findIndex((row) => row === chosen());
    choose(rows.at((at + by) % (rows.length || 1)));
  };
  return { options, choose, chosen, step };
}

function filter(palette: HTMLDialogElement, field: HTMLInputElement, { options, choose }: Choice): void {
  const words = fold(field.value).split(/\s+/);
  for (const option of options()) {
    const text = fold(option.textContent);
    // The server has matched what it found.
    option.hidden = option.dataset["found"] === undefined && !words.every((word) => text.includes(word));
  }
  const shown = options().filter(({ hidden }) => !hidden);
  choose(shown[0]);
  const status = palette.querySelector("[role=status]");
  const nothing = palette.querySelector("[data-nothing]")?.getAttribute("data-nothing") ?? "";
  if (status !== null) status.textContent = shown.length === 0 ? nothing : "";
}

/** Returns a function that searches records shortly after the last change of the text. */
function createSearch(
  palette: HTMLDialogElement,
  { list, onFound }: { list: HTMLUListElement; onFound: () => void },
): (text: string) => void {
  const path = palette.dataset["find"] ?? "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  return (text) => {
    clearTimeout(timer);
    const turn = ++last;
    for (const option of list.querySelectorAll("[data-found]")) option.remove();
    if (text.trim() === "") return;
    timer = setTimeout(async () => {
      const found = await fetchFound(`${path}?q=${encodeURIComponent(text)}`);
      if (turn !== last) return;
      list.append(...found.map((one, at) => toOption(one, { at, sample: list.querySelector("li") })));
      onFound();
    }, SEARCH_AFTER_MS);
  };
}

interface Found {
  readonly path: string;
  readonly name: string;
  readonly about: string;
}

async function fetchFound(address: string): Promise<readonly Found[]> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" } });
    const { found }: { found?: readonly Found[] } = response.ok ? await response.json() : {};
    return found ?? [];
  } catch {
    return [];
  }
}

/** Creates an option like another one. */
function toOption(
  { path, name, about }: Found,
  { at, sample }: { at: number; sample: HTMLElement | null },
): HTMLLIElement {
  const option = document.createElement("li");
  option.id = `palette-found-${at}`;
  option.role = "option";
  option.className = sample?.className ?? "";
  option.dataset["path"] = path;
  option.dataset["found"] = "";
  const [label, note] = [document.createElement("bdi"), document.createElement("span")];
  label.className = "min-w-0 break-words";
  note.className = sample?.lastElementChild?.className ?? "";
  [label.textContent, note.textContent] = [name, about];
  option.append(label, note);
  return option;
}

function go(option: HTMLElement | null | undefined): void {
  const path = option?.dataset["path"];
  if (path !== undefined) location.assign(path);
}

/** Normalizes text for comparison: lower case without accents. */
function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
