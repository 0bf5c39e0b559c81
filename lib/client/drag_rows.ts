// @ts-types="@types/sortablejs"
import Sortable, { AutoScroll } from "sortablejs/modular/sortable.core.esm.js";

// Lists that are longer than the screen scroll while a row is held at the edge. The library takes a plugin only
// once, so it gets this one when it is loaded.
Sortable.mount(new AutoScroll());

/** Duration of a row's way to its new position, in milliseconds. */
const SLIDE_MS = 150;
/** Distance from the list at which dropping a row cancels the move, in CSS pixels. */
const CANCEL_DISTANCE = 48;

/** Draggable rows of a list. */
export interface DraggableRows {
  /** Selector of the rows, which are children of the list and contain a handle with `data-handle`. */
  readonly selector: string;
  /** Called after a row was dropped, with the children of the list in their previous order. */
  readonly onDropped: (moved: HTMLElement, before: readonly Node[]) => void;
}

/**
 * Makes the rows of a list draggable by their handles with mouse, pen and finger; returns a function that stops
 * it. Escape, or dropping a row away from the list, cancels the move. The list gets `data-sortable`.
 */
export function makeDraggable(list: HTMLElement, { selector, onDropped }: DraggableRows): () => void {
  let before: readonly Node[] = [];
  const sortable = new Sortable(list, {
    draggable: selector,
    handle: "[data-handle]",
    direction: "vertical",
    // The browsers' own drag and drop ignores fingers, so every pointer is followed by script.
    forceFallback: true,
    animation: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : SLIDE_MS,
    ghostClass: "drag-position",
    fallbackClass: "drag-copy",
    onChoose: () => before = [...list.children],
    onStart: ({ item }) => {
      if (Sortable.ghost !== null) prepareCopy(Sortable.ghost, item);
      document.addEventListener("keydown", cancelOnEscape);
    },
    onEnd: (event) => {
      document.removeEventListener("keydown", cancelOnEscape);
      releaseClick();
      if (isDrop(event, list)) onDropped(event.item, before);
      else list.append(...before);
    },
  });
  list.dataset["sortable"] = "";
  return () => {
    document.removeEventListener("keydown", cancelOnEscape);
    delete list.dataset["sortable"];
    sortable.destroy();
  };
}

/** Ends a drag as browsers do when they take a pointer away. */
function cancelOnEscape({ key }: KeyboardEvent): void {
  if (key !== "Escape") return;
  // The library listens to the second where it does not use pointer events.
  for (const type of ["pointercancel", "touchcancel"]) document.dispatchEvent(new Event(type));
}

/**
 * Gives the library the click that it swallows after a drag. A finger that was moved makes none, so without this
 * the user's next tap would have no effect.
 */
function releaseClick(): void {
  document.dispatchEvent(new MouseEvent("click", { cancelable: true }));
}

/** Whether a drag ended with a drop in or near the list. */
function isDrop(event: Sortable.SortableEvent, list: HTMLElement): boolean {
  const cause: unknown = Reflect.get(event, "originalEvent");
  if (!(cause instanceof MouseEvent) || cause.type === "pointercancel") return false;
  const { left, right, top, bottom } = list.getBoundingClientRect();
  const outside = [left - cause.clientX, cause.clientX - right, top - cause.clientY, cause.clientY - bottom];
  return Math.max(...outside) <= CANCEL_DISTANCE;
}

/** Makes the copy of a row that follows the pointer look like the row, and hides it from forms and screen readers. */
function prepareCopy(copy: HTMLElement, row: HTMLElement): void {
  copy.inert = true;
  copy.ariaHidden = "true";
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ["id", "name", "data-id"]) element.removeAttribute(name);
  }
  if (!(row instanceof HTMLTableRowElement) || !(copy instanceof HTMLTableRowElement)) return;
  // Outside of its table a row loses the widths of the columns.
  for (const [at, cell] of [...copy.cells].entries()) {
    cell.style.width = `${row.cells[at]?.getBoundingClientRect().width}px`;
  }
}
