import type { DraggableRows } from "./drag_rows.ts";

/**
 * Makes the rows of a list draggable by their handles with mouse, pen and finger; returns a function that stops
 * it. Escape, or dropping a row away from the list, cancels the move. The list gets `data-sortable`, and a row that is
 * held `data-held`. The code that moves rows is loaded when the first one is pressed.
 */
export function makeDraggable(list: HTMLElement, rows: DraggableRows): () => void {
  const ended = new AbortController();
  list.addEventListener("pointerdown", (start) => {
    const handle = start.target instanceof Element ? start.target.closest("[data-handle]") : null;
    const row = handle?.closest<HTMLElement>(rows.selector);
    if (row?.parentElement !== list || start.button !== 0 || !start.isPrimary) return;
    start.preventDefault();
    const held = hold(row, ended.signal);
    let latest = start;
    document.addEventListener("pointermove", (event) => latest = event, { signal: held });
    void import("./drag_rows.ts").then(({ drag }) => {
      if (!held.aborted) drag({ list, row, start, latest, held, ...rows });
    }, () => {});
  }, { signal: ended.signal });
  list.dataset["sortable"] = "";
  return () => {
    ended.abort();
    delete list.dataset["sortable"];
  };
}

/** Marks a row until the pointer is released; returns the signal of that, whose reason is the type of the event. */
function hold(row: HTMLElement, ended: AbortSignal): AbortSignal {
  const held = new AbortController();
  const { signal } = held;
  const release = ({ type, isPrimary }: PointerEvent) => isPrimary && held.abort(type);
  row.dataset["held"] = "";
  signal.addEventListener("abort", () => delete row.dataset["held"]);
  ended.addEventListener("abort", () => held.abort(), { signal });
  document.addEventListener("pointerup", release, { signal });
  document.addEventListener("pointercancel", release, { signal });
  return signal;
}
