import { makeDraggable } from "./dragging.ts";

/** A moved row, and the ids of all rows in their new and in their previous order. */
interface MovedRow {
  readonly movedId: string;
  readonly order: readonly string[];
  readonly previous: readonly string[];
}

/** Callback of a sortable list. */
interface SortableRows {
  /** Called when a row was moved; false restores the previous order. */
  readonly onMoved: (row: MovedRow) => Promise<boolean>;
}

/** Selector of the rows that can be moved; the others stay in place. */
const MOVABLE = "[data-movable]";

/**
 * Makes the rows of a list draggable by their handles and its forms `move_up` and `move_down` work in place;
 * returns a function that stops it. Rows are children with `data-id`, movable ones also have `data-movable`.
 */
export function makeSortable(body: HTMLElement, rows: SortableRows): () => void {
  const ended = new AbortController();
  listenToButtons(body, rows, ended.signal);
  const onDropped = (moved: HTMLElement, before: readonly Node[]) =>
    void settle(body, { moved, before, onMoved: rows.onMoved });
  const stopDragging = makeDraggable(body, { selector: MOVABLE, onDropped });
  return () => {
    stopDragging();
    ended.abort();
  };
}

/** Puts the movable rows of a list into the order of their ids, after any others. */
export function orderRows(body: HTMLElement, order: readonly string[]): void {
  const rows = movableRows(body).sort((one, other) => order.indexOf(idOf(one)) - order.indexOf(idOf(other)));
  body.append(...rows);
  markEnds(body);
}

/** Returns the movable rows of a list in their order. */
export function movableRows(body: HTMLElement): HTMLElement[] {
  return [...body.querySelectorAll<HTMLElement>(`:scope > ${MOVABLE}`)];
}

/** Returns the id of a row. */
export function idOf(row: HTMLElement): string {
  return row.dataset["id"] ?? "";
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
  const rows = movableRows(body);
  const previous = rows.toSorted((one, other) => before.indexOf(one) - before.indexOf(other));
  const isDone = await onMoved({
    movedId: idOf(moved),
    order: rows.map(idOf),
    previous: previous.map(idOf),
  });
  if (isDone) return;
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

function rowOf(body: HTMLElement, target: EventTarget | null): HTMLElement | null {
  const row = target instanceof Element ? target.closest("[data-id]") : null;
  return row instanceof HTMLElement && row.parentElement === body ? row : null;
}

function stepOf(target: EventTarget | null): -1 | 1 | null {
  const action = target instanceof HTMLElement ? target.dataset["action"] : undefined;
  if (action === "move_up") return -1;
  return action === "move_down" ? 1 : null;
}
