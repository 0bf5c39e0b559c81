import type { PersonResult } from "@/lib/client/search_people.ts";

interface ResultListProps {
  readonly id: string;
  readonly results: readonly PersonResult[];
  /** Index of the result that Enter chooses. */
  readonly active: number;
  readonly onChoose: (result: PersonResult) => void;
}

/** Renders the results of a search below its field. */
export function ResultList({ id, results, active, onChoose }: ResultListProps) {
  return (
    <ul
      id={id}
      role="listbox"
      hidden={results.length === 0}
      class="absolute inset-x-0 top-full z-10 mt-1 max-h-72 overflow-y-auto rounded-control border border-edge bg-raised py-1 shadow-[0_0.5rem_1.5rem_rgb(0_0_0/0.15)]"
    >
      {results.map((result, at) => (
        <li
          key={result.line}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={(event) => {
            event.stopPropagation();
            onChoose(result);
          }}
          class="flex min-h-10 cursor-pointer flex-wrap items-center gap-x-3 px-3 py-1 hover:bg-wash aria-selected:bg-wash aria-selected:outline aria-selected:-outline-offset-1 aria-selected:outline-edge"
        >
          <bdi class="min-w-0 break-words font-medium">{result.name}</bdi>
          <bdi class="min-w-0 break-all text-small text-soft">{result.note}</bdi>
        </li>
      ))}
    </ul>
  );
}
