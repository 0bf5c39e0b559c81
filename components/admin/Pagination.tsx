import { useAdmin } from "./admin_view.ts";
import { LIST_ID } from "./Table.tsx";
import { Link } from "../Link.tsx";

interface PaginationProps {
  /** Accessible name of the list. */
  readonly label: string;
  /** Text with the range shown and the total. */
  readonly range: string;
  /** Address of the previous page; null on the first page. */
  readonly previous: string | null;
  /** Address of the next page; null on the last page. */
  readonly next: string | null;
  readonly isEmpty: boolean;
}

/** Renders the range of a long list that is shown, with links to the previous and next page. */
export function Pagination({ label, range, previous, next, isEmpty }: PaginationProps) {
  const { t } = useAdmin();
  if (isEmpty) return null;
  const look = "link inline-flex min-h-11 items-center font-medium";
  return (
    <nav aria-label={label} class="mt-3 flex flex-wrap items-center gap-x-6 text-small">
      <span class="text-soft tabular-nums">{range}</span>
      {previous !== null && (
        <Link class={look} href={`${previous}#${LIST_ID}`} rel="prev">
          {t("Previous page")}
        </Link>
      )}
      {next !== null && <Link class={look} href={`${next}#${LIST_ID}`} rel="next">{t("Next page")}</Link>}
    </nav>
  );
}
