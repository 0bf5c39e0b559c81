import type { DraggableRows } from "./drag_rows.ts";

/**
 * Makes the rows of a list draggable as `makeDraggable` does; returns a function that stops it. The code for it is
 * loaded after the page works. Where it cannot be loaded, the rows are moved with their buttons only.
 */
export function enableDragging(list: HTMLElement, rows: DraggableRows): () => void {
  const ended = new AbortController();
  import("./drag_rows.ts").then(({ makeDraggable }) => {
    if (!ended.signal.aborted) ended.signal.addEventListener("abort", makeDraggable(list, rows));
  }, () => {});
  return () => ended.abort();
}
