import { useAdmin } from "../admin_view.ts";

interface ListPagesProps {
  /** What is paged through; read aloud. */
  readonly label: string;
  /** Which of how many are shown. */
  readonly range: string;
  /** The address of the page in front; null on the first one. */
  readonly previous: string | null;
  /** The address of the page after; null on the last one. */
  readonly next: string | null;
  readonly isEmpty: boolean;
}

/** Which part of a long list is shown, and the way to the parts beside it. */
export function ListPages({ label, range, previous, next, isEmpty }: ListPagesProps) {
  const { words } = useAdmin();
  if (isEmpty) return null;
  const look = "link inline-flex min-h-11 items-center font-medium";
  return (
    <nav aria-label={label} class="mt-3 flex flex-wrap items-center gap-x-6 text-small">
      <span class="text-soft tabular-nums">{range}</span>
      {previous !== null && <a class={look} href={previous} rel="prev">{words.permissions.previousPage}</a>}
      {next !== null && <a class={look} href={next} rel="next">{words.common.nextPage}</a>}
    </nav>
  );
}
