/** Duration of a row's way to its new position, in milliseconds. */
const SLIDE_MS = 150;
/** Distance from the list at which dropping a row cancels the move, in CSS pixels. */
const CANCEL_DISTANCE = 48;
/** Distance by which a pointer moves before a drag begins. */
const START_DISTANCE = 3;
/** Distance from the edge of the screen at which the page scrolls, and by how much for each frame. */
const EDGE = 48;
const SCROLL_STEP = 8;

/** Draggable rows of a list. */
export interface DraggableRows {
  /** Selector of the rows, which are children of the list and contain a handle with `data-handle`. */
  readonly selector: string;
  /** Called after a row was dropped, with the children of the list in their previous order. */
  readonly onDropped: (moved: HTMLElement, before: readonly Node[]) => void;
}

/** A row that the pointer holds. */
interface HeldRow extends DraggableRows {
  readonly list: HTMLElement;
  readonly row: HTMLElement;
  readonly start: PointerEvent;
  readonly latest: PointerEvent;
  /** Aborted once the pointer is released, or the list is gone. */
  readonly held: AbortSignal;
}

/** Follows the pointer until it is released, and moves the other rows past the one that is held. */
export function drag({ list, row, selector, start, latest, held, onDropped }: HeldRow): void {
  const before = [...list.children];
  const { left, top } = row.getBoundingClientRect();
  const ended = new AbortController();
  const { signal } = ended;
  let { clientX: x, clientY: y } = start;
  let copy: HTMLElement | null = null;
  const follow = () => {
    if (copy === null) return;
    const shownAt = top + y - start.clientY;
    movePast(row, shownAt, [...list.querySelectorAll<HTMLElement>(`:scope > ${selector}`)]);
    moveTo(copy, left + x - start.clientX, shownAt);
  };
  const end = (isDropped: boolean) => {
    ended.abort();
    copy?.remove();
    if (!isDropped) list.append(...before);
    else if (copy !== null) onDropped(row, before);
  };
  const scroll = () => {
    if (signal.aborted) return;
    const step = y < EDGE ? -SCROLL_STEP : y > innerHeight - EDGE ? SCROLL_STEP : 0;
    if (step !== 0) {
      scrollBy(0, step);
      follow();
    }
    requestAnimationFrame(scroll);
  };
  const moveOn = ({ isPrimary, clientX, clientY }: PointerEvent) => {
    // Further fingers do nothing.
    if (!isPrimary) return;
    [x, y] = [clientX, clientY];
    if (copy === null && Math.hypot(x - start.clientX, y - start.clientY) >= START_DISTANCE) {
      list.append(copy = copyOf(row));
      scroll();
    }
    follow();
  };
  moveOn(latest);
  document.addEventListener("pointermove", moveOn, { signal });
  held.addEventListener("abort", () => end(held.reason === "pointerup" && isNear(list, x, y)), { signal });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
}

/**
 * Moves rows to the other side of the one that is held when its copy, whose upper edge is at `top`, covers their middle. The
 * row itself stays in the page, so that its pointer is not lost.
 */
function movePast(row: HTMLElement, top: number, rows: HTMLElement[]): void {
  const upper = top - (row.offsetParent?.getBoundingClientRect().top ?? 0);
  const middleOf = ({ offsetTop, offsetHeight }: HTMLElement) => offsetTop + offsetHeight / 2;
  const at = rows.indexOf(row);
  // The positions are read again after each step.
  for (const other of rows.slice(at + 1)) {
    if (upper + row.offsetHeight > middleOf(other)) slide(other, () => row.before(other));
  }
  for (const other of rows.slice(0, at).reverse()) {
    if (upper < middleOf(other)) slide(other, () => row.after(other));
  }
}

function slide(row: HTMLElement, move: () => void): void {
  const { offsetTop } = row;
  move();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  row.animate([{ translate: `0 ${offsetTop - row.offsetTop}px` }, { translate: "0 0" }], SLIDE_MS);
}

/** Whether a point is in the list or near it. */
function isNear(list: HTMLElement, x: number, y: number): boolean {
  const { left, right, top, bottom } = list.getBoundingClientRect();
  return Math.max(left - x, x - right, top - y, y - bottom) <= CANCEL_DISTANCE;
}

/** Returns a copy of a row that looks like it, hidden from forms and screen readers. */
function copyOf(row: HTMLElement): HTMLElement {
  const copy = row.cloneNode(true);
  if (!(copy instanceof HTMLElement)) return row;
  copy.inert = true;
  copy.ariaHidden = "true";
  copy.classList.add("drag-copy");
  const { width, height } = row.getBoundingClientRect();
  Object.assign(copy.style, { width: `${width}px`, height: `${height}px` });
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ["id", "name", "data-id", "data-held", "data-movable"]) element.removeAttribute(name);
  }
  // Outside of the rows of its table, a row loses the widths of the columns.
  for (const [at, cell] of [...row.children].entries()) {
    const copied = copy.children[at];
    const { width } = cell.getBoundingClientRect();
    if (row.localName === "tr" && copied instanceof HTMLElement) copied.style.width = `${width}px`;
  }
  return copy;
}

/** Moves a copy to a point of the screen, whatever element its position is relative to. */
function moveTo(copy: HTMLElement, left: number, top: number): void {
  const shown = copy.getBoundingClientRect();
  copy.style.left = `${copy.offsetLeft + left - shown.left}px`;
  copy.style.top = `${copy.offsetTop + top - shown.top}px`;
}
