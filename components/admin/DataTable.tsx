import type { ComponentChildren } from "preact";

/** A column: what stands above it. */
export interface Column {
  readonly title: string;
  /** For numbers and for what can be done. */
  readonly isAtEnd?: boolean;
  /** Where the list is sorted by this column when its title is followed. */
  readonly sortPath?: string | undefined;
  readonly sorted?: "ascending" | "descending" | undefined;
}

/** A row: its cells in the order of the columns, and what it is found by. */
export interface Row {
  readonly id: string;
  readonly cells: readonly ComponentChildren[];
  readonly isFaint?: boolean;
}

interface DataTableProps {
  /** What the table lists; read aloud. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** The id of the rows' parent, for islands that work on them. */
  readonly bodyId?: string;
}

/** A list as a table; on narrow screens each row is a card whose cells say what they are. */
export function DataTable({ caption, columns, rows, bodyId }: DataTableProps) {
  return (
    <table class="w-full border-collapse tabular-nums">
      <caption class="sr-only">{caption}</caption>
      <thead class="max-md:sr-only">
        <tr class="border-b border-rule">
          {columns.map((column) => (
            <th
              key={column.title}
              scope="col"
              aria-sort={column.sorted}
              class={`px-3 py-2 text-[0.82rem] font-medium text-soft first:ps-0 last:pe-0 ${
                column.isAtEnd ? "text-end" : "text-start"
              }`}
            >
              {column.sortPath === undefined
                ? column.title
                : <a class="link" href={column.sortPath}>{column.title}</a>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody id={bodyId}>
        {rows.map((row) => (
          <tr
            key={row.id}
            id={bodyId === undefined ? undefined : `${bodyId}-${row.id}`}
            data-id={row.id}
            class={`border-b border-rule max-md:block max-md:py-3 ${row.isFaint ? "text-soft" : ""}`}
          >
            {row.cells.map((cell, at) => <Cell key={at} column={columns[at]} isFirst={at === 0}>{cell}
            </Cell>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell(
  { column, isFirst, children }: {
    column: Column | undefined;
    isFirst: boolean;
    children: ComponentChildren;
  },
) {
  const look =
    `px-3 py-2.5 align-middle first:ps-0 last:pe-0 max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-3 max-md:px-0 max-md:py-1 ${
      column?.isAtEnd ? "md:text-end" : "text-start"
    }`;
  const title = <span class="text-tiny text-soft md:hidden">{column?.title}</span>;
  return isFirst
    ? <th scope="row" class={`${look} font-normal`}>{children}</th>
    : <td class={look}>{title}{children}</td>;
}
