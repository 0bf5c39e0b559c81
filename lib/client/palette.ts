/** Pause after typing before records are searched, in milliseconds. */
const SEARCH_AFTER_MS = 150;
/** Number of chosen options that the browser remembers. */
const MAX_RECENT = 5;

/** Page that an option leads to, or a command that the form with these fields performs. */
interface Found {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly form?: Readonly<Record<string, string>>;
}

/**
 * Filters the options of the palette (`data-path`) by the typed text, adds what the server finds (`data-find`), and
 * follows the chosen option. Without text, the options that were chosen last in this browser come first; they are
 * stored under the name `data-recent`.
 */
export function enablePalette(palette: HTMLDialogElement, signal: AbortSignal): void {
  const field = palette.querySelector("input");
  const list = palette.querySelector("ul");
  if (field === null || list === null) return;
  const recentName = palette.dataset["recent"] ?? "";
  const go = (option: HTMLElement | null | undefined) => {
    if (!option) return;
    const found = toFound(option);
    storeRecent(recentName, found);
    follow(found);
  };
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
  const sample = list.querySelector("li");
  list.prepend(
    ...readRecent(recentName).map((one, at) => toOption(one, { id: `palette-recent-${at}`, sample })),
  );
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
  const shown: HTMLLIElement[] = [];
  for (const option of options()) {
    // The server has matched what it found; each thing is shown once.
    const isWanted = option.id.startsWith("palette-found") ||
      words.every((word) => fold(option.textContent).includes(word));
    const isShown = isWanted && !shown.some((other) => isSame(other, option));
    option.hidden = !isShown;
    if (isShown) shown.push(option);
  }
  choose(shown[0]);
  const status = palette.querySelector("[role=status]");
  const nothing = palette.querySelector("[data-nothing]")?.getAttribute("data-nothing") ?? "";
  if (status !== null) status.textContent = shown.length === 0 ? nothing : "";
}

function isSame(one: HTMLElement, other: HTMLElement): boolean {
  return one.dataset["path"] === other.dataset["path"] &&
    one.firstElementChild?.textContent === other.firstElementChild?.textContent;
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
    for (const option of list.querySelectorAll("[id^=palette-found]")) option.remove();
    if (text.trim() === "") return;
    timer = setTimeout(async () => {
      const found = await fetchFound(`${path}?q=${encodeURIComponent(text)}`);
      if (turn !== last) return;
      const sample = list.querySelector("li");
      list.append(...found.map((one, at) => toOption(one, { id: `palette-found-${at}`, sample })));
      onFound();
    }, SEARCH_AFTER_MS);
  };
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
  { path, name, about, form }: Found,
  { id, sample }: { id: string; sample: HTMLElement | null },
): HTMLLIElement {
  const option = document.createElement("li");
  option.id = id;
  option.role = "option";
  option.className = sample?.className ?? "";
  option.dataset["path"] = path;
  if (form !== undefined) option.dataset["form"] = JSON.stringify(form);
  const [label, note] = [document.createElement("bdi"), document.createElement("span")];
  label.className = "min-w-0 break-words";
  note.className = sample?.lastElementChild?.className ?? "";
  [label.textContent, note.textContent] = [name, about];
  option.append(label, note);
  return option;
}

function toFound({ dataset, firstElementChild, lastElementChild }: HTMLElement): Found {
  const found = {
    path: dataset["path"] ?? "",
    name: firstElementChild?.textContent ?? "",
    about: lastElementChild?.textContent ?? "",
  };
  return dataset["form"] === undefined ? found : { ...found, form: JSON.parse(dataset["form"]) };
}

function follow({ path, form }: Found): void {
  if (form === undefined) return location.assign(path);
  const element = document.createElement("form");
  [element.method, element.action] = ["post", path];
  for (const [name, value] of Object.entries(form)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    element.append(field);
  }
  document.body.append(element);
  element.requestSubmit();
}

/** Returns the options that were chosen last, the latest first. */
function readRecent(name: string): readonly Found[] {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "[]");
  } catch {
    return [];
  }
}

function storeRecent(name: string, found: Found): void {
  const others = readRecent(name).filter(({ path, name }) => path !== found.path || name !== found.name);
  try {
    localStorage.setItem(name, JSON.stringify([found, ...others].slice(0, MAX_RECENT)));
  } catch {
    // The browser stores nothing, and the list stays as it is.
  }
}

/** Normalizes text for comparison: lower case without accents. */
function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
