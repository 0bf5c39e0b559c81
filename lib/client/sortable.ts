/** Callback of a sortable list. */
export interface SortableRows {
  /**
   * Called with the ids in their new order and the id of the moved row; false restores the previous order.
   */
  readonly onMoved: (order: readonly string[], movedId: string) => Promise<boolean>;
}

/**
 * Makes the rows of a list draggable and its forms `move_up` and `move_down` work in place; returns a
 * function that stops it. Rows are children with `data-id`; those without the forms stay in place.
 */
export function makeSortable(body: HTMLElement, rows: SortableRows): () => void {
  const ended = new AbortController();
  for (const row of movableRows(body)) {
    row.draggable = true;
    row.classList.add("cursor-grab");
  }
  listenToDrags(body, rows, ended.signal);
  listenToButtons(body, rows, ended.signal);
  return () => ended.abort();
}

function listenToDrags(body: HTMLElement, { onMoved }: SortableRows, signal: AbortSignal): void {
  let dragged: HTMLElement | null = null;
  let before: Node[] = [];
  body.addEventListener("dragstart", (event) => {
    dragged = rowOf(body, event.target);
    before = [...body.children];
    event.dataTransfer?.setData("text/plain", "");
    if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = "move";
  }, { signal });
  body.addEventListener("dragover", (event) => {
    const over = rowOf(body, event.target);
    if (dragged === null || over === null || !over.draggable) return;
    event.preventDefault();
    if (over !== dragged) place(dragged, over);
  }, { signal });
  body.addEventListener("dragend", (event) => {
    const moved = dragged;
    dragged = null;
    // Escape, or dropping outside the list, changes nothing.
    if (event.dataTransfer?.dropEffect === "none") body.append(...before);
    else if (moved !== null) void settle(body, { moved, before, onMoved });
  }, { signal });
}

function listenToButtons(body: HTMLElement, { onMoved }: SortableRows, signal: AbortSignal): void {
  body.addEventListener("submit", (event) => {
    const step = stepOf(event.target);
    const row = rowOf(body, event.target);
    if (step === null || row === null) return;
    event.preventDefault();
    const rows = movableRows(body);
    const neighbour = rows[rows.indexOf(row) + step];
    if (neighbour === undefined) return;
    const before = [...body.children];
    if (step < 0) neighbour.before(row);
    else neighbour.after(row);
    const button = event.submitter;
    void settle(body, { moved: row, before, onMoved }).then(() => {
      // The focus stays on the used button; a button that is disabled now loses it.
      const target = button instanceof HTMLButtonElement && button.disabled
        ? row.querySelector("button:not(:disabled)")
        : button;
      if (target instanceof HTMLElement) target.focus();
    });
  }, { signal });
}

interface Settling extends SortableRows {
  readonly moved: HTMLElement;
  readonly before: readonly Node[];
}

async function settle(body: HTMLElement, { moved, before, onMoved }: Settling): Promise<void> {
  const isSame = [...body.children].every((row, at) => row === before[at]);
  if (isSame) return;
  markEnds(body);
  const order = movableRows(body).map((row) => row.dataset["id"] ?? "");
  if (await onMoved(order, moved.dataset["id"] ?? "")) return;
  body.append(...before);
  markEnds(body);
}

/** Disables moving the first row up and the last one down. */
function markEnds(body: HTMLElement): void {
  const rows = movableRows(body);
  for (const [at, row] of rows.entries()) {
    setDisabled(row, "move_up", at === 0);
    setDisabled(row, "move_down", at === rows.length - 1);
  }
}

function setDisabled(row: HTMLElement, action: string, isDisabled: boolean): void {
  const button = row.querySelector(`[data-action="${action}"] button`);
  if (button instanceof HTMLButtonElement) button.disabled = isDisabled;
}

function movableRows(body: HTMLElement): HTMLElement[] {
  return [...body.children].filter((row): row is HTMLElement =>
    row instanceof HTMLElement && row.querySelector('[data-action="move_up"]') !== null
  );
}

function rowOf(body: HTMLElement, target: EventTarget | null): HTMLElement | null {
  const row = target instanceof Element ? target.closest("[data-id]") : null;
  return row instanceof HTMLElement && row.parentElement === body ? row : null;
}

function stepOf(target: EventTarget | null): -1 | 1 | null {
  const action = target instanceof HTMLElement ? target.dataset["action"] : undefined;
  if (action === "move_up") return -1;
  return action === "move_down" ? 1 : null;
}

function place(row: HTMLElement, over: HTMLElement): void {
  const isBelow = (row.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  if (isBelow) over.after(row);
  else over.before(row);
}
