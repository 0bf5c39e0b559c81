import type { ComponentChildren } from "preact";

interface PanelProps {
  /** Accessible name. */
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Renders the box with the page's form for a new item. */
export function Panel({ title, children }: PanelProps) {
  return (
    <section
      aria-label={title}
      class="mb-9 grid gap-4 rounded-panel border border-rule bg-raised p-5 sm:p-6"
    >
      {children}
    </section>
  );
}
