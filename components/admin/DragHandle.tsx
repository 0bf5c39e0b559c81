const BOX = "-my-2 h-11 w-7 shrink-0 items-center justify-center noscript:hidden";

/** Renders the handle by which a row is dragged. It appears when a script makes the list sortable. */
export function DragHandle() {
  return (
    <span
      data-handle
      aria-hidden="true"
      class={`${BOX} invisible inline-flex cursor-grab touch-none text-soft select-none in-data-sortable:visible hover:text-ink`}
    >
      <svg viewBox="0 0 10 16" class="h-4 w-2.5" fill="currentColor">
        {[2, 8].map((x) => [2, 8, 14].map((y) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.5" />))}
      </svg>
    </span>
  );
}

/** Renders the space of a handle, for a row that stays in place. */
export function NoDragHandle() {
  return <span class={`${BOX} inline-block`} />;
}
