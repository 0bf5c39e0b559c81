import type { ComponentChildren } from "preact";

interface PanelProps {
  /** What one does here; read aloud, and shown as a heading where `isTitled`. */
  readonly title: string;
  readonly isTitled?: boolean;
  readonly children: ComponentChildren;
}

/** The one place of a page where something is made. */
export function Panel({ title, isTitled = false, children }: PanelProps) {
  return (
    <section
      aria-label={title}
      class="mb-9 grid gap-4 rounded-panel border border-rule bg-raised p-5 sm:p-6"
    >
      {isTitled && <h2>{title}</h2>}
      {children}
    </section>
  );
}
